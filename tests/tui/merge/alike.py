"""A memory with observations that say nearly the same, and facts that a later one replaced."""

from pathlib import Path

from memtui.store import Store
from tests.tui.browser import NOW

STORY = (
    "The refresh call used the client's time, and a laptop five minutes ahead was told that its "
    "token was old. The server's own clock decides now, with a leeway of sixty seconds."
)
DAY = 86_400_000


def fill(path: Path) -> None:
    """Put them into a new memory: observations 1 and 2 are alike, facts f1 and f2."""
    at = NOW - 3 * DAY
    with Store.open(path) as store:
        first = store.sessions.start("c-1", project="atlas", title="Login fails", at=at)
        second = store.sessions.start("c-2", project="atlas", title="Clock drift", at=at + DAY)
        store.observations.add(
            first, title="Token expired early on laptops", type="bugfix", narrative=STORY,
            facts=["TTL is 24 h"], concepts=["clock"], files_modified=["src/auth.py"],
            tags=["auth"], at=at + 1_000,
        )  # fmt: skip
        store.observations.add(
            second, title="Token expired too early on laptops", type="bugfix",
            narrative=STORY.replace("with a", "and it has a"), facts=["leeway is 90 s"],
            concepts=["clock"], files_modified=["src/auth.py", "src/clock.py"],
            tags=["auth", "clock"], at=at + DAY + 1_000,
        )  # fmt: skip
        store.observations.add(
            second, title="Moved the cache", type="refactor", narrative="Redis is gone.",
            at=at + DAY + 2_000,
        )  # fmt: skip
        for number, content in enumerate(("Tests run with Python 3.11", "Tests run with Python 3.13")):
            store.facts.add(content, project="atlas", entities=["tests"], at=at + number * DAY)
