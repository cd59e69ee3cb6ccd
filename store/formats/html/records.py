"""A record as a part of a page: an article with its time, type, title, texts and what it touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from ...fields import filled_fields, flags_of
from ...kinds import kind_of, ref_of
from ...records import FACT_KINDS, Fact, Prompt, Summary
from ...text.times import iso
from .markup import (
    AnyMemory,
    Markup,
    anchor,
    at_of,
    clock,
    day,
    element,
    escaped,
    joined,
    title_of,
    type_class,
    type_of,
)
from .texts import rendered, rendered_line


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
        about = (FACT_KINDS.get(record.kind, record.kind), f"{record.confidence:.0%} sure")
        labels = [*about, *filter(None, [record.project]), *labels]
        yield element("p", *map(_label, labels), class_="labels")
    yield details(named)


def _section(heading: str, text: Markup) -> Markup:
    return element("section", element("h4", heading), text) if heading else text


def _label(word: str) -> Markup:
    return element("span", word, class_="label")
