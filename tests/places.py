"""Where things lie that tests read: the repository, and the folder of data beside it, if it is there."""

from pathlib import Path

import memtui

ROOT = Path(__file__).parents[1]
PACKAGES = Path(memtui.__path__[0]).parent
"""The directory that `memtui` is imported from."""
PYTHONPATH = f"{ROOT / 'tests' / 'plain'}:{ROOT}"
"""Has a process import the tests' modules, and extras only where its test is about them."""
DATA = ROOT.parent / "shared" / "data"
"""Memories, transcripts and texts of others, under their own licences: nothing of it is in here."""
FOREIGN = DATA / "foreign"
TRANSCRIPTS = DATA / "transcripts"
