"""A small picture of how many memories there are over time, as SVG whose bars lead to their days."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from ...text.plural import english_count
from .markup import Markup, element, joined

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
    for day, count in days.items():
        counts[(day - first) // step] += count
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
