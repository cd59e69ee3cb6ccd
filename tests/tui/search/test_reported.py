"""A memory that an agent reported says so in the detail, with the reason."""

from pathlib import Path

from memtui.store import Store
from memtui.tui.memory import Detail
from tests.tui.browser import ask, opened, search, text


async def test_the_detail_tells_who_reported_it_and_why(tmp_path: Path) -> None:
    path = tmp_path / "reported.db"
    with Store.open(path) as store:
        for title in ("Clock drift broke logins", "A queue for mails"):
            store.observations.add("c-1", title=title, project="atlas")
        reason = "It was a proxy \x1b[2J"
        store.reporting.report(store.record("1"), "wrong", reason, "claude-code")
        store.reporting.report(store.record("2"), "useful")
    async with opened(path) as pilot:
        await ask(pilot, "is:wrong")
        shown = text(search(pilot).query_one(Detail))
        assert "Reported wrong by claude-code, " in shown and "It was a proxy" in shown
        assert "\x1b" not in shown
        await ask(pilot, "is:reported -is:wrong")
        assert "Reported useful by a person" in text(search(pilot).query_one(Detail))
