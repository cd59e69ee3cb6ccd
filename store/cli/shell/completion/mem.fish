# Completion of mem in fish.

function _mem_complete
    set -lx _MEM_COMPLETE complete_fish
    set -lx _TYPER_COMPLETE_FISH_ACTION get-args
    set -lx _TYPER_COMPLETE_ARGS (commandline --current-process --cut-at-cursor | string collect)
    command mem 2>/dev/null | string match --invert ''
end

complete --command mem --no-files --arguments '(_mem_complete)'
complete --command mem --force-files --condition 'test -z "$(_mem_complete)"'
