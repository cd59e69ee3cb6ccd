"""The tests, in folders as what they test.

They start hundreds of processes, each of which would compile all modules anew where Python is told
to keep none.
"""

import os
import sys

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
