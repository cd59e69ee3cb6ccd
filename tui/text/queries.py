"""A query's text: how keys and clicks edit it, and what was understood of it, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from textual.content import Content

from memtui.store import IN_PROJECT_HERE, Chip, Query, filter_text, parse
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from .content import plain

JOINED, JOINS = re.compile(r"(?:^|\s+)AND$"), re.compile(r"^AND\s+")
"""What joined a filter that is gone to the words beside it."""


def without(text: str, *chips: Chip) -> str:
    """Return the query without some of its filters; where only filters are left, ready for the next."""
    for chip in sorted(chips, key=lambda chip: chip.start, reverse=True):
        before, after = text[: chip.start].rstrip(), text[chip.end :].lstrip()
        text = f"{JOINED.sub('', before)} {after if before else JOINS.sub('', after)}"
    text = text.strip()
    return text if not text or parse(text, typing=True).has_words else f"{text} "


def without_last(text: str, cursor: int) -> str | None:
    """Return the query without its last filter, where Backspace at `cursor` takes that whole.

    None where it takes a letter: among words, and of a filter that no space has finished yet.
    """
    query, before, after = parse(text, typing=True), text[:cursor], text[cursor:]
    if not query.chips or query.has_words or text[query.chips[-1].end :].strip():
        return None
    at_start, at_end = not before.strip(), not after.strip() and before[-1:].isspace()
    return without(text, query.chips[-1]) if at_start or at_end else None


def named_here(chip: Chip, here: str) -> Chip:
    """Return a filter that says which project the one here is."""
    return (
        replace(chip, label=_("here: {project}", project=here))
        if here and chip.label == IN_PROJECT_HERE
        else chip
    )


def filter_for(name: str, value: str) -> str | None:
    """Return the filter that lets only `value` pass; None where the query language can't say it."""
    return filter_text(name, value) if safe(value) == value else None


def holds(text: str, filter: str) -> bool:
    """Whether a query lets the value of `filter` pass by a filter of its own."""
    return any(_left(chip, filter) is not None for chip in parse(text).chips)


def toggled(text: str, filter: str) -> str:
    """Return the query with one more filter, ready for the next word; without it where it has it."""
    query = parse(text, typing=True)
    for chip in query.chips:
        left = _left(chip, filter)
        if left is not None:
            return f"{text[: chip.start]}{left}{text[chip.end :]}" if left else without(text, chip)
    return f"{text.strip()} {filter} ".lstrip()


def _left(chip: Chip, filter: str) -> str | None:
    """What is left of a chip without the value of a filter; None where it doesn't have it."""
    has, wanted = parse(chip.text), parse(filter)
    if _meaning(has) == _meaning(wanted):
        return ""
    for item, other in zip(has.filters, wanted.filters, strict=False):
        if item.name == other.name and not item.negated and set(other.values) < set(item.values):
            left = (filter_text(item.name, value) for value in item.values if value not in other.values)
            name = f"{item.name}:"
            return name + ",".join(text.removeprefix(name) for text in left if text)
    return None


def _meaning(query: Query) -> object:
    return query.filters, query.flags, query.since, query.until


def understood(query: Query, here: str = "") -> Iterator[tuple[str, Content]]:
    """Labels, and what each is about: words, phrases and fields as they can be typed, filters."""
    parts: dict[str, Iterable[str]] = {
        _("all of"): (
            _(" or ").join(
                (_("not ") if term.negated else "") + _said(term.text, term.field, term.phrase)
                for term in clause
            )
            for clause in query.as_typed.clauses
        ),
        _("none of"): (_said(term.text, term.field, term.phrase) for term in query.as_typed.excluded),
        _("only"): (
            named_here(chip, here).label
            for chip in query.chips
            if not chip.label.lower().startswith("sort:")
        ),
    }
    for label, said in parts.items():
        if content := " · ".join(said):
            yield label, plain(content)


def _said(text: str, field: str | None, phrase: bool) -> str:
    quoted = f'"{text}"' if phrase else text
    return f"{field}:{quoted}" if field else quoted
