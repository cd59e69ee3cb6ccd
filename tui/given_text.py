"""What a session was given, in words. Times are ms since the epoch, UTC."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from store.context.given_names import NamedGiven

from .ages import ago, full
from .glyphs import glyph
from .text import DIM, plain
from .widgets.text_view import Passage

HOW = "An agent's hooks ask for a context when a session starts; 5 shows which are hooked up."
NOTHING = (
    "No session of {whose} was given anything yet. "
    + HOW
    + " f shows the sessions of all projects."
)
NOTHING_AT_ALL = f"No session was given anything yet. {HOW}"
GONE = "hidden or deleted since"


def memories(item: NamedGiven) -> str:
    """`6 memories`."""
    many = len(item.given.refs)
    return f"{many:,} {'memory' if many == 1 else 'memories'}"


def passages(item: NamedGiven, now: int) -> Iterator[Passage]:
    """Who was given how much and when, and every memory of it by its title."""
    given = item.given
    yield Passage(plain(item.title or given.session or "unnamed", "bold"))
    when = " · ".join(part for part in (ago(given.at, now), full(given.at)) if part)
    yield Passage(plain(when), "Given", space=1)
    yield Passage(plain(given.agent), "Agent")
    yield Passage(plain(given.session), "Session")
    if given.project:
        yield Passage(plain(given.project), "Project")
    yield Passage(plain(f"{given.tokens:,} tokens, {memories(item)}"), "In all")
    for place, ref in enumerate(given.refs):
        space = 0 if place else 1
        if (name := item.names.get(ref)) is None:
            yield Passage(plain(GONE, DIM), ref, Content("  "), space)
        else:
            mark = glyph(name.type).content + " "
            yield Passage(plain(name.title or "untitled"), ref, mark, space)
