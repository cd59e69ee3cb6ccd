"""On a full disk the browser reads on, says so, and writes again when there is room."""

from pathlib import Path

from memtui.store import Store
from tests.promises import promise
from tests.store.full_disk import full_disk
from tests.tui.browser import app, ask, opened, press


def told(pilot: object) -> list[str]:
    return [str(one.message) for one in app(pilot)._notifications]  # type: ignore[arg-type]


@promise("full-disk")
async def test_the_same_key_works_when_there_is_room_again(demo: Path) -> None:
    async with opened(demo) as pilot:
        await ask(pilot, "token")
        await press(pilot, "enter")
        row = app(pilot).selection
        assert row is not None
        with full_disk():
            await press(pilot, "p")
            assert any("The disk of" in one for one in told(pilot))
            hits = await app(pilot).reader.run(lambda store: store.find("drift").page().hits)
            assert hits
        await press(pilot, "p")
    with Store.open(demo) as store:
        assert store.record(row.ref).pinned is not row.pinned
        assert store.doctor().ok
