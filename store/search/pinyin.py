"""Readings of Chinese characters in pinyin, without tones, by the library pypinyin.

`pip install 'memtui[chinese]'` installs it. Without it no character has a reading, and nothing fails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from ..text.language.folding import CHINESE

LONGEST_SYLLABLE = 6
MOST_SPLITS = 8
VOWEL = re.compile("[aeiouv]")
ENTRY = re.compile(r'"(\d+)": "([^"]+)"')
"""A character's number and its readings, as pypinyin's own file has them."""
TONELESS = str.maketrans("āáǎàēéěèīíǐìōóǒòūúǔùüǖǘǚǜ", "aaaaeeeeiiiioooouuuuvvvvv")
FIRST, LAST = 0x4E00, 0x9FFF
"""Between these code points lie the characters that are in use."""


def is_installed() -> bool:
    """Return whether pypinyin is installed."""
    return bool(characters_by_reading())


@cache
def characters_by_reading() -> Mapping[str, str]:
    """Return the characters in use by their readings; none without pypinyin."""
    package = find_spec("pypinyin")
    if package is None or package.origin is None:
        return {}
    # Imported, the library holds 9 MB, all day long in a browser; these are 100 KB.
    content = Path(package.origin).with_name("pinyin_dict.json").read_text("utf-8")
    results: dict[str, str] = {}
    for entry in ENTRY.finditer(content):
        if FIRST <= (number := int(entry[1])) <= LAST:
            for text in set(entry[2].translate(TONELESS).split(",")):
                # Interjections without a vowel, `n` and `hng`, are left out: they could end any word.
                if VOWEL.search(text):
                    results[text] = results.get(text, "") + chr(number)
    return results


@lru_cache(4096)
def readings(character: str) -> frozenset[str]:
    """Return the readings of a character; none for one that isn't Chinese."""
    known = characters_by_reading().items()
    return frozenset(syllable for syllable, characters in known if character in characters)


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


def syllables(typed: str) -> list[tuple[str, ...]]:
    """Return the ways to split letters into two or more syllables (`xian` is xi an)."""
    characters = characters_by_reading()
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
    return characters_by_reading().get(syllable, "")


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
        any(name.startswith(letter) for name in sound) for sound, letter in zip(sounds, typed, strict=False)
    )
