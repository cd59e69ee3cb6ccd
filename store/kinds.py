"""The kinds of records: what each is called, the letter before its id, and the table that holds
it.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["observation", "prompt", "summary", "fact"]

KINDS: dict[str, Kind] = {"o": "observation", "p": "prompt", "s": "summary", "f": "fact"}
LETTERS: dict[str, str] = {kind: letter for letter, kind in KINDS.items()}

NOISE = "noise"
"""The type of the row that a tool use gets of which nothing is worth remembering."""
