"""The memory of coding agents: `memtui.store` is the memory, `memtui.tui` the browser.

A package with nothing in it, so that no folder of this name where a command runs takes its place. In a
checkout the two are links to the folders at its top; `store/capture/hook.py` makes the package up.
"""

import sys

if sys.platform == "win32":
    raise SystemExit(
        "memtui doesn't run on Windows itself yet: install it in WSL (`wsl --install`), beside your agents."
    )
