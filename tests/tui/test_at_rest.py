"""What the browser does, and keeps, while nobody uses it."""

import asyncio
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from weakref import WeakSet

import apsw
import pytest
import textual.css.parse
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.aio import CACHED_KB, AsyncStore
from memtui.tui import background
from memtui.tui.app import PAINTED
from memtui.tui.background import ANYWAY, FileWatch
from memtui.tui.lists.paged_list import PAINTED_ROWS, PagedList
from memtui.tui.lists.provider import KEPT, PAGE
from memtui.tui.parts.split import Split
from tests.tui.browser import app, ask, opened, press, search
from tests.tui.patience import idle
from tests.tui.rest import is_ticking

MINUTE = 60
"""Looks in a minute."""
MODES = "23467812"
UNTIL_REST = """
import asyncio, sys
from pathlib import Path
from memtui.tui import background
from memtui.tui.app import MemApp

async def main() -> None:
    # Who isn't heard is asked of the agents' configurations, once a minute.
    background.SILENT_AFTER = float("inf")
    async with MemApp(Path(sys.argv[1])).run_test() as pilot:
        app = pilot.app
        await asyncio.gather(app.ingest().wait(), return_exceptions=True)
        background.monotonic = lambda: 1e9
        app.watcher.look(app)
        # A look that another one takes the place of raises.
        await asyncio.gather(*(one.wait() for one in app.workers), return_exceptions=True)
        print("resting" if not app.watcher.rest.is_due else "awake", *sys.modules)

asyncio.run(main())
"""
LATER = (
    *(
        "memtui.store.agents",
        "memtui.store.install",
        "memtui.store.formats",
        "memtui.store.maintain",
        "memtui.store.providers",
    ),
    *("memtui.store.capture.ingest.drain", "memtui.store.observe.rules", "memtui.store.observe.summaries"),
    *(
        "memtui.store.context.candidates",
        "memtui.store.search.completion",
        "memtui.store.leaves.statistics",
    ),
    *(
        "memtui.store.leaves.embeddings.searching",
        "memtui.store.text.secrets.search",
        "memtui.store.capture.demo",
        "memtui.store.cli.commands",
    ),
    *(
        "memtui.tui.capture",
        "memtui.tui.composer",
        "memtui.tui.editing",
        "memtui.tui.facts",
        "memtui.tui.help",
        "memtui.tui.history",
    ),
    *("memtui.tui.merge", "memtui.tui.palette", "memtui.tui.sessions", "memtui.tui.leaves.statistics"),
    *("markdown_it", "numpy", "pygments", "pypinyin", "rapidfuzz", "tomlkit", "tomllib", "typer"),
    *("textual._text_area_theme", "textual.document", "textual.widgets._text_area"),
)
"""Modules that a screen, a key or an event brings, and nothing else."""


