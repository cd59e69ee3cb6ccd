"""The page of a session: what it was, then its prompts, observations and summaries by time, and beside
them an outline."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import BinaryIO
from urllib.parse import urlencode

from ...fields import flags_of
from ...records import Prompt, Session, Summary
from ...text.plural import english_counts
from ..markdown.session_rows import Happening
from .frame import Site, framed, put
from .markup import Markup, address, element, escaped, joined, opened
from .places import Places
from .records import article, details, long_day, marks, moment
from .words import anchor, day, title_of, type_class, type_of

OUTLINED = 400
"""Entries of an outline; a longer one helps nobody."""


def write_session_page(
    file: BinaryIO, site: Site, places: Places, session: Session, happenings: Iterable[Happening]
) -> None:
    """Write the page of a session. `happenings` come by time; no more than one is held."""
    place = places.sessions[session.id]
    with framed(file, site, place.title, depth=len(place.path) - 1):
        put(file, _about(places, session))
        put(file, opened("div", class_="with-outline"), opened("div", class_="happenings"))
        outline: list[Markup] = []
        last = None
        for happening in happenings:
            if (today := day(happening.created_at)) != last:
                last = today
                put(file, element("h2", long_day(happening.created_at), class_="day"))
            put(file, article(happening))
            if len(outline) < OUTLINED and not isinstance(happening, Prompt | Summary):
                outline.append(_entry(happening))
            elif len(outline) < OUTLINED:
                outline.append(_entry(happening, is_turn=True))
        if last is None:
            put(file, element("p", "Nothing of it is in this export.", class_="nothing"))
        put(file, Markup("</div>"))
        if len(outline) > 2:
            items = element("ol", joined(outline))
            put(file, element("nav", element("h2", "In this session"), items, class_="outline"))
        put(file, Markup("</div>"), _neighbours(places, session))


def _about(places: Places, session: Session) -> Markup:
    place = places.sessions[session.id]
    counted = english_counts(dict(zip(("prompts", "observations", "summaries"), place.counts, strict=True)))
    source = escaped(session.source) if session.source else None
    project = element("a", session.project, href=_of_project(session)) if session.project else None
    named = (
        ("Project", project),
        ("Agent", escaped(session.agent) if session.agent else None),
        ("Began", moment(session.started_at)),
        ("Ended", moment(session.completed_at) if session.completed_at is not None else None),
        ("Holds", escaped(counted) if counted else None),
        ("From", source),
    )
    heading = element("h1", place.title, marks(flags_of(session)))
    return element("div", heading, details(named), class_="about")


def _of_project(session: Session) -> str:
    return address("..", "..", "index.html") + "#" + urlencode({"project": session.project})


def _entry(item: Happening, *, is_turn: bool = False) -> Markup:
    link = element("a", title_of(item), href=f"#{anchor(item)}")
    kind = "turn " if is_turn else ""
    return element("li", link, class_=f"{kind}{type_class(type_of(item))}")


def _neighbours(places: Places, session: Session) -> Markup:
    before, after = places.around[session.id]
    links = chain(
        (_neighbour(places, before, "prev", "← Before"),),
        (_neighbour(places, after, "next", "After →"),),
    )
    return element("nav", joined(links), class_="neighbours", aria_label="Sessions of the project")


def _neighbour(places: Places, number: int | None, rel: str, word: str) -> Markup:
    if number is None:
        return element("span")
    place = places.sessions[number]
    where = address("..", "..", *place.path)
    return element("a", element("small", word), place.title, href=where, rel=rel)
