"""The density above a timeline: every memory counted once, by type, up to now and no further."""

from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.pilot import Pilot

from memtui.store import Store
from memtui.tui.text.glyphs import GLYPHS
from memtui.tui.timeline.density import Density, DensityBar, columns
from memtui.tui.timeline.screen import TimelineScreen
from tests.tui.browser import NOW, app, opened, text
from tests.tui.patience import idle, press

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
TALL, LOW = (120, 40), (100, 20)


@pytest.fixture
def hours(empty: Path) -> Path:
    """Memories of several types in an hour, the newest an hour old, and one of another project."""
    with Store.open(empty) as store, store.transaction():
        one = store.sessions.start("one", project="atlas", at=NOW - 2 * HOUR)
        for minute, type in enumerate(["bugfix", "bugfix", "decision", "feature", "made-up"]):
            store.observations.add(
                one, title=f"{type} {minute}", type=type, at=NOW - (70 - minute) * MINUTE
            )
        store.observations.add(None, title="Elsewhere", project="infra", at=NOW - 90 * MINUTE)
        store.observations.add(one, title="The newest", type="note", at=NOW - HOUR)
    return empty


def timeline(pilot: Pilot[Any]) -> TimelineScreen:
    """The timeline, which is in front."""
    return cast(TimelineScreen, pilot.app.screen)


async def around_the_newest(pilot: Pilot[Any]) -> Density:
    """What is shown above the timeline of the newest memory."""
    app(pilot).action_go("timeline")
    await idle(pilot)
    return shown(pilot)


def shown(pilot: Pilot[Any]) -> Density:
    """The density that is shown."""
    density = timeline(pilot).lines.bar.density
    assert density is not None
    return density


@pytest.mark.long
async def test_it_is_four_lines_high_with_an_axis_where_the_screen_is_tall(hours: Path) -> None:
    for size, height in ((TALL, 5), ((160, 50), 5), (LOW, 1), ((80, 24), 1), ((60, 20), 1)):
        async with opened(hours, size=size) as pilot:
            await around_the_newest(pilot)
            bar = text(timeline(pilot).lines.bar).split("\n")
            assert len(bar) == height
            assert bar[-1].startswith("◀ 16:31 ") and bar[-1].rstrip().endswith(" now ▶")
            assert sum(line.count("▲") + line.count("▌") for line in bar) == 1


async def test_every_memory_of_the_scope_is_counted_by_its_type(hours: Path) -> None:
    async with opened(hours, size=TALL) as pilot:
        await press(pilot, "escape", "2")
        density = shown(pilot)
        found: Counter[str] = Counter()
        for types in density.types:
            found.update(types or {})
        assert found == {"bugfix": 2, "decision": 1, "feature": 1, "note": 1}
        assert sum(density.totals) == 6
        await press(pilot, "s")
        assert sum(shown(pilot).totals) == 7
        await press(pilot, "s")
        assert sum(shown(pilot).totals) == 6


async def test_it_never_goes_beyond_now(hours: Path) -> None:
    async with opened(hours, size=TALL) as pilot:
        await around_the_newest(pilot)
        for _ in range(12):
            density = shown(pilot)
            assert density.edges[-2] < NOW and density.labels[1] == "now"
            await press(pilot, "right_square_bracket")


async def test_a_memory_of_tomorrow_counts_with_the_newest(hours: Path) -> None:
    with Store.open(hours) as store:
        store.observations.add("one", title="Wrong clock", at=NOW + DAY)
    async with opened(hours, size=TALL) as pilot:
        await press(pilot, "escape", "down", "2", *["right_square_bracket"] * 7)
        density = shown(pilot)
        assert density.labels[1] == "now" and density.totals[-1] >= 1
        assert sum(density.totals) >= 7


async def test_of_very_many_all_are_counted_though_the_nearest_are_listed(empty: Path) -> None:
    with Store.open(empty) as store, store.transaction():
        for number in range(700):
            store.observations.add(None, title=f"note {number}", at=NOW - number * 10_000)
    async with opened(empty, size=TALL) as pilot:
        density = await around_the_newest(pilot)
        assert sum(density.totals) == 700
        axis = text(timeline(pilot).lines.bar).split("\n")[-1]
        assert "─━" in axis and "━─" not in axis


async def test_a_click_makes_the_nearest_memory_the_anchor(hours: Path) -> None:
    async with opened(hours, size=TALL) as pilot:
        await around_the_newest(pilot)
        axis = text(timeline(pilot).lines.bar).split("\n")[-1]
        await pilot.click(DensityBar, offset=(axis.index("━") + 2, 2))
        await idle(pilot)
        assert timeline(pilot).row is not None
        assert "bugfix 0" in text(timeline(pilot).lines.heading)


async def test_a_click_ends_the_following_of_the_newest(hours: Path) -> None:
    async with opened(hours, size=TALL) as pilot:
        await around_the_newest(pilot)
        await press(pilot, "F")
        axis = text(timeline(pilot).lines.bar).split("\n")[-1]
        await pilot.click(DensityBar, offset=(axis.index("━") + 2, 2))
        await idle(pilot)
        assert "bugfix 0" in text(timeline(pilot).lines.heading)
        assert "paused" in timeline(pilot).pane.title


async def test_another_width_has_other_parts(hours: Path) -> None:
    async with opened(hours, size=TALL) as pilot:
        before = len((await around_the_newest(pilot)).totals)
        await pilot.resize_terminal(80, 40)
        await idle(pilot)
        assert len(shown(pilot).totals) == before - 40
        assert sum(shown(pilot).totals) == 6


TYPES = st.sampled_from([*list(GLYPHS)[:6], ""])


@given(parts=st.lists(st.lists(TYPES, max_size=20), min_size=1, max_size=30), lines=st.integers(1, 6))
def test_columns_are_as_high_as_what_they_stand_for(parts: list[list[str]], lines: int) -> None:
    totals = [len(types) for types in parts]
    known = [Counter(type for type in types if type) for types in parts]
    density = Density(range(len(parts) + 1), totals, ("", ""), -1, (0, len(parts)), known)
    drawn = ["".join(one.plain for one in line) for line in columns(density, lines)]
    assert [len(line) for line in drawn] == [len(parts)] * lines
    most = max(totals)
    for part, total in enumerate(totals):
        column = "".join(line[part] for line in drawn)
        assert (column.strip(" │") != "") == (total > 0)
        if total == most and total:
            assert " " not in column
        assert column == "".join(sorted(column, key=lambda one: one not in " │"))


def test_a_part_belongs_to_the_moments_in_it() -> None:
    density = Density([0, 10, 20, 31], [1, 1, 1], ("", ""), 0, (0, 30), [None] * 3)
    assert [density.part_of(at) for at in (-5, 0, 9, 10, 20, 30, 99)] == [0, 0, 0, 1, 2, 2, 2]
