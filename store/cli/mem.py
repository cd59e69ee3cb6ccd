"""What agents' configurations start for a server: `PYTHON -E -P …/store/cli/mem.py mcp [--db PATH]`.

It is `mem` by its path, which an upgrade leaves where it is, and which needs no PATH. It never moves.
"""

import sys

ROOT = __file__.rpartition("/store/cli/")[0]

if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    from memtui.store.cli import main

    sys.exit(main())
