"""What agents' configurations start for a server: `PYTHON -E -P …/store/cli/mem.py mcp [--db PATH]`.

It is `mem` by its path, which an upgrade leaves where it is, and which needs no PATH. It never moves.
"""

import sys

HOME = __file__.rpartition("/memtui/store/cli/")[0] or __file__.rpartition("/store/cli/")[0] + "/.dev"
"""The directory that the package lies in; where this is called in a checkout, the one of links to it."""

if __name__ == "__main__":
    sys.path.insert(0, HOME)
    from memtui.store.cli import main

    sys.exit(main())
