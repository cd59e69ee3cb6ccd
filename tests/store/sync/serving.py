"""`mem` with the clock of a machine of the tests, which a variable tells: its start, turns and hours."""

import os
import sys

from memtui.store.platform import clock

from .machines import Clocks

if __name__ == "__main__":
    start, turns, hours = os.environ["TESTS_CLOCK"].split()
    clocks = Clocks()
    clocks.begin(int(start), int(turns))
    clocks.set(float(hours))
    for name in ("time", "posix"):
        setattr(clock, name, clocks)
    from memtui.store.cli import main

    sys.exit(main())
