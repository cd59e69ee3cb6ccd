"""`python -m memtui.store.cli` is `mem`."""

import sys

from . import main

if __name__ == "__main__":
    sys.exit(main())
