"""Hits by meaning in the browser: late ones, what is like a memory, and what is said where none come."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.leaves.embeddings.searching import Asker
from memtui.tui.search.dialogs import WhyScreen
from memtui.tui.search.screen import SearchScreen
from tests.store.embeddings.synonyms import LONG, Answers, by_server, by_static_model
from tests.store.scripted_server import Scripted
from tests.tui.browser import app, ask, browser, opened, press, search, text, titles
from tests.tui.patience import idle
from tests.tui.pictures import Compare

pytestmark = pytest.mark.extra("onnx")

SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=["80x24", "120x40"])
AT = 1_771_356_000_000


@pytest.fixture
def memory(empty: Path) -> Path:
    with Store.open(empty) as store, store.transaction():
        for number, title in enumerate(("Signin from a second device", "Signin fails", "A signin")):
            store.observations.add(None, title=title, type="bugfix", at=AT - number)
        store.observations.add(None, title="Login and the clock", project="atlas", at=AT - 10)
        store.observations.add(None, title="Authentication by clock", project="atlas", at=AT - 20)
        for number in range(40):
            store.observations.add(None, title=f"Topic{number}", at=AT - 1000 * number)
    return empty


@pytest.fixture
def known(memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    by_static_model(monkeypatch, tmp_path)
    return memory


@pytest.fixture
def slow(memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Answers]:
    """A model that answers when it may."""
    get = Asker.get
    monkeypatch.setattr(Asker, "get", lambda one, words, _: get(one, words, 0))
    with by_server(monkeypatch, tmp_path) as (_, answers):
        yield answers


@pytest.fixture
def broken(memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    get = Asker.get
    monkeypatch.setattr(Asker, "get", lambda one, words, _: get(one, words, LONG))
    with by_server(monkeypatch, tmp_path) as (_, answers):
        answers.broken = Scripted(500)
        answers.may_answer.set()
        yield memory


def count(pilot: Pilot[Any]) -> str:
    return text(search(pilot).bar.chips).strip()


async def ask_without_waiting(pilot: Pilot[Any], query: str) -> None:
    """Ask, and wait for what is there at once."""
    search(pilot).ask(query)
    await pilot.pause()
    while "meaning follows" not in count(pilot):
        await pilot.pause()
    await pilot.pause()


LATE = "signin expired"
"""By its meaning one of the hits is nearest that words don't put first."""


async def test_a_late_order_is_shown_where_no_row_is_selected_yet(memory: Path, slow: Answers) -> None:
    async with opened(memory) as pilot:
        await ask_without_waiting(pilot, LATE)
        before = titles(pilot)
        assert len(before) == 3 and before[0] != "Signin fails"
        slow.may_answer.set()
        await idle(pilot)
        assert titles(pilot)[0] == "Signin fails" and set(titles(pilot)) == set(before)
        assert search(pilot).results.list.cursor == 0
        assert "meaning follows" not in count(pilot)
        assert search(pilot).results.did_you_mean.trouble == ""


async def test_a_late_order_moves_no_row_under_a_selection(memory: Path, slow: Answers) -> None:
    async with opened(memory) as pilot:
        await ask_without_waiting(pilot, LATE)
        rows = search(pilot).results.list
        before = titles(pilot)
        search(pilot).set_focus(rows)
        await pilot.press("down")
        chosen, first_row = rows.row, rows.first_row
        slow.may_answer.set()
        await idle(pilot)
        assert titles(pilot) == before
        assert (rows.row, rows.first_row) == (chosen, first_row)
        assert "meaning follows" not in count(pilot)


async def test_the_next_query_leaves_late_hits_alone(memory: Path, slow: Answers) -> None:
    async with opened(memory) as pilot:
        await ask_without_waiting(pilot, LATE)
        search(pilot).ask("topic7")
        await pilot.pause()
        slow.may_answer.set()
        await idle(pilot)
        assert titles(pilot) == ["Topic7"]


