"""What hooks leave is stored beside the browser, and the header tells where it isn't."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from threading import enumerate as enumerate_threads
from typing import Any

import apsw
import pytest
from textual.pilot import Pilot

from bench.terminal import Terminal
from memtui.store import DatabaseError, Store
from memtui.store.capture import settings
from memtui.store.capture.ingest import catch_up
from memtui.store.leaves.sync.machines import Machines
from memtui.tui.background import BackgroundIngest
from memtui.tui.capture.screen import CaptureScreen
from memtui.tui.parts.frame import Header
from memtui.tui.search.suggestions import NoHits
from tests.places import ROOT
from tests.tui.browser import NOW, app, ask, opened, press, search, text, titles
from tests.tui.hooked import HOUR, MINUTE, fail, have_run, leave_waiting, run_hook, settle_in
from tests.tui.patience import idle
from tests.tui.test_terminal import MEMTUI


@pytest.fixture(autouse=True)
def machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle_in(home, monkeypatch)


async def ingest(pilot: Pilot[Any]) -> None:
    """What the browser does each second, and what follows from it."""
    app(pilot).ingest()
    await idle(pilot)
    app(pilot).look()
    await idle(pilot)


def header(pilot: Pilot[Any]) -> str:
    return text(pilot.app.screen.query_one(Header))


def waiting(path: Path) -> int:
    from memtui.store.capture.health import capture_health

    with Store.open(path, read_only=True) as store:
        return capture_health(store).waiting


async def test_where_nothing_is_found_it_is_said_that_events_wait(empty: Path) -> None:
    with Store.open(empty) as store:
        store.observations.add("c-1", title="A valve", at=NOW)
    async with opened(empty) as pilot:
        leave_waiting(empty, NOW, prompts=3)
        await ask(pilot, "spool number")
        told = text(pilot.app.screen.query_one(NoHits))
        assert "No memory matches." in told
        assert "3 events of agents are still being stored: there may be more." in told
        await ingest(pilot)
        assert len(titles(pilot)) == 3
        await ask(pilot, "pump")
        assert "still being stored" not in text(pilot.app.screen.query_one(NoHits))


def test_a_hooks_event_shows_without_a_key_being_pressed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Store.open(path).close()
    with Terminal(MEMTUI, {**os.environ, "MEMTUI_DB": str(path)}) as terminal:
        terminal.wait_for("0 memories")
        run_hook(path, prompt="where is the canary kept?")
        terminal.wait_for("where is the canary kept?")
        terminal.wait_for("1 memory")
    assert waiting(path) == 0


async def test_what_waited_before_the_browser_opened_is_stored(empty: Path) -> None:
    leave_waiting(empty, NOW - MINUTE, prompts=3)
    async with opened(empty) as pilot:
        await ingest(pilot)
        assert set(titles(pilot)) == {f"what waits in the spool as number {number}?" for number in range(3)}
        assert "last event 1m ago" in header(pilot)
        assert "waiting" not in header(pilot)


@pytest.mark.long
async def test_a_long_spool_is_stored_slice_by_slice(empty: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.tui.background.SLICE", 0.0)
    leave_waiting(empty, NOW - MINUTE, prompts=600)
    async with opened(empty) as pilot:
        while waiting(empty):
            await ingest(pilot)
        await ingest(pilot)
        assert "600 memories" in header(pilot)


async def test_a_memory_that_is_only_read_leaves_the_spool_as_it_is(empty: Path) -> None:
    leave_waiting(empty, NOW - 3 * MINUTE, prompts=2)
    async with opened(empty, read_only=True, notice="Read-only.") as pilot:
        await ingest(pilot)
        assert "2 events waiting 3m" in header(pilot)
        assert "⚠" not in header(pilot)
    assert waiting(empty) == 2


async def test_what_waits_for_hours_is_a_warning(empty: Path) -> None:
    leave_waiting(empty, NOW - 2 * HOUR)
    async with opened(empty, read_only=True) as pilot:
        await ingest(pilot)
        assert "⚠ 1 event waiting 2h" in header(pilot)


async def test_what_came_this_moment_is_not_worth_a_word(demo: Path) -> None:
    leave_waiting(demo, NOW - 1_000)
    async with opened(demo, read_only=True) as pilot:
        before = header(pilot)
        await ingest(pilot)
        assert header(pilot) == before


async def test_the_header_is_as_it_was_where_no_hook_ever_ran(demo: Path) -> None:
    async with opened(demo) as pilot:
        before = header(pilot)
        await ingest(pilot)
        assert app(pilot).capture is not None
        assert header(pilot) == before


async def test_events_that_could_not_be_stored_are_a_warning_that_leads_to_capture(demo: Path) -> None:
    fail(demo, quarantined=2, lost=1)
    async with opened(demo) as pilot:
        await ingest(pilot)
        assert "⚠ 3 events not stored · 420 memories" in header(pilot)
        await pilot.click(Header, offset=(header(pilot).index("⚠") + 2, 0))
        await idle(pilot)
        assert isinstance(pilot.app.screen, CaptureScreen)


@pytest.mark.parametrize(
    ("pause", "says"), [(None, "paused ·"), (1_200_000.0, "paused until ")], ids=["good", "so long"]
)
async def test_a_pause_is_told_on_every_screen(demo: Path, pause: float | None, says: str) -> None:
    settings.pause(demo, pause)
    async with opened(demo) as pilot:
        await ingest(pilot)
        assert says in header(pilot)
        await press(pilot, "down", "3")
        assert says in header(pilot)


async def test_the_most_important_fits_a_small_terminal(demo: Path) -> None:
    have_run(demo)
    fail(demo, quarantined=1, lost=0)
    settings.pause(demo)
    async with opened(demo, size=(60, 20)) as pilot:
        await ingest(pilot)
        assert "1 Search" in header(pilot)
        assert header(pilot).endswith("⚠ 1 event not stored · paused")
    async with opened(demo, size=(30, 8)) as pilot:
        await ingest(pilot)
        assert "⚠ 1 event" in header(pilot)


def refused(store: Store, seconds: float) -> bool:
    raise DatabaseError("The disk is full.")


def broken(store: Store, seconds: float) -> bool:
    raise apsw.IOError("disk I/O error")


@pytest.mark.parametrize("trouble", [refused, broken])
async def test_where_nothing_can_be_stored_the_browser_goes_on_and_says_so(
    demo: Path, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[Store, float], bool]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(catch_up, "catch_up", trouble)
        async with opened(demo) as pilot:
            await ingest(pilot)
            assert "⚠ events can't be stored" in header(pilot)
            assert titles(pilot)
            patch.undo()
            await ingest(pilot)
            assert "⚠" not in header(pilot)


def test_nothing_that_can_wait_is_imported_for_the_first_paint() -> None:
    code = "import sys, memtui.tui.app, memtui.tui.search.screen; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT)
    modules = done.stdout.decode().split()
    assert "memtui.tui.parts.frame" in modules
    late = (
        "memtui.store.capture.health",
        "memtui.store.capture.ingest.drain",
        "memtui.store.install",
        "memtui.tui.text.capture",
        "memtui.store.search.completion",
        "dateutil",
        "markdown_it",
        "pygments",
    )
    assert not [name for name in modules if name.startswith(late)]


async def test_leaving_while_events_are_being_stored_loses_none(empty: Path) -> None:
    leave_waiting(empty, NOW - MINUTE, prompts=400)
    async with opened(empty) as pilot:
        app(pilot).ingest()
        await pilot.press("ctrl+q")
    for thread in connections():
        # One that goes on would keep the process from ending.
        thread.join(30)
        assert not thread.is_alive()
    with Store.open(empty) as store:
        while not catch_up.catch_up(store):
            pass
        assert store.find("").count().value == 400


async def test_a_look_after_leaving_opens_nothing(empty: Path) -> None:
    leave_waiting(empty, NOW - MINUTE)
    ingest = BackgroundIngest(empty, read_only=False)
    await ingest.close()
    before = len(connections())
    assert (await ingest.look()).done
    assert len(connections()) == before
    assert waiting(empty)


def connections() -> list[Thread]:
    """The threads of the connections that are open."""
    return [thread for thread in enumerate_threads() if "apsw" in thread.name]


@pytest.mark.long
async def test_typing_goes_on_while_events_are_being_stored(empty: Path) -> None:
    leave_waiting(empty, NOW - MINUTE, prompts=400)
    async with opened(empty) as pilot:
        app(pilot).ingest()
        await pilot.press("slash", *"number 399")
        assert search(pilot).bar.input.value == "number 399"
        while waiting(empty):
            await ingest(pilot)
        await ingest(pilot)
        assert titles(pilot)[0] == "what waits in the spool as number 399?"


async def test_several_agents_that_are_not_heard_are_told_in_few_words(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.tui.background.SILENT_AFTER", 0)
    monkeypatch.setattr(
        "memtui.store.install.silent_agents", lambda database, found: {"codex": NOW, "gemini": NOW}
    )
    async with opened(demo) as pilot:
        await ingest(pilot)
        assert "⚠ 2 agents aren't heard" in header(pilot)


async def test_the_header_tells_of_machines_that_are_met_by_themselves(empty: Path) -> None:
    with Store.open(empty) as store:
        machines = Machines(store)
        machines.add("laptop", "ssh://laptop", automatic=True)
        machines.add("box", "ssh://box")
        machines.note_meeting("box", None, "no route to host")
        machines.meet("01990000-laptop00", "laptop.local")
        machines.note_meeting("laptop", "01990000-laptop00")
        machines.finish("01990000-laptop00", "first", 0)
        store.db.execute("UPDATE sync_peers SET met_at = ?", (NOW - 5 * MINUTE,))
    async with opened(empty, size=(200, 40)) as pilot:
        await ingest(pilot)
        assert "synced 5m ago" in header(pilot)
        with Store.open(empty) as store:
            store.observations.add("c-1", title="later", at=NOW)
        await ingest(pilot)
        assert "2 rows to sync" in header(pilot)
        with Store.open(empty) as store:
            Machines(store).note_meeting("laptop", None, "no route to host")
        await ingest(pilot)
        assert "⚠ laptop not met" in header(pilot)


async def test_a_machine_that_is_due_is_met_by_a_job_of_its_own(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []
    monkeypatch.setattr("memtui.store.start_job", started.append)
    monkeypatch.setattr("memtui.tui.background.SILENT_AFTER", 0.0)
    with Store.open(empty) as store:
        Machines(store).add("laptop", "ssh://laptop", automatic=True)
    async with opened(empty) as pilot:
        await ingest(pilot)
        await ingest(pilot)
    assert started == [empty]
