"""What memtui promises its users, and the mark that ties a test to the promise it proves.

    @promise("acknowledged-survives")
    def test_a_killed_writer_loses_nothing(store, tally):
        random = tally.random()
        ...
        tally(tried=40, lost=len(lost))
        assert not lost

`tally` is optional: without it a test counts as one try. `tried` is how often the test tried to
break the promise; each other name is something that went wrong, so that it is 0 where the promise
was kept. Tally before you assert, so that what failed is counted too.

Where the environment variable MEMTUI_PROMISES names a file, each marked test appends a line of JSON
to it: `promise`, `test`, `outcome` (passed, failed, skipped), `counts`, `seed`, `seconds`. Of these
`python -m bench.promises` makes the table in docs/promises.md.
"""

import json
import os
import random
import zlib
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

PROMISES = {
    "hook-never-blocks": "A hook never blocks the agent, whatever is broken.",
    "acknowledged-survives": "What was acknowledged survives the death of any process.",
    "power-cut": "What was acknowledged survives a power cut.",
    "never-locked": "Nobody is told that the database is locked.",
    "spool-exactly-once": "What a hook wrote down is stored, and stored once.",
    "one-row-an-event": "An event that arrives twice, or is imported again, is one row.",
    "queue-never-sticks": "The queue never sticks.",
    "index-equals-data": "Search finds what is stored, and nothing else.",
    "private-never-findable": "What is private is never found, shown to an agent or exported.",
    "secrets-never-stored": "Secrets of known kinds never reach the disk.",
    "undo-exact": "Undo restores exactly what was there.",
    "purge-final": "Purged text is gone from every file, and stays gone.",
    "vectors-follow": "A vector never outlives its text.",
    "upgrades-keep-data": "An upgrade keeps every memory.",
    "older-code-harms-none": "An older memtui never harms a newer memory.",
    "backups-restore": "A backup restores to a sound memory.",
    "logs-left-behind": "A log or lock left behind never touches another memory.",
    "damage-found": "A damaged file is found.",
    "damage-salvaged": "A damaged memory is salvaged as far as it can be read.",
    "full-disk": "A full disk loses nothing acknowledged, and reading goes on.",
    "any-text-is-safe": "Any text is safe to see.",
    "any-bytes-are-readable": "Bytes that are no text, and numbers out of range, hide no other row.",
    "any-query-is-safe": "Any query is answered, soon and without an error.",
    "dirty-input": "Import and sync survive any input, and stay in the directory they were given.",
    "memory-cant-command": "A memory can't pose as a user's or a system's words to an agent.",
    "no-self-observation": "memtui never remembers itself.",
    "files-are-ours-only": "Nobody but you can read what memtui writes.",
    "doctor-says-so": "`mem doctor` says what is broken.",
    "stays-small": "It stays small and quick however long it runs.",
}
MARK = "promise"


def promise(name: str) -> pytest.MarkDecorator:
    """Mark a test as proof of one of `PROMISES`; give several marks where it proves several."""
    return pytest.mark.promise(_known(name))


class Tally:
    """Counts what a test tried and what went wrong."""

    def __init__(self, default_seed: int) -> None:
        self.counts: Counter[str] = Counter()
        self.seed: int | None = None
        self._default_seed = default_seed

    def __call__(self, **counts: int) -> None:
        """Add to the counts; `tried` is tries, each other name a kind of failure."""
        self.counts.update(counts)

    def random(self) -> random.Random:
        """Return the test's source of chance, and print its seed.

        In the short run a test has the same seed each time, in the long run a new one;
        MEMTUI_SEED gives it one.
        """
        self.seed = int(os.environ.get("MEMTUI_SEED", self._default_seed))
        print(f"seed {self.seed}; MEMTUI_SEED={self.seed} tries the same again")
        return random.Random(self.seed)


_TALLY = pytest.StashKey[Tally]()
_FAILED = pytest.StashKey[str]()
_SECONDS = pytest.StashKey[float]()


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """How much the test tried and what went wrong."""
    name = request.node.nodeid
    fresh = request.node.get_closest_marker("long") is not None
    made = Tally(random.SystemRandom().getrandbits(32) if fresh else zlib.crc32(name.encode()))
    request.node.stash[_TALLY] = made
    return made


def promises_of(item: pytest.Item) -> list[str]:
    """Return the promises that a test proves; ValueError for one that isn't in `PROMISES`."""
    return sorted({_known(*mark.args) for mark in item.iter_markers(MARK)})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse marks that name no promise."""
    for item in items:
        try:
            promises_of(item)
        except (TypeError, ValueError) as error:
            raise pytest.UsageError(f"{item.nodeid}: {error}") from None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Write down what a marked test came to, once it and its fixtures are through."""
    report = yield
    item.stash[_SECONDS] = item.stash.get(_SECONDS, 0.0) + call.duration
    if report.outcome != "passed":
        item.stash[_FAILED] = "failed" if report.failed else item.stash.get(_FAILED, "skipped")
    path = os.environ.get("MEMTUI_PROMISES")
    if path and call.when == "teardown":
        _write_down(item, Path(path))
    return report


def _write_down(item: pytest.Item, path: Path) -> None:
    tally = item.stash.get(_TALLY, None)
    seconds = item.stash[_SECONDS]
    for name in promises_of(item):
        line = {
            "promise": name,
            "test": item.nodeid,
            "outcome": item.stash.get(_FAILED, "passed"),
            "counts": dict(tally.counts) if tally else {},
            "seed": tally.seed if tally else None,
            "seconds": round(seconds, 3),
        }
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def _known(name: str) -> str:
    if name not in PROMISES:
        raise ValueError(f"{name!r} is none of the promises in tests/promises.py")
    return name
