"""However far somebody goes from memory to memory, no more screens are kept than can be gone back to."""

from pathlib import Path

from memtui.store import Store
from memtui.tui.app import DEEPEST
from memtui.tui.memory import MemoryScreen
from memtui.tui.search.screen import SearchScreen
from tests.promises import promise
from tests.tui.browser import app, opened, press
from tests.tui.patience import idle


@promise("stays-small")
async def test_screens_do_not_pile_up(empty: Path) -> None:
    with Store.open(empty) as store:
        for number in range(DEEPEST + 2):
            store.observations.add("c-1", title=f"memory {number}")
        rows = store.find("").rows(0, DEEPEST + 2)
    async with opened(empty) as pilot:
        for row in rows:
            app(pilot).show_memory(row, None)
            await idle(pilot)
        assert len(pilot.app.screen_stack) == DEEPEST
        assert isinstance(pilot.app.screen, MemoryScreen)
        await press(pilot, *["escape"] * DEEPEST)
        assert isinstance(pilot.app.screen, SearchScreen)
