# Completion of mem in bash.

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
