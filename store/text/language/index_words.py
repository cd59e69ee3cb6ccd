"""The words of a text as the words index has them, by next to nothing: a hook's process waits for them."""

from __future__ import annotations

from ..late_pattern import late_pattern
from .folding import fold
from .scripts import UNSPACED, is_paired


def index_words(text: str) -> list[str]:
    """Return a text's words, and pairs of Han and Kana, as the words index has them, before stemming.

    `folding.query_tokens` knows more odd letters, and takes longer to import than this takes.
    """
    results: list[str] = []
    word = ""
    for letter in f"{text.lower()} ":
        if is_paired(letter):
            if word and not is_paired(word[-1]):
                results.append(word)
                word = ""
            if word:
                results.append(word[-1] + letter)
            word = letter
        elif letter.isalnum():
            word = letter if word and is_paired(word[-1]) else word + letter
        elif word:
            if not is_paired(word):
                results.append(word)
            word = ""
    return results


WORD = late_pattern(rf"[^\W_{UNSPACED}]+|(?=[^\W_])[{UNSPACED}]")
ASCII = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
"""ASCII with a blank for all that is in no word: parting a text by them is faster than a pattern."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, folded; of scripts that write no spaces each character."""
    folded = fold(text)
    return folded.translate(ASCII).split() if folded.isascii() else WORD.findall(folded)
