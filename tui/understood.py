"""What was understood of a query, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.content import Content

from store import Query

from .text import plain


def understood(query: Query) -> Iterator[tuple[str, Content]]:
    """Labels, and what each is about: words, phrases and fields as they can be typed, filters."""
    parts: dict[str, Iterable[str]] = {
        "all of": (
            " or ".join(_said(term.text, term.field, term.phrase) for term in clause)
            for clause in query.clauses
        ),
        "none of": (_said(term.text, term.field, term.phrase) for term in query.excluded),
        "only": (chip.label for chip in query.chips if not chip.label.lower().startswith("sort:")),
    }
    for label, said in parts.items():
        if told := " · ".join(said):
            yield label, plain(told)


def _said(text: str, field: str | None, phrase: bool) -> str:
    quoted = f'"{text}"' if phrase else text
    return f"{field}:{quoted}" if field else quoted
