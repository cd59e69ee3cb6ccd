"""What a shell offers beyond commands and options: ids, projects, types, saved searches, and filters of
a query, as the store has them.

Never an error: it would stand in the line that somebody types. Never a value that a shell would read as
more than a word: stored text is anybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from ..text.display import safe
from .typer_later import typer

if TYPE_CHECKING:
    from ..store import Store

Offers = list[tuple[str, str]]
"""Values, each with what it is, or ``."""

NEWEST, MOST = 300, 40
LONGEST_HELP = 60
PLAIN = frozenset("-_./@+,%=~")
"""Beside letters and digits, what a value can hold."""
IN_HELP = PLAIN | frozenset(" :#*&<>")
LISTED = {"project": "project", "type": "type", "tag": "tags"}
"""The filters of a query whose values are offered."""


def refs(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the newest memories, by their ids."""

    def found(store: Store) -> Iterable[tuple[str, str]]:
        return ((row.ref, row.title) for row in store.find("").rows(0, NEWEST))

    return _offers(ctx, incomplete, found)


def projects(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the projects that the store has."""
    return _values(ctx, "project", incomplete)


def types(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the types of observation that the store has."""
    return _values(ctx, "type", incomplete)


def saved_searches(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer the saved searches, by their names."""

    def found(store: Store) -> Iterable[tuple[str, str]]:
        return ((search.name, search.query) for search in store.searches.saved())

    return _offers(ctx, incomplete, found)


def queries(ctx: typer.Context, incomplete: str) -> Offers:
    """Offer what the filter that is typed can have: `project:pa` goes on with projects."""
    field, colon, begun = incomplete.partition(":")
    if not colon:
        return [(f"{text}:", "") for text in LISTED if incomplete and text.startswith(incomplete)]
    if field not in LISTED:
        return []
    return [(f"{field}:{value}", content) for value, content in _values(ctx, LISTED[field], begun)]


def _values(ctx: typer.Context, field: str, incomplete: str) -> Offers:
    def found(store: Store) -> Iterable[tuple[str, str]]:
        return ((text, "") for text in store.values_in_use(field, incomplete, MOST))

    return _offers(ctx, incomplete, found)


def _offers(
    ctx: typer.Context, incomplete: str, find: Callable[[Store], Iterable[tuple[str, str]]]
) -> Offers:
    """What is found of the store that the line names, as far as it goes on with what was typed."""
    from ..store import Store

    try:
        with Store.open(_database(ctx), read_only=True) as store:
            offers = [pair for pair in find(store) if pair[0].startswith(incomplete)]
    except Exception:
        # Whatever is wrong with the store, the command itself tells it, and not the prompt.
        return []
    return [(value, _help(content)) for value, content in offers if value and _is_only(value, PLAIN)][:MOST]


def _database(ctx: typer.Context) -> Path | None:
    """The store that the line names so far; None for the user's own."""
    for params in (ctx.params, ctx.parent.params if ctx.parent is not None else {}):
        if named := params.get("db"):
            return Path(named).expanduser()
    return None


def _help(text: str) -> str:
    text = safe(text)[: LONGEST_HELP * 2]
    plain = "".join(char if _is_only(char, IN_HELP) else " " for char in text)
    return " ".join(plain.split())[:LONGEST_HELP]


def _is_only(text: str, signs: frozenset[str]) -> bool:
    """Whether a text has only letters, digits and these signs."""
    return all(char.isalnum() or char in signs for char in text)
