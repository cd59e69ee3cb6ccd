"""What agents' settings start at each event: `PYTHON -I -S …/store/capture/hook.py AGENT [--db PATH]`.

A script is compiled each time it runs, so it only finds the rest, which is compiled once.
"""

import sys

if __name__ == "__main__":
    sys.path.insert(0, __file__.rpartition("/store/capture/")[0])
    from store.capture.appending import leave

    leave(sys.argv[1:])
