# mem in bash: Ctrl+G inserts a picked memory, Tab completes. Made by `mem shell-init bash`.
# MEM_PICK_HEIGHT is how much of the terminal the picker takes: lines (15), or a part (40%).

_mem_pick() {
  local before="${READLINE_LINE:0:READLINE_POINT}" picked
  picked="$(command mem pick --height="${MEM_PICK_HEIGHT:-15}" --quote-after="$before")"
  READLINE_LINE="$before$picked${READLINE_LINE:READLINE_POINT}"
  READLINE_POINT=$((READLINE_POINT + ${#picked}))
}

if [[ $- == *i* ]] && ((BASH_VERSINFO[0] >= 4)); then
  bind -m emacs-standard -x '"\C-g": _mem_pick'
  bind -m vi-insert -x '"\C-g": _mem_pick'
  bind -m vi-command -x '"\C-g": _mem_pick'
fi
