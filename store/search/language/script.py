"""Which script a text is in, as far as ranking cares: Chinese (with kana), or letters."""

from __future__ import annotations

from .folding import CHINESE

LETTERS, HAN = "letters", "chinese"
SCRIPTS = (LETTERS, HAN)
LOOKED_AT = 2_000
SHARE = 0.2
"""A text of which so much is Chinese is Chinese: names and code stand in letters in it too."""


def script_of(text: str) -> str:
    """Return the script of a text: one of `SCRIPTS`."""
    text = text[:LOOKED_AT]
    if text.isascii():
        return LETTERS
    many = sum(len(run) for run in CHINESE.findall(text))
    return HAN if many > SHARE * len(text) else LETTERS
