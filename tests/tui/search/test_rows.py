"""How results stand in their rows: badges, second lines, density, and times."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.platform.clock import DAY_MS, now_ms
from memtui.tui.text.rows import second_line
from tests.tui.browser import NOW, app, opened, press, search, text

BY_RULES = '{"observer": "rules"}'


@pytest.fixture
def memory(empty: Path) -> Path:
    """A memory of each sort, the newest first in this order."""
    with Store.open(empty) as store:
        session = store.sessions.start("c-1", project="atlas")
        long, brief = "Mend the login on laptops", "Mend the login"
        store.summaries.add(
            session, request=long, completed="Mended, with a test", at=NOW - 1, extra=BY_RULES
        )
        store.summaries.add(
            session, level="brief", request=brief, completed="Mended", at=NOW - 2, extra=BY_RULES
        )
        store.observations.add(
            session, title="Clock drift", type="bugfix", narrative="It was ahead.", at=NOW - 3
        )
        store.observations.add(session, title="Only a title", type="change", at=NOW - 4)
        store.prompts.add(session, "why does it fail on my laptop only, every time?", at=NOW - 5)
        store.prompts.add(session, "why does it fail on my laptop?\nThe log is below.", at=NOW - 6)
        store.facts.add("Refresh tokens live for 24 hours and not a minute more", at=NOW - 7)
        store.summaries.add(None, request="Nothing else", at=NOW - 8)
    return empty


def shown(pilot: Pilot[Any]) -> list[str]:
    lines = text(search(pilot).results.list).splitlines()
    return [line for line in lines if line.strip(" ▌")]


async def test_a_second_line_stands_only_where_it_says_more(memory: Path) -> None:
    async with opened(memory, size=(80, 24)) as pilot:
        rows = search(pilot).results.list
        assert [rows.height_of(at) for at in range(rows.count)] == [1, 2, 1, 1, 2, 1, 1]
        lines = shown(pilot)
        assert "It was ahead." in lines[2]
        assert lines[6].strip() == "The log is below."


async def test_no_second_line_repeats_its_title(demo: Path) -> None:
    with Store.open(demo) as store:
        for hit in store.find("").page(0, 500).hits:
            if (said := second_line(hit)) is not None:
                assert said.text.strip()
                assert said.text.strip(" …") not in hit.row.title


@pytest.mark.parametrize(("width", "words"), [(80, False), (100, True), (120, True), (160, True)])
async def test_from_100_columns_on_the_type_is_a_word(memory: Path, width: int, words: bool) -> None:
    async with opened(memory, size=(width, 40)) as pilot:
        lines = shown(pilot)
        assert any("● bugfix    Clock drift" in line for line in lines) == words
        assert any("● Clock drift" in line for line in lines) != words


@pytest.mark.parametrize("size", [(160, 50), (80, 24), (60, 20), (30, 8)], ids=str)
@pytest.mark.sampled
async def test_c_has_rows_of_one_line_and_back(demo: Path, size: tuple[int, int]) -> None:
    async with opened(demo, size=size) as pilot:
        await press(pilot, "escape", "down", "down", "down")
        rows = search(pilot).results.list
        item, before = rows.item, shown(pilot)
        await press(pilot, "B")
        assert app(pilot).settings.density == "compact"
        assert rows.item == item
        assert {rows.height_of(at) for at in range(rows.count)} == {1}
        await press(pilot, "B")
        assert app(pilot).settings.density == "comfortable"
        assert (rows.item, shown(pilot)) == (item, before)


async def test_brief_and_detailed_are_one_row(memory: Path) -> None:
    async with opened(memory, size=(140, 40)) as pilot:
        assert search(pilot).results.list.count == 7
        lines = shown(pilot)
        assert sum("Mend the login" in line for line in lines if "summary" in line) == 1
        detail = text(search(pilot).reading.detail)
        assert "Mend the login on laptops" in detail


@pytest.mark.parametrize(
    ("brief", "is_told"),
    [
        ("Mend the login", False),
        ("Mend the…; with a test", False),
        ("Mend the login\non laptops", False),
        ("Nobody could log in", True),
        ("Mend the…; it was urgent", True),
    ],
)
async def test_what_a_summary_says_itself_is_not_said_in_brief_again(
    empty: Path, brief: str, is_told: bool
) -> None:
    with Store.open(empty) as store:
        detailed = "Mend the login on laptops\nand end with a test"
        store.summaries.add("s-1", request=detailed, at=NOW, extra=BY_RULES)
        store.summaries.add("s-1", level="brief", request=brief, at=NOW, extra=BY_RULES)
    async with opened(empty, size=(140, 40)) as pilot:
        detail = text(search(pilot).reading.detail)
        assert ("In brief" in detail) == is_told and detail.count("on laptops") == 2


async def test_what_is_dated_ahead_shows_its_date_and_is_never_first(memory: Path) -> None:
    with Store.open(memory) as store:
        store.observations.add(None, title="From 2099", at=now_ms() + 73 * 366 * DAY_MS)
    async with opened(memory, size=(100, 40)) as pilot:
        lines = shown(pilot)
        assert "From 2099" not in lines[0]
        last = next(line for line in lines if "From 2099" in line)
        assert last.rstrip(" ▁▂▃▄▅▆▇█").split()[-1] in ("2099", "2100")
        await press(pilot, "escape", "G")
        row = search(pilot).row
        assert row is not None and row.title == "From 2099"
