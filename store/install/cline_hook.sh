#!/bin/sh
# memtui for Cline: tells `mem` what happens.
# Written by `mem install cline`, removed by `mem uninstall cline`; changes are overwritten.
set -- COMMAND
{ "$@"; } 2>/dev/null || :
