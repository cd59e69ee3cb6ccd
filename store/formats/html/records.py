"""A record as a part of a page: an article with its time, type, title, texts and what it touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from ...records import FACT_KINDS, Fact, Note, Observation, Prompt, Session, Summary
from ...text.times import iso
from .markup import Markup, element, escaped, joined
from .texts import rendered, rendered_line
from .words import (
    SECTIONS,
    AnyMemory,
    anchor,
    at_of,
    clock,
    day,
    flags_of,
    kind_of,
    ref_of,
    title_of,
    type_class,
    type_of,
)


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
    found = datetime.fromtimestamp(at / 1000, UTC)
    return f"{found:%A}, {found.day} {found:%B} {found.year}"


def marks(flags: Iterable[str]) -> Markup:
    """Return what is to be known of a record, a word each."""
    return joined(element("span", flag, class_=f"flag {flag}") for flag in flags)


def session_flags(session: Session) -> list[str]:
    """Return in a word each what is to be known of a session."""
    named = {
        "pinned": session.pinned,
        "private": session.private,
        "deleted": session.deleted_at is not None,
    }
    return [name for name, holds in named.items() if holds]


def details(named: Iterable[tuple[str, Markup | None]]) -> Markup:
    """Return names with their values; those without one are left out."""
    rows = [
        element("div", element("dt", name), element("dd", value)) for name, value in named if value
    ]
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
    if isinstance(record, Prompt | Note):
        yield rendered(record.text)
    elif isinstance(record, Summary):
        for name in SECTIONS:
            if text := rendered(getattr(record, name) or ""):
                heading = Markup() if name == "text" else element("h4", _named(name))
                yield element("section", heading, text)
        yield details(
            (("Read", _codes(record.files_read)), ("Changed", _codes(record.files_edited)))
        )
    elif isinstance(record, Fact):
        yield _about_fact(record)
    else:
        yield from _observation(record)


def _observation(record: Observation) -> Iterator[Markup]:
    if record.title and record.subtitle:
        yield element("p", rendered_line(record.subtitle), class_="subtitle")
    for text in (record.narrative, record.text):
        yield rendered(text or "")
    if record.facts:
        items = (element("li", rendered_line(item)) for item in record.facts)
        yield element("ul", joined(items), class_="learned")
    yield details(
        (
            ("Concepts", _labels(record.concepts)),
            ("Tags", _labels(record.tags)),
            ("Changed", _codes(record.files_modified)),
            ("Read", _codes(record.files_read)),
            ("Tool", escaped(record.tool_name) if record.tool_name else None),
        )
    )


def _about_fact(fact: Fact) -> Markup:
    kind = FACT_KINDS.get(fact.kind, fact.kind)
    return element(
        "p",
        element("span", kind, class_="label"),
        element("span", f"{fact.confidence:.0%} sure", class_="label"),
        element("span", fact.project, class_="label") if fact.project else None,
        _labels(fact.entities),
        class_="labels",
    )


def _labels(items: Iterable[str]) -> Markup:
    return joined((element("span", item, class_="label") for item in items), " ")


def _codes(items: Iterable[str]) -> Markup:
    return joined((element("code", item) for item in items), " ")


def _named(field: str) -> str:
    return field.replace("_", " ").capitalize()
