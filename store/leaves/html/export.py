"""Export as pages: an index with a search, a page a session, and pages of all sessions, facts and notes;
each record is an article on them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO
from urllib.parse import urlencode

from ...database.files.atomic import create_private
from ...database.transaction import snapshot
from ...formats.common.drafts import make_directories, translate_errors
from ...formats.common.report import Progress, ProgressCounter
from ...formats.common.scope import Scope
from ...formats.markdown_pages import Happening, SessionRows, records
from ...platform.clock import horizon_ms, now_ms
from ...records.dataclasses import replace
from ...records.fields import filled_fields, flags_of
from ...records.kinds import TABLES, kind_of, ref_of
from ...records.rows import SHOWN_KINDS, Fact, Note, Prompt, Session, Summary
from ...store import Store
from ...text.plural import english_count, english_counts
from ...text.times import iso
from .index_page import MOST, write_index_page
from .markup import (
    AnyMemory,
    Markup,
    Site,
    address,
    anchor,
    at_of,
    clock,
    day,
    element,
    escaped,
    framed,
    joined,
    opened,
    put,
    title_of,
    type_class,
    type_of,
)
from .places import PAGE, Places, SessionPlace, Span, newest_first, page_name, spans
from .texts import rendered, rendered_line


def export_html(
    store: Store, directory: Path, scope: Scope | None = None, progress: Progress | None = None
) -> dict[str, int]:
    """Write pages below a directory, as of one moment; return the number of records by kind.
    Raises ExportError."""
    with snapshot(store.db):
        return _Export(store, directory, scope or Scope(), progress).run()


class _Export:
    """One run."""

    def __init__(self, store: Store, directory: Path, scope: Scope, progress: Progress | None) -> None:
        self.db = store.db
        self.directory = directory
        self.scope = replace(scope, noise=False, levels=False)
        self.places = Places(store, self.scope)
        results, self.days = spans(self.db, self.scope, MOST)
        self.spans = results or [Span(0, 0, 0)]
        self.site = self._site()
        total = len(self.places.sessions) + sum(span.count for span in self.spans)
        self.counter = ProgressCounter(total, progress)

    def run(self) -> dict[str, int]:
        self._write_sessions()
        self._write_lists()
        memories = self._counted(newest_first(self.db, self.scope))
        for number, span in enumerate(self.spans):
            with self._page((page_name("index", number),)) as file:
                some = islice(memories, span.count)
                write_index_page(file, self.site, self.places, number, self.spans, self.days, some)
        # The last one counts once the next one is asked for.
        next(memories, None)
        return self.counter.counts

    def _write_sessions(self) -> None:
        inside = SessionRows(self.db, self.scope)
        sessions = records(self.db, Session, "sessions", self.scope)
        for session in self.counter.counted("sessions", sessions):
            with self._page(self.places.sessions[session.id].path) as file:
                write_session_page(file, self.site, self.places, session, inside.of(session.id))

    def _write_lists(self) -> None:
        places = self.places
        horizon = horizon_ms()

        def by_time(place: SessionPlace) -> tuple[bool, int]:
            return place.started_at > horizon, -place.started_at

        newest = iter(sorted(places.sessions.values(), key=by_time))
        facts = records(self.db, Fact, "facts", self.scope)
        notes = records(self.db, Note, "notes", self.scope)
        for number in range(max(1, -(-len(places.sessions) // PAGE))):
            self._write_list("sessions", number, session_items(islice(newest, PAGE)))
        for number in range(places.pages("facts")):
            shown = (fact_article(places, fact) for fact in islice(facts, PAGE))
            self._write_list("facts", number, shown)
        for number in range(places.pages("notes")):
            self._write_list("notes", number, (note_article(note) for note in islice(notes, PAGE)))

    def _write_list(self, name: str, number: int, parts: Iterable[Markup]) -> None:
        pages = self.places.pages(name)
        with self._page((page_name(name, number),)) as file:
            write_list_page(file, self.site, name, number, pages, parts)

    def _counted(self, memories: Iterator[AnyMemory]) -> Iterator[AnyMemory]:
        for memory in memories:
            yield memory
            self.counter.count(TABLES[kind_of(memory)])

    def _site(self) -> Site:
        projects = {place.project for place in self.places.sessions.values() if place.project}
        name = next(iter(projects)) if len(projects) == 1 else "Memories"
        if self.scope.session in self.places.sessions:
            name = self.places.sessions[self.scope.session].title
        pages = [("index.html", "Timeline"), ("sessions.html", "Sessions")]
        pages += [
            (f"{kind}.html", kind.capitalize()) for kind in ("facts", "notes") if self.places.pages(kind)
        ]
        now = now_ms()
        return Site(name, tuple(pages), f"Exported by memtui on {day(now)} at {clock(now)}.")

    @contextmanager
    def _page(self, path: tuple[str, ...]) -> Iterator[BinaryIO]:
        """Open a new file below the directory."""
        place = self.directory.joinpath(*path)
        make_directories(place.parent)
        with translate_errors(place), os.fdopen(create_private(place), "wb") as file:
            yield file


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
    index = address("..", "..", "index.html") + "#" + urlencode({"project": session.project})
    project = element("a", session.project, href=index) if session.project else None
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


def article(record: AnyMemory, *more: Markup, dated: bool = False) -> Markup:
    """Return a record; with its day beside the hour where the page isn't of one session, and with `more`
    below its texts."""
    at = at_of(record)
    when = moment(at, dated=dated)
    link = element("a", f"#{ref_of(record)}", class_="ref", href=f"#{anchor(record)}")
    beside = element("p", badge(type_of(record)), when, link, class_="beside")
    body = joined((*_body(record), *more))
    classes = ["memory", kind_of(record), *flags_of(record), *(["dated"] if dated else [])]
    return element(
        "article",
        beside,
        element("div", _heading(record), body, class_="body"),
        id=anchor(record),
        class_=" ".join(classes),
        tabindex=-1,
    )


def badge(type: str) -> Markup:
    """Return a type's word in its colour."""
    return element("span", type, class_=f"badge {type_class(type)}")


