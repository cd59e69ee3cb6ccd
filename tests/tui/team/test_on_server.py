"""Asking the team's server in the browser."""

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.leaves.team import search as team_search
from memtui.store.leaves.team.search import TeamHit, TeamHits
from memtui.tui.parts.frame import KeysFooter
from tests.tui.browser import NOW, ask, search, text, titles
from tests.tui.editing.editors import toasts
from tests.tui.patience import idle, press

from .teamed import in_team

HERE = TeamHit("1", "uid-1", "observation", "ada", "atlas", NOW, "Logs show UTC", "It was so.")
AWAY = TeamHit(
    "", "uid-2", "fact", "bob", "orders", NOW, "Stock is read from the replica", "lag", ("It lags.",)
)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the server was asked; it answers with a memory that is here, and one that isn't."""
    asked: list[str] = []

    def answer(store: Store, query: str, **_: Any) -> TeamHits:
        asked.append(query)
        return TeamHits((HERE, AWAY), ("is:pinned",))

    monkeypatch.setattr(team_search, "search_team", answer)
    return asked


async def to_server(pilot: Pilot[Any], query: str) -> None:
    await ask(pilot, query)
    await press(pilot, "escape", "at")


async def test_a_key_asks_the_server_and_asks_here_again(shared: Path, answers: list[str]) -> None:
    async with in_team(shared) as pilot:
        await to_server(pilot, "UTC")
        assert answers == ["UTC"]
        assert titles(pilot) == ["Logs show UTC", "Stock is read from the replica"]
        assert "on the team's server" in search(pilot).bar.query_one("Chips").count  # type: ignore[attr-defined]
        assert "wasn't asked by is:pinned" in search(pilot).results.did_you_mean.trouble
        await press(pilot, "at")
        assert "Stock is read from the replica" not in titles(pilot)
        assert answers == ["UTC"]


async def test_the_query_line_names_the_key_that_works_there(shared: Path) -> None:
    async with in_team(shared, size=(300, 40)) as pilot:
        await ask(pilot, "UTC")
        footer = pilot.app.screen.query_one(KeysFooter)
        search(pilot).bar.input.focus()
        await idle(pilot)
        assert "alt+t Team" in str(footer.render())
        await press(pilot, "escape")
        assert "@ Team" in str(footer.render())


async def test_what_only_the_server_has_can_be_read_and_not_changed(
    shared: Path, answers: list[str]
) -> None:
    async with in_team(shared) as pilot:
        await to_server(pilot, "UTC")
        await press(pilot, "j")
        detail = text(search(pilot).reading.detail)
        assert "Shared by bob." in detail and "It lags." in detail
        assert "bob" in text(search(pilot).results.list)
        for key in ("e", "T", "d", "p", "W"):
            await press(pilot, key)
            assert toasts(pilot)[-1].startswith("Only the team's server has this memory of bob's")
        await press(pilot, "k", "p")
        assert "Pinned" in toasts(pilot)[-1]
    assert answers == ["UTC"]


async def test_a_server_that_is_away_is_told_in_a_sentence(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(store: Store, query: str, **_: Any) -> TeamHits:
        from memtui.store import StoreError

        raise StoreError("The team's server is away.")

    monkeypatch.setattr(team_search, "search_team", fail)
    async with in_team(shared) as pilot:
        await to_server(pilot, "UTC")
        assert "The team's server is away." in text(search(pilot).results.no_hits)
        await press(pilot, "at")
        await idle(pilot)
        assert "Logs show UTC" in titles(pilot)
