"""Where sentences end, in English and Chinese.

Nothing but what is beside it is imported, and no pattern used: a hook's process waits for it.
"""

from __future__ import annotations

from .scripts import is_wide

SIGNS = ".!?"
CLOSING = ("", '"', "'", "”", "’", ")", "`")
"""What may stand between such a sign and the blank after it."""
WIDE_SIGNS = "。！？；"
WIDE_CLOSING = "”’」』）)"
SHORT_FORMS = frozenset(
    "e.g. i.e. etc. vs. cf. approx. mr. mrs. ms. dr. no. st. fig. sec. resp. incl. max. min. ca. "
    "al.".split()
)
CLOSES = ")]'\"`"
OPENING = "`'\"“([「『"
END, LINE = "\0", "\1"
"""Marks behind what may end a sentence, and in place of a line's end, which always does."""


def split_sentences(text: str, *, is_typed: bool = False, at_semicolons: bool = False) -> list[str]:
    """Return the sentences of a text, in order, each on one line: dots in paths, versions, abbreviations
    and code end none. `is_typed`: one may begin with a small letter, as where nobody presses Shift;
    `at_semicolons`: it may end at one."""
    marked = text.replace("\n", LINE)
    for sign in f"{SIGNS};" if at_semicolons else SIGNS:
        if sign in marked:
            for closing in CLOSING:
                marked = marked.replace(f"{sign}{closing} ", f"{sign}{closing}{END} ")
    if not text.isascii():
        for sign in WIDE_SIGNS:
            marked = marked.replace(sign, f"{sign}{END}")
        for sign in WIDE_CLOSING:
            marked = marked.replace(f"{END}{sign}", f"{sign}{END}")
    results: list[list[str]] = []
    is_open = False
    for line in marked.split(LINE):
        goes_on = False
        for part in line.split(END):
            piece = part.strip()
            if not piece:
                continue
            if results and (is_open or (goes_on and not _ends(results[-1][-1], piece, is_typed))):
                results[-1].append(piece)
            else:
                results.append([piece])
                is_open = False
            is_open ^= piece.count("`") % 2 == 1
            goes_on = True
    return [" ".join(" ".join(pieces).split()) for pieces in results]


def _ends(before: str, after: str, is_typed: bool) -> bool:
    """Return whether a sentence ends between two parts."""
    if before[-1] in WIDE_SIGNS or before[-1] in WIDE_CLOSING[:4]:
        return True
    word = before.rpartition(" ")[2].lstrip("([")
    if word.lower() in SHORT_FORMS or _is_number(word):
        return False
    first = after[0]
    if first.isupper() or first in OPENING or is_wide(first) or before[-1] == ";":
        return True
    return is_typed and first.islower() and all(map(_closes, before[-3:-1]))


def _closes(letter: str) -> bool:
    return letter.isalpha() or letter in CLOSES


def _is_number(word: str) -> bool:
    """Return whether a word is a numeral with a dot behind it, of a list or a version, or an initial."""
    name = word[:-1]
    if word[-1:] != ".":
        return False
    return (
        (len(name) < 3 and name.isdigit())
        or (name[:1] in ("v", "") and name[1:].isdigit() and bool(name))
        or (len(name) == 1 and name.isupper())
    )
