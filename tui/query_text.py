"""Edits of a query's text, as clicks and keys make them."""

from __future__ import annotations

import re

from store import Chip, parse
from store.display import safe


def without(text: str, *chips: Chip) -> str:
    """The query without some of its filters."""
    for chip in sorted(chips, key=lambda chip: chip.start, reverse=True):
        text = f"{text[: chip.start].rstrip()} {text[chip.end :].lstrip()}"
    return text.strip()


def filter_for(name: str, value: str) -> str | None:
    """The filter that lets only `value` pass; None where the query language can't say it."""
    if not value or safe(value) != value or re.search('[",]', value):
        return None
    return f'{name}:"{value}"' if re.search(r"\s", value) else f"{name}:{value}"


def narrowed(text: str, filter: str) -> str:
    """The query with one more filter, ready for the next word; without it where it has it."""
    if same := [chip for chip in parse(text).chips if chip.text == filter]:
        return without(text, *same)
    return f"{text.strip()} {filter} ".lstrip()
