# mem in bash: Ctrl+G inserts a picked memory, Tab completes. Made by `mem shell-init bash`.
# MEM_PICK_HEIGHT is how much of the terminal the picker takes: lines (15), or a part (40%).

_mem_pick() {
  local before="${READLINE_LINE:0:READLINE_POINT}" picked
  picked="$(command mem pick --height="${MEM_PICK_HEIGHT:-15}" --quote-after="$before")"
  READLINE_LINE="$before$picked${READLINE_LINE:READLINE_POINT}"
  READLINE_POINT=$((READLINE_POINT + ${#picked}))
}

_mem_complete() {
  # Bash parts words at colons, mem doesn't: the line is read anew, and what stands before the last
  # colon is not completed again.
  local line="${COMP_LINE:0:COMP_POINT}" found word
  local -a words
  read -ra words <<<"$line"
  [[ $line == *" " ]] && words+=("")
  word="${words[${#words[@]} - 1]}"
  COMPREPLY=()
  while IFS= read -r found; do
    [[ $word == *:* && $COMP_WORDBREAKS == *:* ]] && found="${found#"${word%"${word##*:}"}"}"
    [[ -n $found ]] && COMPREPLY+=("$found")
  done < <(
    COMP_WORDS="$line" COMP_CWORD="$((${#words[@]} - 1))" _MEM_COMPLETE=complete_bash \
      command mem 2>/dev/null
  )
}

complete -o default -F _mem_complete mem
if [[ $- == *i* ]] && ((BASH_VERSINFO[0] >= 4)); then
  bind -m emacs-standard -x '"\C-g": _mem_pick'
  bind -m vi-insert -x '"\C-g": _mem_pick'
  bind -m vi-command -x '"\C-g": _mem_pick'
fi