async def test_a_model_that_fails_is_told_on_a_line_of_the_search(broken: Path) -> None:
    async with opened(broken) as pilot:
        await ask(pilot, LATE)
        assert len(titles(pilot)) == 3
        line = search(pilot).results.did_you_mean
        assert line.display and "gave no vector" in text(line).replace("\n", " ")
        assert not app(pilot)._notifications
        await ask(pilot, "")
        assert not line.display


async def test_a_key_lists_what_is_like_the_selected_memory_and_escape_leads_back(known: Path) -> None:
    async with opened(known) as pilot:
        await ask(pilot, "login clock")
        await press(pilot, "escape", "L")
        assert search(pilot).bar.input.value == "is:similar:4 "
        assert [chip.label for chip in search(pilot).bar.chips.chips] == ["is:similar:4"]
        assert search(pilot).focused is search(pilot).results.list
        assert titles(pilot) == ["Authentication by clock"]
        assert count(pilot).endswith("1 like 4")
        assert "Like 4: Login and the clock" in search(pilot).results.list.render_line(0).text or (
            "Like 4: Login and the clock" in str(search(pilot).results.list.border_title)
        )
        await press(pilot, "escape")
        assert search(pilot).bar.input.value == "login clock"
        assert titles(pilot)[0] == "Login and the clock"


@pytest.mark.parametrize("mode", ["timeline", "sessions", "facts"])
@pytest.mark.sampled
async def test_the_key_works_wherever_a_memory_is_selected(known: Path, mode: str) -> None:
    with Store.open(known) as store:
        store.facts.add("The signin lasts a day", at=AT)
    async with opened(known) as pilot:
        await press(pilot, "escape", "down")
        app(pilot).action_go(mode)
        await idle(pilot)
        if mode == "sessions":
            await press(pilot, "enter")
        shown = pilot.app.screen
        await press(pilot, "L")
        assert isinstance(pilot.app.screen, SearchScreen)
        assert search(pilot).bar.input.value.startswith("is:similar:")
        await press(pilot, "escape")
        assert pilot.app.screen is shown


async def test_why_tells_that_a_hit_is_near_in_meaning(known: Path) -> None:
    async with opened(known) as pilot:
        await ask(pilot, LATE)
        await press(pilot, "escape", "w")
        assert isinstance(pilot.app.screen, WhyScreen)
        shown = text(pilot.app.screen.query_one("#why"))
        assert "some of the words" in shown and "meaning" in shown
        assert "similarity 1.0" in shown


async def test_the_order_by_meaning_waits_for_a_slow_model(memory: Path, slow: Answers) -> None:
    async with opened(memory) as pilot:
        search(pilot).ask("signin sort:meaning expired")
        await pilot.pause()
        slow.may_answer.set()
        await idle(pilot)
        assert count(pilot).endswith("nearest first")
        assert titles(pilot)[0] == "Signin fails"


async def test_backspace_takes_the_memory_that_others_are_like_off_whole(known: Path) -> None:
    async with opened(known) as pilot:
        await press(pilot, "escape", "L", "slash", "backspace")
        assert search(pilot).bar.input.value == ""


@SIZES
def test_hits_by_meaning(snap_compare: Compare, known: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await idle(pilot)
        await ask(pilot, LATE)
        await press(pilot, "escape", "w")

    assert snap_compare(browser(known), terminal_size=size, run_before=before)


@SIZES
def test_what_is_like_a_memory(snap_compare: Compare, known: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await idle(pilot)
        await ask(pilot, "login clock")
        await press(pilot, "escape", "L")

    assert snap_compare(browser(known), terminal_size=size, run_before=before)


@SIZES
def test_a_model_that_fails(snap_compare: Compare, broken: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        await idle(pilot)
        await ask(pilot, LATE)

    assert snap_compare(browser(broken), terminal_size=size, run_before=before)
