"""Chinese words in their other characters: 修復 is 修复 in simplified ones.

The table is made by `python -m bench.han_variants`. Imported only for a query with Chinese in it.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, islice, product
from pathlib import Path

from .scripts import is_settled_han

PATH = Path(__file__).with_name("han_forms.txt")
MOST = 24
"""So many forms of a word are looked for: some simplified characters stand for several (发: 發, 髮)."""


def other_forms(text: str) -> list[str]:
    """Return a text in simplified and in traditional characters, the usual ones first, but not as it is."""
    sides = zip(*map(_written_for, text), strict=True)
    forms = (islice(map("".join, product(*choices)), MOST) for choices in sides)
    return [form for form in dict.fromkeys(chain(*forms)) if form != text]


def _written_for(character: str) -> tuple[str, str]:
    """Return what is written for a character in simplified and in traditional Chinese."""
    table = _table()
    place = table.find(character) if is_settled_han(character) else -1
    if place < 0:
        return character, character
    simplified, _, traditional = table[table.rfind("\n", 0, place) + 1 : table.find("\n", place)].partition(
        " "
    )
    return simplified, traditional


@cache
def _table() -> str:
    return PATH.read_text("utf-8")
