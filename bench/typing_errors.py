"""Mistyped questions: one random edit in one random word, the same at every run."""

import random
import re
import string

WORD = re.compile(r"[A-Za-z]{4,}|[\u4e00-\u9fff]{2,}")


def mistyped(text: str, seed: int) -> str:
    """The text with one letter left out, added, replaced, or changed places with the next; of a
    Chinese run one character replaced. As it is where it has no word of four letters."""
    draw = random.Random(seed)
    words = list(WORD.finditer(text))
    if not words:
        return text
    word = draw.choice(words)
    return text[: word.start()] + _edited(word.group(), draw) + text[word.end() :]


def _edited(word: str, draw: random.Random) -> str:
    place = draw.randrange(len(word))
    if not word.isascii():
        return word[:place] + chr(draw.randrange(0x4E00, 0x9FA5)) + word[place + 1 :]
    letter = draw.choice(string.ascii_lowercase)
    swap = min(place, len(word) - 2)
    return draw.choice(
        (
            word[:place] + word[place + 1 :],
            word[:place] + letter + word[place:],
            word[:place] + letter + word[place + 1 :],
            word[:swap] + word[swap + 1] + word[swap] + word[swap + 2 :],
        )
    )
