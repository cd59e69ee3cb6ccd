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

_mem_complete() {
  # The completion system's own options, which _files needs, stand: zsh's defaults would drop them.
  local line
  local -a values shown
  # Lines of a value and what it is; nothing that is stored is ever evaluated.
  for line in "${(@f)$(_MEM_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=get-args \
      _TYPER_COMPLETE_ARGS="${(j: :)words[1,CURRENT]}" command mem 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    values+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
  done
  if (( $#values )); then
    compadd -l -d shown -a values
  else
    _files
  fi
}

if [[ -o interactive ]]; then
  zle -N mem-pick _mem_pick
  for _mem_keymap in emacs viins vicmd; do
    bindkey -M $_mem_keymap '^G' mem-pick
  done
  unset _mem_keymap
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _mem_complete mem
fi
