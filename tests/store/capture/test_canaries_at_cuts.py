"""What is cut because it is too long leaves no half of a secret on either side of the cut."""

from collections.abc import Iterator

import pytest

from memtui.store.capture.hook_process.main import MOST_READ
from memtui.store.capture.ingest.cleaning import MARGINS, MAXIMUM_TEXT, limit_for
from tests.promises import promise

from .canaries import HIDDEN, as_json, remains
from .hooks import Machine, Start, prompt
from .many_hooks import Told, run_many

STEPS = (1, 4, 7)
"""How many eighths of a canary stand before a cut."""


def straddling(length: int, limit: int) -> Iterator[str]:
    """Texts of a length with a canary of each kind across each place where they may be cut."""
    head, tail = limit * 3 // 4, length - limit // 4
    margin = MARGINS[limit]
    number = 0
    for kind in HIDDEN:
        for edge in (head, head + margin, tail - margin, tail):
            for step in STEPS:
                hidden = HIDDEN[kind][0].format(number)
                yield across(f"seen {number:05} ", hidden, edge - len(hidden) * step // 8, length)
                number += 1


def across(before: str, hidden: str, place: int, length: int) -> str:
    """A text of a length with another one at a place in it."""
    text = before + "x " * length
    return (text[: place - 1] + " " + hidden + " " + "y " * length)[:length]


@promise("private-never-findable")
@pytest.mark.parametrize(("limit", "at_once"), [(MAXIMUM_TEXT, 10), (8_192, 36), (512, 96)])
@pytest.mark.sampled
def test_a_canary_across_a_cut_is_nowhere(machine: Machine, limit: int, at_once: int) -> None:
    """So many texts at once that just so many characters of each can be kept."""
    texts = list(straddling(limit + 3 * MARGINS[MAXIMUM_TEXT], limit))
    # The last event would be small, and so little of it cut, if it were not filled up.
    events = [(texts[first : first + at_once] + texts)[:at_once] for first in range(0, len(texts), at_once)]
    assert {limit_for(event) for event in events} == {limit}
    run_many(machine, [Told(as_json(prompt("p", more=event))) for event in events])
    found = remains(machine)
    assert found.seen == set(range(len(texts)))
    assert found.leaked == {}


@promise("private-never-findable")
@pytest.mark.parametrize("kind", HIDDEN)
@pytest.mark.sampled
def test_of_an_event_that_breaks_off_no_half_of_a_canary_is_left(machine: Machine, kind: str) -> None:
    hidden = HIDDEN[kind][0]
    whole = [as_json(prompt(f"seen {number:05} {hidden.format(number)}")) for number in range(99)]
    cuts = [event[: -number - 2] for number, event in enumerate(whole)][: len(hidden)]
    run_many(machine, [Told(cut) for cut in cuts])
    found = remains(machine)
    assert found.seen
    assert found.leaked == {}


@promise("private-never-findable")
@pytest.mark.parametrize("kind", ["token", "private", "password"])
@pytest.mark.sampled
def test_a_canary_across_the_end_of_what_is_read_is_nowhere(machine: Machine, kind: str) -> None:
    hidden, part = (text.format(7) for text in HIDDEN[kind])
    event = as_json(prompt("")).removesuffix(b'"}')
    before = MOST_READ - len(event) - hidden.index(part) - len(part)
    event += across("seen 00007 ", hidden, before, MOST_READ + 1_000).encode() + b'"}'
    assert event[:MOST_READ].endswith(part.encode())
    ended = machine.run(Start(event))
    assert (ended.code, ended.out, ended.err) == (0, b"", b"")
    found = remains(machine)
    assert 7 in found.seen
    assert found.leaked == {}
