# mem in fish: Ctrl+G inserts a picked memory, Tab completes. Made by `mem shell-init fish`.
# MEM_PICK_HEIGHT is how much of the terminal the picker takes: lines (15), or a part (40%).

function _mem_pick
    set -l height 15
    set -q MEM_PICK_HEIGHT; and set height $MEM_PICK_HEIGHT
    set -l before (commandline --current-buffer --cut-at-cursor | string collect --allow-empty)
    set -l picked (command mem pick --height=$height --quote-after="$before" | string collect)
    test -n "$picked"; and commandline --insert -- $picked
    commandline --function repaint
end

if status is-interactive
    bind \cg _mem_pick
    bind --mode insert \cg _mem_pick
end
