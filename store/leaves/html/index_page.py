"""The index: a search over all memories, a picture of them over time, and the newest first by day.

What is searched lies in the page as JSON. Of many memories there are several such pages, each with
those of a stretch of time, so that a browser has no more at once than it searches while one types.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import BinaryIO

from ...records.fields import flags_of
from ...text.display import safe
from ...text.plural import english_count
from .markup import (
    INDEX_SCRIPT,
    AnyMemory,
    Markup,
    Site,
    address,
    anchor,
    at_of,
    day,
    element,
    framed,
    inline_script,
    joined,
    opened,
    put,
    script_json,
    title_of,
    type_class,
    type_of,
    words_of,
)
from .places import Places, Span, page_name

STEPS = (1, 7, 28, 91, 364)
"""Days of a bar."""
MOST_BARS = 120
HEIGHT = 44
LEAST = 2
"""The height of the lowest bar that isn't empty."""
BAR, GAP = 6, 2
FEW, WIDEST = 40, 28
"""So few bars don't take the whole width, but so many pixels each."""
EPOCH = date(1970, 1, 1)


def density(days: Mapping[int, int]) -> Markup:
    """Return the picture of counts by day, as days since the epoch; nothing where that
    would be less than two bars."""
    if not days:
        return Markup()
    first, last = min(days), max(days)
    span = last - first + 1
    step = next((number for number in STEPS if span <= number * MOST_BARS), -(-span // MOST_BARS))
    counts = [0] * (-(-span // step))
    if len(counts) < 2:
        return Markup()
    for number, count in days.items():
        counts[(number - first) // step] += count
    highest = max(counts)
    bars = [
        _bar(at, first + at * step, min(last, first + (at + 1) * step - 1), count, highest)
        for at, count in enumerate(counts)
    ]
    picture = element(
        "svg", joined(bars), class_="density", viewBox=f"0 0 {len(counts) * (BAR + GAP)} {HEIGHT}",
        width="100%" if len(counts) > FEW else len(counts) * WIDEST, role="img",
        preserveAspectRatio="none", aria_label="Memories over time",
    )  # fmt: skip
    bar = f"a bar is {english_count(step, 'days')}, the highest has {highest:,}"
    content = f"{_iso(first)} to {_iso(last)} · {bar}"
    ends = element("figcaption", content)
    return element("figure", picture, ends, class_="over-time")


def _bar(at: int, first: int, last: int, count: int, highest: int) -> Markup:
    since, until = _iso(first), _iso(last)
    height = max(LEAST, round(count * HEIGHT / highest)) if count else 0
    place = at * (BAR + GAP)
    days = since if since == until else f"{since} to {until}"
    return element(
        "a",
        element("title", f"{days}: {english_count(count, 'memories')}"),
        element("rect", class_="ground", x=place, y=0, width=BAR + GAP, height=HEIGHT),
        element("rect", class_="all", x=place, y=HEIGHT - height, width=BAR, height=height),
        element("rect", class_="hit", x=place, y=HEIGHT, width=BAR, height=0),
        href=f"#from={since}&to={until}",
        tabindex=-1,
    )


def _iso(day: int) -> str:
    try:
        return (EPOCH + timedelta(days=day)).isoformat()
    except OverflowError:
        return ""


MOST = 20_000
"""Memories on one page."""
CHARACTERS = 16_000_000
"""Of all texts on one page."""
LONGEST, SHORTEST = 4_000, 400
"""Characters of one memory that are searched, where there are few and where there are many."""


def write_index_page(
    file: BinaryIO,
    site: Site,
    places: Places,
    number: int,
    spans: Sequence[Span],
    days: Mapping[int, int],
    memories: Iterable[AnyMemory],
) -> None:
    """Write one of the index pages, `number` from 0 on, with the memories of its span."""
    span = spans[number]
    longest = max(SHORTEST, min(LONGEST, CHARACTERS // max(1, span.count)))
    path = page_name("index", number)
    with framed(file, site, site.name, here=path if not number else ""):
        put(file, element("h1", site.name), element("p", _extent(places, spans), class_="told"))
        if len(spans) > 1:
            put(file, _stretches(number, spans))
        put(file, _search(longest), density(days))
        put(file, element("p", "", id="found", aria_live="polite"))
        put(file, element("div", "", id="list"))
        put(
            file,
            element("p", element("button", "Show more", type="button"), id="more", hidden=True),
        )
        links = joined((element("a", name, href=path) for path, name in site.pages[1:]), " · ")
        sentence = "Search and timeline need scripts, which this browser doesn't run. "
        put(file, element("noscript", element("p", sentence, links)))
        put(file, opened("script", type="application/json", id="memories"))
        for part in _data(places, memories, longest):
            put(file, part)
        put(file, Markup("</script>\n"), inline_script(INDEX_SCRIPT))


def _extent(places: Places, spans: Sequence[Span]) -> str:
    memories = sum(span.count for span in spans)
    sessions = len(places.sessions)
    projects = len({place.project for place in places.sessions.values() if place.project})
    parts = [english_count(memories, "memories"), english_count(sessions, "sessions")]
    parts += [english_count(projects, "projects")] if projects > 1 else []
    since, until = day(spans[-1].oldest), day(spans[0].newest)
    if until:
        parts.append(until if since == until else f"{since or 'before'} to {until}")
    return " · ".join(parts)


def _stretches(number: int, spans: Sequence[Span]) -> Markup:
    links = (
        element(
            "a",
            f"{day(span.oldest) or '…'} to {day(span.newest)}",
            element("small", f"{span.count:,}"),
            href=page_name("index", at),
            aria_current="page" if at == number else None,
        )
        for at, span in enumerate(spans)
    )
    return element("nav", joined(links), class_="stretches", aria_label="Stretches of time")


def _search(longest: int) -> Markup:
    box = element(
        "input", id="query", type="search", placeholder="Search", autocomplete="off", spellcheck="false",
        aria_label="Search memories", aria_describedby="how",
    )  # fmt: skip
    how = (
        'Every word, anywhere, also inside other words; "a phrase"; -without. '
        f"Titles and the first {longest:,} characters of each memory are searched."
    )
    projects = element("select", "", id="project", aria_label="Project")
    clear = element("button", "Clear", id="clear", type="button", hidden=True)
    types = element("div", "", id="types", role="group", aria_label="Types")
    return element(
        "div",
        element("div", box, projects, clear, class_="line"),
        element("p", how, id="how"),
        types,
        id="search",
        role="search",
        hidden=True,
    )


def _data(places: Places, memories: Iterable[AnyMemory], longest: int) -> Iterator[Markup]:
    """Yield the pieces of the JSON: a row a memory, and what stands for the numbers in them. By numbers go
    the values that rows repeat."""
    types: dict[str, int] = {}
    projects: dict[str, int] = {}
    pages: dict[tuple[str, ...], int] = {}
    yield Markup('{"rows":[')
    between = ""
    for record in memories:
        path, _ = places.of(record)
        session = places.sessions.get(getattr(record, "session_id", None) or 0)
        project = session.project if session else getattr(record, "project", "")
        page = (safe(session.title) if session else "", *path)
        texts = (" ".join(text[: longest * 2].split()) for text in words_of(record))
        row = [
            max(0, at_of(record)) // 60_000,
            types.setdefault(type_of(record), len(types)),
            projects.setdefault(project, len(projects)),
            pages.setdefault(page, len(pages)),
            " ".join((anchor(record), *flags_of(record))),
            safe(title_of(record)),
            safe(" · ".join(texts))[:longest],
        ]
        yield Markup(between + script_json(row))
        between = ",\n"
    named = {
        "types": [[safe(text), type_class(text)] for text in types],
        "projects": [safe(name) for name in projects],
        "pages": [[address(*path), title] for title, *path in pages],
    }
    yield Markup("]," + script_json(named)[1:])
