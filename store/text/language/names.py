"""The names in a text: of files, functions and products, by how they are written.

Nothing but what is beside it is imported, and no pattern used: a hook's process waits for it.
"""

from __future__ import annotations

from .scripts import CHINESE, script_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

SENTENCE_ENDS = ".!?:;。！？：；\n"
BEFORE = " \t\"'(*#-"
"""What may stand between the end of a sentence and the next one's first word."""


def names_in(text: str) -> tuple[set[str], set[str]]:
    """Return the names in a text, and all words that may be one, in lower case; of a path its last part.

    A name is what stands in backticks, has a capital letter, a digit, an underline or a dot within it, or
    begins with a capital letter where no sentence does; in a Chinese text whatever is written in letters.
    """
    is_chinese = script_of(text) == CHINESE
    names, words = set(), set()
    for start, token in _tokens(text):
        word = token.rpartition("/")[2]
        words.add(word.lower())
        if (
            is_chinese
            or text[start - 1 : start] == "`"
            or any(letter in "_." or letter.isupper() or letter.isdigit() for letter in word[1:])
            or (word[0].isupper() and len(word) > 1 and not _begins(text, start))
        ):
            names.add(word.lower())
    return names, words


def _begins(text: str, start: int) -> bool:
    """Return whether the word at a place of a text is the first of a sentence."""
    while start and text[start - 1] in BEFORE:
        start -= 1
    return not start or text[start - 1] in SENTENCE_ENDS


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    """Yield the words in ASCII letters, names with dots and paths whole, and where they begin."""
    at, end = 0, len(text)
    while at < end:
        if not _is_letter(text[at]) or text[at].isdigit():
            at += 1
            continue
        start = at
        while at < end and (
            _is_letter(text[at]) or (text[at] in "./" and _is_letter(text[at + 1 : at + 2]))
        ):
            at += 1
        yield start, text[start:at]


def _is_letter(letter: str) -> bool:
    return letter.isascii() and (letter.isalnum() or letter == "_")
