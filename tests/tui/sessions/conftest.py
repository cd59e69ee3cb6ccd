"""A session to look at."""

from pathlib import Path

import pytest

from memtui.store import Store
from tests.tui.browser import NOW

MINUTE, HOUR = 60_000, 3_600_000


@pytest.fixture
def one_session(empty: Path) -> Path:
    """A session with three summaries, prompts, observations and files."""
    with Store.open(empty) as store, store.transaction():
        at = NOW - HOUR
        one = store.sessions.start("0123456789", agent="codex", project="atlas", title="Tiles", at=at)
        store.prompts.add(one, "why are the tiles late?", at=at)
        for minute, (title, read, modified) in enumerate(
            [
                ("Tiles wait for fonts", ["map.ts", "fonts.ts"], []),
                ("Fonts load beside the tiles", ["map.ts"], ["fonts.ts"]),
                ("A test for the order", [], ["fonts.ts", "order.test.ts"]),
            ]
        ):
            store.observations.add(
                one, title=title, files_read=read, files_modified=modified, at=at + minute * MINUTE
            )
        store.summaries.add(one, level="brief", request="Late tiles", at=at + 5 * MINUTE)
        store.summaries.add(
            one, learned="Fonts held them up.", completed="Tiles first.", notes=" ", at=at + 6 * MINUTE
        )
        store.sessions.end(one, at=at + 10 * MINUTE)
    return empty
