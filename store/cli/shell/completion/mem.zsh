#compdef mem
# Completion of mem in zsh.

_mem() {
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

# As a file of the completion system this is the function's first call; else it is evaluated.
if [[ ${funcstack[1]} == _mem ]]; then
  _mem "$@"
elif [[ -o interactive ]]; then
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _mem mem
fi