@pytest.fixture
def big(tmp_path: Path) -> Path:
    path = tmp_path / "memory.db"
    with Store.open(path) as store, store.transaction():
        for number in range(PAGE * (KEPT + 4)):
            store.observations.add("c-1", title=f"The token number {number}", narrative="x " * 90)
    return path


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time that the browser at rest goes by; the first of the list is now."""
    now = [0.0]
    monkeypatch.setattr(background, "monotonic", lambda: now[0])
    return now


async def wait_a_minute(pilot: Pilot[Any], clock: list[float]) -> None:
    for _ in range(MINUTE):
        clock[0] += 1
        app(pilot).watcher.look(app(pilot))
        await idle(pilot)


@pytest.mark.usefixtures("painted")
async def test_nothing_is_painted_and_hardly_anything_asked_while_nobody_presses_a_key(
    demo: Path, clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(demo) as pilot:
        await wait_a_minute(pilot, clock)
        counts: Counter[str] = Counter()
        display, run = type(pilot.app)._display, AsyncStore.run

        def displayed(self: Any, screen: Any, renderable: Any) -> None:
            counts["painted"] += renderable is not None
            display(self, screen, renderable)

        async def asked(self: Any, call: Any) -> Any:
            counts["asked"] += 1
            return await run(self, call)

        monkeypatch.setattr(type(pilot.app), "_display", displayed)
        monkeypatch.setattr(AsyncStore, "run", asked)
        await wait_a_minute(pilot, clock)
        assert counts["painted"] == 0
        assert 0 < counts["asked"] <= 3 * MINUTE // ANYWAY + 3
        await press(pilot, "a")
        assert counts["painted"] > 0


def test_what_only_a_key_or_an_event_needs_is_not_imported_by_the_looks_and_the_rest(demo: Path) -> None:
    command = [sys.executable, "-c", UNTIL_REST, str(demo)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    state, *modules = done.stdout.split()
    assert state == "resting"
    # What hooks left was looked for, too.
    assert "memtui.store.capture.ingest.catch_up" in modules
    assert "memtui.store.observe.jobs.job" in modules
    assert not [name for name in modules if name.startswith(LATER)]


async def test_few_timers_run_on_any_screen(demo: Path) -> None:
    async with opened(demo) as pilot:
        for key in ("alt+1", "down", "alt+2", "alt+3", "alt+5", "alt+7"):
            await press(pilot, key)
            nodes = [pilot.app, *pilot.app.screen.walk_children(with_self=True)]
            running = [*filter(is_ticking, (timer for node in nodes for timer in node._timers))]
            # The looks, the files that git knows, the age in the header, what tests hold back, and how
            # the hooks are on the screen that shows it.
            assert len(running) <= 5 + (key == "alt+5"), [
                (timer.name, timer._interval) for timer in running
            ]


@pytest.mark.long
@pytest.mark.usefixtures("painted")
async def test_at_rest_a_list_keeps_the_pages_in_view_and_nothing_painted(
    big: Path, clock: list[float]
) -> None:
    async with opened(big) as pilot:
        rows = search(pilot).results.list
        await press(pilot, "down", *["pagedown"] * 90)
        assert 3 < len(rows._pages) <= KEPT
        assert 0 < len(rows._strips) <= PAINTED_ROWS
        shown = [rows.render_line(y).text for y in range(rows.size.height)]
        clock[0] += background.REST_AFTER
        app(pilot).watcher.look(app(pilot))
        await idle(pilot)
        assert len(rows._pages) <= 2
        assert not rows._strips
        assert [rows.render_line(y).text for y in range(rows.size.height)] == shown


async def test_at_rest_nothing_is_remembered_of_what_was_painted(demo: Path) -> None:
    async with opened(demo) as pilot:
        await press(pilot, "down", *"234")
        assert any(remembered.cache_info().currsize > 100 for remembered in PAINTED)
        app(pilot).forget_unseen()
        assert not any(remembered.cache_info().currsize for remembered in PAINTED)


async def test_memory_is_given_back_ever_more_seldom_until_a_key_is_pressed(
    demo: Path, clock: list[float]
) -> None:
    async with opened(demo) as pilot:
        at_rest = app(pilot).watcher.rest

        def due_after(seconds: float) -> bool:
            clock[0] += seconds
            return at_rest.is_due

        begun = background.REST_AFTER
        assert [due_after(0), due_after(begun), due_after(begun / 2), due_after(begun / 2)] == [
            *(False, True),
            *(False, True),
        ]
        assert not due_after(begun)
        await press(pilot, "down")
        assert not at_rest.is_due
        assert due_after(begun)


@pytest.mark.long
async def test_a_connection_holds_few_pages_and_none_at_rest(big: Path, clock: list[float]) -> None:
    def held(store: Store) -> int:
        return int(store.db.status(apsw.SQLITE_DBSTATUS_CACHE_USED)[0])

    async with opened(big) as pilot:
        for query in ("token", "number", "oken", "x"):
            await ask(pilot, query)
        used = await app(pilot).reader.run(held)
        assert 100_000 < used < CACHED_KB * 1.25 * 1024
        clock[0] += background.REST_AFTER
        app(pilot).watcher.look(app(pilot))
        await idle(pilot)
        assert await app(pilot).reader.run(held) < 100_000


@pytest.mark.usefixtures("painted")
async def test_a_screen_behind_another_keeps_nothing_painted(demo: Path) -> None:
    async with opened(demo) as pilot:
        screen = search(pilot)
        assert any(widget._styles_cache._cache for widget in screen.query("*"))
        await press(pilot, "down", "3")
        assert not any(widget._styles_cache._cache for widget in screen.query("*"))


async def test_at_rest_nothing_is_held_of_a_screen_that_was_left(demo: Path) -> None:
    left: list[WeakSet[Any]] = [WeakSet() for _number in range(3)]
    async with opened(demo) as pilot:
        await press(pilot, "down")
        # More than once: what is held of one and let go of with the next would not grow.
        for _visit in range(3):
            await press(pilot, "o")
            for held, kind in zip(left, (Split, PagedList), strict=False):
                held.update(pilot.app.screen.query(kind))
            left[2].update(widget._styles_cache for widget in pilot.app.screen.query(PagedList))
            assert all(map(len, left))
            await press(pilot, "escape")
        # The event loop holds a cancelled wait, and with it the screen, until its time would have come.
        for _wait in range(30):
            await background.Rest().give_back(app(pilot))
            if not any(map(len, left)):
                break
            await asyncio.sleep(0.1)
        assert not any(map(len, left))


@pytest.mark.long
async def test_each_source_of_css_is_parsed_once_however_many_screens_are_shown(
    demo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: Counter[Any] = Counter()
    parse = textual.css.parse.parse

    def counted(scope: str, css: str, read_from: Any, **options: Any) -> Any:
        parsed[read_from] += 1
        return parse(scope, css, read_from, **options)

    monkeypatch.setattr("textual.css.stylesheet.parse", counted)
    async with opened(demo) as pilot:
        for key in ("down", *MODES, "question_mark", "escape"):
            await press(pilot, key)
        # What an earlier browser of this process parsed isn't parsed again either.
        assert max(parsed.values(), default=1) == 1, parsed.most_common(3)


def test_files_tell_of_a_commit_and_of_what_a_hook_left(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        files = FileWatch(path)
        assert files.store_may_have_changed()
        assert files.spool_may_have_changed()
        assert not files.store_may_have_changed()
        assert not files.spool_may_have_changed()
        store.observations.add("c-1", title="New")
        assert files.store_may_have_changed()
        assert not files.store_may_have_changed()
        spool = tmp_path / "memory.db-spool"
        spool.mkdir(exist_ok=True)
        (spool / "2026-02-17.jsonl").write_text("\n")
        assert files.spool_may_have_changed()
        assert [files.store_may_have_changed() for _ in range(2 * ANYWAY)].count(True) == 2
