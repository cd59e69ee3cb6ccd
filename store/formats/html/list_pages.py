"""The pages of all sessions, facts and notes: so many on each, with links to the others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from ...records import Fact, Note
from ...text.plural import english_count
from .frame import Site, framed, put
from .markup import Markup, address, element, joined, opened
from .places import Places, SessionPlace, page_name
from .records import article, moment
from .words import day


def write_list_page(
    file: BinaryIO,
    site: Site,
    name: str,
    number: int,
    pages: int,
    parts: Iterable[Markup],
) -> None:
    """Write one of the pages of `sessions`, `facts` or `notes`, `number` from 0 on."""
    title = name.capitalize()
    path = page_name(name, number)
    with framed(file, site, title, here=page_name(name, 0)):
        put(file, element("h1", title))
        for part in parts:
            put(file, part)
        if pages > 1:
            links = (
                element(
                    "a",
                    str(value + 1),
                    href=page_name(name, value),
                    aria_current="page" if page_name(name, value) == path else None,
                )
                for value in range(pages)
            )
            put(file, element("nav", joined(links), class_="pages", aria_label="Pages"))


def session_items(places: Iterable[SessionPlace]) -> Iterable[Markup]:
    """Yield sessions as a list by month."""
    month = None
    for place in places:
        result = day(place.started_at)[:7] or "At a time that isn't known"
        if result != month:
            if month is not None:
                yield Markup("</ol>")
            month = result
            yield element("h2", month, class_="day")
            yield opened("ol", class_="sessions")
        holds = english_count(sum(place.counts), "memories")
        about = " · ".join(filter(None, (place.project, place.agent, holds)))
        title = element("a", place.title, href=address(*place.path))
        yield element("li", moment(place.started_at), title, element("small", about))
    if month is not None:
        yield Markup("</ol>")


def fact_article(places: Places, fact: Fact) -> Markup:
    """Return a fact with what it rests on, each a link where that is in the export."""
    rests_on = [_evidence(places, uid) for uid in fact.evidence]
    rests_on += [element("li", element("code", place)) for place in fact.sources]
    more = []
    if fact.superseded_by:
        holds = places.of_uid(fact.superseded_by)
        said = _link(holds) if holds else Markup("one that is not in this export")
        more.append(element("p", "In its place holds: ", said, class_="superseding"))
    if rests_on:
        more.append(element("h4", "Rests on"))
        more.append(element("ul", joined(rests_on), class_="evidence"))
    return article(fact, *more, dated=True)


def note_article(note: Note) -> Markup:
    """Return a note with its project."""
    project = element("p", element("span", note.project, class_="label"), class_="labels")
    return article(note, *([project] if note.project else []), dated=True)


def _evidence(places: Places, uid: str) -> Markup:
    result = places.of_uid(uid)
    if result is None:
        return element("li", element("span", f"{uid} (not in this export)", class_="address"))
    return element("li", _link(result), " ", element("small", result[0]))


def _link(found: tuple[str, str, str]) -> Markup:
    return element("a", found[1], href=found[2])
