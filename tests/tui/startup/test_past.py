"""`memtui --as-of`: the memory as it was, looked at in a copy that is gone afterwards."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store, StoreError
from memtui.tui.palette.screen import CommandList
from memtui.tui.parts.frame import Header, KeysFooter, Notice
from memtui.tui.startup.private_copies import PrivateCopy, past
from tests.tui.browser import app, ask, browser, opened, press, search, text, titles
from tests.tui.history.edited import TITLE, edit
from tests.tui.patience import idle
from tests.tui.pictures import Compare, low_and_middle

THEN = "2026-02-07 12:00"

pytestmark = pytest.mark.usefixtures("temporary")


@pytest.fixture
def edited(demo: Path) -> Path:
    edit(demo)
    return demo


def options(found: PrivateCopy) -> dict[str, Any]:
    return {"read_only": True, "as_of": found.as_of, "notice": found.notice}


async def test_it_is_the_memory_of_then_and_says_so(edited: Path) -> None:
    with Store.open(edited) as store:
        now, then = store.find("").count().value, store.find("until:2026-02-07T12:00").count().value
    with past(edited, THEN) as found:
        async with opened(found.path, **options(found)) as pilot:
            assert "as of 2026-02-07 12:00" in text(app(pilot).screen.query_one(Header))
            assert "as it was then" in text(app(pilot).screen.query_one(Notice))
            assert app(pilot).holdings is not None
            # Three of them were deleted a day later.
            assert app(pilot).holdings.memories == then + 3 < now  # type: ignore[union-attr]
            await ask(pilot, TITLE.split(",")[0])
            assert TITLE not in titles(pilot)


async def test_no_key_changes_it_and_none_is_offered(edited: Path) -> None:
    with past(edited, THEN) as found:
        async with opened(found.path, **options(found)) as pilot:
            before = found.path.read_bytes()
            await press(pilot, "down", "d", "p", "e", "T", "u", "ctrl+r", "n")
            footer = text(search(pilot).query_one(KeysFooter))
            assert "Delete" not in footer and "Agents" not in footer
            await press(pilot, "5")
            assert app(pilot).current_mode == "search"
            await press(pilot, "ctrl+p", *"agents")
            assert "Hook agents up" not in "".join(map(text, pilot.app.screen.query(CommandList)))
            assert found.path.read_bytes() == before


@pytest.mark.long
async def test_the_composer_shows_what_sessions_were_told_then(edited: Path) -> None:
    with past(edited, THEN) as found:
        async with opened(found.path, **options(found)) as pilot:
            await press(pilot, "down", "6")
            assert app(pilot).current_mode == "composer"
            await press(pilot, "H")
            assert "as of 2026-02-07 12:00" in text(app(pilot).screen.query_one(Header))


def test_it_leaves_nothing_behind(edited: Path, temporary: Path) -> None:
    before = edited.read_bytes()
    with past(edited, THEN):
        assert list(temporary.iterdir())
    assert list(temporary.iterdir()) == []
    assert edited.read_bytes() == before


def test_what_is_no_date_is_refused(edited: Path) -> None:
    with pytest.raises(StoreError, match="is not a time"), past(edited, "soon"):
        pass


@low_and_middle
def test_how_it_looks(snap_compare: Compare, edited: Path, size: tuple[int, int]) -> None:
    async def before(pilot: Any) -> None:
        await press(pilot, "escape", "down", "down")
        await idle(pilot)

    with past(edited, THEN) as found:
        app = browser(found.path, **options(found))
        assert snap_compare(app, terminal_size=size, run_before=before)
