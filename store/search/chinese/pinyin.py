"""Readings of Chinese characters in pinyin, without tones, by the library pypinyin.

`pip install 'memtui[pinyin]'` installs it. Without it no character has a reading, and nothing fails.
"""

from __future__ import annotations

import os
import re
from functools import cache

from ...text.language.folding import CHINESE

LONGEST_SYLLABLE = 6
MOST_SPLITS = 8
VOWEL = re.compile("[aeiouv]")
FIRST, LAST = 0x4E00, 0x9FFF
"""Between these code points lie the characters that are in use."""


def is_installed() -> bool:
    """Return whether pypinyin is installed."""
    # Loading the readings of whole words takes most of the import; only those of characters are used.
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "true")
    try:
        import pypinyin  # noqa: F401
    except ImportError:
        return False
    return True


def readings(character: str) -> frozenset[str]:
    """Return the readings of a character; none for one that isn't Chinese."""
    return _readings(character) if is_installed() else frozenset()


@cache
def _readings(character: str) -> frozenset[str]:
    from pypinyin import Style, pinyin

    if not CHINESE.fullmatch(character):
        return frozenset()
    found = pinyin(character, style=Style.NORMAL, heteronym=True)[0]
    return frozenset(one.replace("ü", "v") for one in found)


def sound_alike(text: str, other: str) -> bool:
    """Return whether two characters have a reading in common, whatever its tone."""
    return not readings(text).isdisjoint(readings(other))


def is_read(text: str, typed: str) -> bool:
    """Return whether a text with Chinese in it is read as it was typed (`huancun`, `hc`), from its
    beginning or from one of its characters on; what isn't Chinese is read as it is written."""
    typed = typed.lower().replace("'", "").replace(" ", "")
    if len(typed) < 2 or text.isascii() or not CHINESE.search(text) or not is_installed():
        return False
    characters = [char for char in text.lower() if char.isalnum()]
    sounds = [readings(char) or frozenset((char,)) for char in characters]
    return any(
        _goes_on(sounds[start:], typed)
        for start, char in enumerate(characters)
        if start == 0 or CHINESE.match(char)
    )


def _goes_on(sounds: list[frozenset[str]], typed: str) -> bool:
    """Return whether the letters typed spell these readings: each whole, the last perhaps in part, or all
    by their initials."""
    rests = {typed}
    for sound in sounds:
        left = set()
        for rest in rests:
            for text in sound:
                if text.startswith(rest):
                    return True
                if rest.startswith(text):
                    left.add(rest[len(text) :])
        rests = left
        if not rests:
            break
    return len(sounds) >= len(typed) and all(
        any(name.startswith(letter) for name in sound)
        for sound, letter in zip(sounds, typed, strict=False)
    )


def syllables(typed: str) -> list[tuple[str, ...]]:
    """Return the ways to split letters into two or more syllables (`xian` is xi an)."""
    characters = _characters() if is_installed() else {}
    ways: list[list[tuple[str, ...]]] = [[()]]
    for end in range(1, len(typed) + 1):
        ways.append(
            [
                (*before, typed[start:end])
                for start in range(max(0, end - LONGEST_SYLLABLE), end)
                if typed[start:end] in characters
                for before in ways[start]
            ][:MOST_SPLITS]
        )
    return sorted((item for item in ways[-1] if len(item) > 1), key=len)


def characters_read(syllable: str) -> str:
    """Return the characters that have a syllable as a reading."""
    return _characters().get(syllable, "") if is_installed() else ""


@cache
def _characters() -> dict[str, str]:
    """Return the characters in use by their readings."""
    from pypinyin.constants import PINYIN_DICT
    from pypinyin.contrib.tone_convert import to_normal

    normal = cache(to_normal)
    results: dict[str, list[str]] = {}
    for code, marked in PINYIN_DICT.items():
        if FIRST <= code <= LAST:
            for text in {normal(reading).replace("ü", "v") for reading in marked.split(",")}:
                # Interjections without a vowel, `n` and `hng`, are left out: they could end any word.
                if VOWEL.search(text):
                    results.setdefault(text, []).append(chr(code))
    return {reading: "".join(characters) for reading, characters in results.items()}
