"""Scripts that write no spaces between words, or write words on to each other: Han, Kana, Hangul.

Ranges are written as they stand within the brackets of a pattern. Nothing is imported: a hook's process
asks these.
"""

from __future__ import annotations

SETTLED_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
"""Han that no normal form changes."""
HAN = f"\u3005-\u3007{SETTLED_HAN}\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3040-\u30ff"
HANGUL = "\uac00-\ud7a3"
PAIRED = HAN + KANA
"""What the words index has in pairs of characters."""
UNSPACED = PAIRED + HANGUL
"""What has no words that spaces would set apart: Korean has spaces, but its particles aren't set apart."""
FIRST = "\u3005"
"""The first of all of these."""
FIRST_HAN = "\u3400"
"""The first Han that words begin with."""
FIRST_WIDE = "\u2e80"
"""From here on characters, signs too, are twice as wide, and say about twice as much."""

LETTERS, CHINESE = "letters", "chinese"
SCRIPTS = (LETTERS, CHINESE)
LOOKED_AT = 2_000
SHARE = 0.2
"""A text of which so much is Chinese is Chinese: names and code stand in letters in it too."""


def is_paired(letter: str) -> bool:
    """Return whether a letter is Han or Kana, which the words index has in pairs."""
    return letter >= FIRST and (
        letter <= "\u3007"
        or "\u3040" <= letter <= "\u30ff"
        or "\u3400" <= letter <= "\u4dbf"
        or "\u4e00" <= letter <= "\u9fff"
        or "\uf900" <= letter <= "\ufaff"
        or "\U00020000" <= letter <= "\U0003ffff"
    )


def is_hangul(letter: str) -> bool:
    """Return whether a letter is a syllable of Hangul."""
    return "\uac00" <= letter <= "\ud7a3"


def is_kana(letter: str) -> bool:
    """Return whether a letter is Hiragana or Katakana."""
    return "\u3040" <= letter <= "\u30ff"


def is_settled_han(letter: str) -> bool:
    """Return whether a letter is Han that no normal form changes."""
    return "\u4e00" <= letter <= "\u9fff" or "\u3400" <= letter <= "\u4dbf"


def is_unspaced(letter: str) -> bool:
    """Return whether a letter is Han, Kana or Hangul."""
    return letter >= FIRST and (is_paired(letter) or is_hangul(letter))


def has_unspaced(text: str) -> bool:
    """Return whether a text has Han, Kana or Hangul."""
    return not text.isascii() and any(map(is_unspaced, text))


def is_wide(letter: str) -> bool:
    """Return whether a character, "" for none, is of a script of wide ones, signs included."""
    return FIRST_WIDE <= letter <= "\uffef"


def size_of(text: str) -> int:
    """Return how much a text says, in characters, of which wide ones count double."""
    return len(text) if text.isascii() else len(text) + sum(map(FIRST_WIDE.__le__, text))


def script_of(text: str) -> str:
    """Return the script that a text is in, as far as ranking cares: one of `SCRIPTS`. Kana is Chinese."""
    text = text[:LOOKED_AT]
    if text.isascii():
        return LETTERS
    return CHINESE if sum(map(is_paired, text)) > SHARE * len(text) else LETTERS
