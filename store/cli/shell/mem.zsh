# mem in zsh: Ctrl+G inserts a picked memory, Tab completes. Made by `mem shell-init zsh`.
# MEM_PICK_HEIGHT is how much of the terminal the picker takes: lines (15), or a part (40%).

_mem_pick() {
  emulate -L zsh
  local picked
  # Drawn below the line; keys come from the terminal, since a widget has no standard input.
  picked="$(command mem pick --height="${MEM_PICK_HEIGHT:-15}" --quote-after="$LBUFFER" </dev/tty)"
  [[ -n $picked ]] && LBUFFER+="$picked"
  zle reset-prompt
}

if [[ -o interactive ]]; then
  zle -N mem-pick _mem_pick
  for _mem_keymap in emacs viins vicmd; do
    bindkey -M $_mem_keymap '^G' mem-pick
  done
  unset _mem_keymap
fi
