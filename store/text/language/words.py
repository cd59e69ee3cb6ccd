"""The words of a text, in their order and folded."""

from __future__ import annotations

from ..late_pattern import late_pattern
from .folding import fold
from .scripts import UNSPACED

WORD = late_pattern(rf"[^\W_{UNSPACED}]+|(?=[^\W_])[{UNSPACED}]")
ASCII = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
"""ASCII with a blank for all that is in no word: parting a text by them is faster than a pattern."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded; of scripts that write no spaces each character."""
    folded = fold(text)
    return folded.translate(ASCII).split() if folded.isascii() else WORD.findall(folded)
