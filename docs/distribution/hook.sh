#!/bin/sh
# Runs memtui's hook for an agent whose plugin this is, by the Python that memtui is installed for, as
# `mem install` has it run. Ends with 0, whatever is gone.
agent=AGENT
IFS=:
for folder in $PATH "$HOME/.local/bin" /opt/homebrew/bin /usr/local/bin; do
  [ -x "$folder/mem" ] || continue
  is_ours=
  python=
  while read -r line; do
    case $line in
      '#!'*) python=${line#'#!'} ;;
      *memtui.store.cli*) is_ours=yes ;;
    esac
    # Anything but a script is not ours, and may be long.
    [ -n "$python" ] || break
  done <"$folder/mem" 2>/dev/null
  [ -n "$is_ours" ] || continue
  for hook in "${python%/bin/*}"/lib/python3.*/site-packages/memtui/store/capture/hook.py; do
    [ -f "$hook" ] || continue
    "$python" -I -S "$hook" "$agent" 2>/dev/null
    exit 0
  done
  # Installed in a way of its own: slower, and as good.
  "$folder/mem" hook "$agent" 2>/dev/null
  exit 0
done
if [ "$1" = start ]; then
  echo '{"systemMessage": "The plugin memtui needs the program: uv tool install memtui (or pipx install memtui)"}'
fi
exit 0
