"""The room for what agents wrote, without a team; and what a person says is still true."""

from pathlib import Path
from typing import cast

from memtui.store import Store
from memtui.tui.parts.frame import KeysFooter
from memtui.tui.parts.text_view import Hint
from memtui.tui.review import ReviewScreen
from memtui.tui.text.glyphs import glyph
from tests.tui.browser import app, ask, opened, search, text
from tests.tui.editing.editors import fill, observation, toasts
from tests.tui.patience import press


def waits(path: Path) -> list[str]:
    """The refs of what waits."""
    with Store.open(path) as store:
        return [item.id for item in store.reviewing.waiting()]


async def test_what_an_agent_wrote_is_accepted_or_refused_and_u_takes_it_back(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path)
    with Store.open(path) as store, store.transaction():
        for ref in ("1", "2", "f1", "n1"):
            store.reviewing.wait(store.any_record(ref))
        kinds = {ref: str(store.observations.get(int(ref)).type) for ref in ("1", "2")}
    async with opened(path) as pilot:
        await ask(pilot, "is:pending")
        assert text(search(pilot).results.list).count("pending") == 3
        await press(pilot, "escape", "I")
        screen = cast(ReviewScreen, pilot.app.screen)
        assert screen.tabs.counts["waiting"] == 4
        assert "Waits for your word" in text(screen.detail)
        assert [line.split()[0].strip("▌") for line in text(screen.list).splitlines() if line.strip()] == [
            *("◇", glyph(kinds["2"]).symbol, glyph(kinds["1"]).symbol, "▪"),
        ]
        await press(pilot, "w")
        assert pilot.app.screen is screen
        await press(pilot, "a")
        assert toasts(pilot)[-1] == "f1 accepted. u undoes." and len(waits(path)) == 3
        await press(pilot, "u")
        assert waits(path) == ["f1", "2", "1", "n1"]
        await press(pilot, "f")
        assert "Nothing waits" not in text(screen.query_one(Hint))
        await press(pilot, "F", "end", "space", "up", "space")
        assert "x Refuse  a Accept" in text(screen.query_one(KeysFooter))
        await press(pilot, "x")
        assert toasts(pilot)[-1] == "2 memories kept out. u undoes." and waits(path) == ["f1", "2"]
        await press(pilot, "u")
        assert len(waits(path)) == 4


async def test_what_is_still_true_is_said_by_a_key(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path)
    async with opened(path) as pilot:
        await ask(pilot, "kind:observation")
        await press(pilot, "escape", "U")
        assert toasts(pilot)[-1].startswith("Still true: Clock drift")
        assert observation(path, "3").confirmed_at
        await press(pilot, "u")
        assert observation(path, "3").confirmed_at is None
        await ask(pilot, "kind:fact")
        await press(pilot, "escape", "U")
        assert "Only observations" in toasts(pilot)[-1]
        assert app(pilot).check_action("review", ()) is True
