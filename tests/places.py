"""Where things lie that tests read: the repository, and the folder of data beside it, if it is there."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
DATA = ROOT.parent / "shared" / "data"
"""Memories, transcripts and texts of others, under their own licences: nothing of it is in here."""
FOREIGN = DATA / "foreign"
TRANSCRIPTS = DATA / "transcripts"
