"""The browser with the server of a team."""

import pytest

pytest.importorskip("psycopg")

from tests.store.team.colleagues import Colleagues, share, sync
from tests.store.team.conftest import database as database
from tests.store.team.conftest import place as place
from tests.store.team.conftest import postgres as postgres
from tests.store.team.conftest import team as team
from tests.tui.browser import ask, search, text, titles
from tests.tui.editing.editors import toasts
from tests.tui.patience import press

from .teamed import in_team


@pytest.mark.long
async def test_what_is_shared_in_the_browser_is_found_on_the_server_and_by_teammates(
    team: Colleagues,
) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    ada.observations.add("one", title="Retries need jitter", project="atlas", narrative="storms")
    share(ada)
    sync(ada)
    async with in_team(bob.path) as pilot:
        await ask(pilot, "jitter")
        await press(pilot, "escape", "at")
        assert titles(pilot) == ["Retries need jitter"]
        assert "Shared by ada." in text(search(pilot).reading.detail)
        await press(pilot, "d")
        assert "Only the team's server has this memory of ada's" in toasts(pilot)[-1]
    sync(bob)
    async with in_team(bob.path) as pilot:
        await ask(pilot, "jitter")
        await press(pilot, "escape", "at")
        assert titles(pilot) == ["Retries need jitter"]
        await press(pilot, "p")
        assert "Pinned" in toasts(pilot)[-1]