def moment(at: int, *, dated: bool = True) -> Markup:
    """Return a time; nothing of one that isn't known."""
    if not day(at):
        return Markup()
    shown = f"{day(at)} {clock(at)}" if dated else clock(at)
    return element("time", shown, datetime=iso(at), title=iso(at)[:19].replace("T", " "))


def long_day(at: int) -> str:
    """Return a day as it stands above what happened on it: Friday, 13 February 2026."""
    if not day(at):
        return "At a time that isn't known"
    result = datetime.fromtimestamp(at / 1000, UTC)
    return f"{result:%A}, {result.day} {result:%B} {result.year}"


def marks(flags: Iterable[str]) -> Markup:
    """Return what is to be known of a record, a word each."""
    return joined(element("span", flag, class_=f"flag {flag}") for flag in flags)


def details(named: Iterable[tuple[str, Markup | None]]) -> Markup:
    """Return names with their values; those without one are left out."""
    rows = [element("div", element("dt", name), element("dd", value)) for name, value in named if value]
    return element("dl", joined(rows)) if rows else Markup()


def _heading(record: AnyMemory) -> Markup:
    flags = flags_of(record)
    if isinstance(record, Prompt):
        number = f" {record.prompt_number}" if record.prompt_number else ""
        return element("h3", f"Prompt{number}", marks(flags), class_="kind")
    if isinstance(record, Summary):
        return element("h3", "Summary", marks(flags), class_="kind")
    if isinstance(record, Fact):
        return element("h3", rendered_line(record.content), marks(flags))
    return element("h3", title_of(record), marks(flags))


def _body(record: AnyMemory) -> Iterator[Markup]:
    named: list[tuple[str, Markup]] = []
    labels: list[str] = []
    for field, value in filled_fields(record):
        if field.form == "text" and not (isinstance(record, Fact) and field.part == "title"):
            if text := rendered(value):
                yield _section(field.heading, text)
        elif field.name == "subtitle" and getattr(record, "title", None):
            yield element("p", rendered_line(value), class_="subtitle")
        elif field.form == "items" and not field.is_further:
            items = (element("li", rendered_line(item)) for item in value)
            yield _section(field.heading, element("ul", joined(items)))
        elif field.form == "words" and isinstance(record, Fact):
            labels += value
        elif field.form == "words":
            named.append((field.heading, joined(map(_label, value), " ")))
        elif field.form == "files":
            named.append((field.heading, joined((element("code", entry) for entry in value), " ")))
        elif field.form == "line" and field.heading:
            named.append((field.heading, escaped(value)))
    if isinstance(record, Fact):
        about = (SHOWN_KINDS.get(record.kind, record.kind), f"{record.confidence:.0%} sure")
        labels = [*about, *filter(None, [record.project]), *labels]
        yield element("p", *map(_label, labels), class_="labels")
    yield details(named)


def _section(heading: str, text: Markup) -> Markup:
    return element("section", element("h4", heading), text) if heading else text


def _label(word: str) -> Markup:
    return element("span", word, class_="label")
