"""An import that is killed and done again gives what one that was let run gives."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.jsonl import reading
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.formats.scheme_c import directory_import
from memtui.store.leaves.foreign import database_import
from memtui.store.maintain.importing import run, source_of
from tests.places import PYTHONPATH
from tests.promises import promise

from .claude_mem.claude_mem_files import ClaudeMemFile
from .foreign_files import TraeMemFile
from .holdings import contents, said
from .scheme_c.directories import directory, fact, line

MANY = 420
"""A few more than come in as one, with `small_batches`."""

KILLED = """
import os, signal, sys
from pathlib import Path
from memtui.store import Store
from memtui.store.leaves.foreign import database_import
from memtui.store.formats.jsonl import reading
from memtui.store.formats.scheme_c import directory_import
from memtui.store.maintain.importing import run, source_of

database_import.BATCH_ROWS = reading.BATCH_LINES = 400
directory_import.BATCH = 100
calls = 0

def kill(done, total, words):
    global calls
    calls += 1
    if calls == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

path = Path(sys.argv[2])
with Store.open(sys.argv[1]) as store:
    run(store, source_of(path), path, kill)
"""


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a tenth of the usual number of rows come in as one, as in the process that is killed."""
    monkeypatch.setattr(database_import, "BATCH_ROWS", 400)
    monkeypatch.setattr(reading, "BATCH_LINES", 400)
    monkeypatch.setattr(directory_import, "BATCH", 100)


def claude_mem(home: Path) -> Path:
    """A database of several batches."""
    file = ClaudeMemFile(home / "claude-mem.db")
    file.session()
    file.prompt()
    file.observations(MANY)
    file.observation(memory_session_id="lost")
    file.summary(learned="caches help")
    return file.path


def trae_mem(home: Path) -> Path:
    """One whose rows go by names."""
    file = TraeMemFile(home / "trae.db")
    file.run(
        "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?) "
        "INSERT INTO observations (id, session_id, ts, kind, content) "
        "SELECT 'o-' || n, 't-1', 1770000000 + n, iif(n % 3, 'note', 'user'), 'row ' || n FROM numbers",
        MANY,
    )
    return file.path


def jsonl(home: Path) -> Path:
    """An export of ours."""
    with Store.open(home.parent / "exported.db") as store, store.transaction():
        run(store, "claude-mem", claude_mem(home.parent), None)
        with (home / "export.jsonl").open("wb") as file:
            export_jsonl(store, file, Scope())
    return home / "export.jsonl"


def scheme_c(home: Path) -> Path:
    """A directory with lines of every kind."""
    days = [
        line(number % 60, id=f"a-{number}", content=f"did {number}") if number % 2
        else fact(number % 60, f"it holds {number % 30}", id=f"f-{number}")
        for number in range(140)
    ]  # fmt: skip
    final = [{"id": f"f{number}", "type": "W", "content": f"it holds {number}"} for number in range(35)]
    sessions = [{"id": "s", "session_id": "conv-1", "topic": "all done"}]
    return directory(home / "c", d16=days, facts=final, sessions=sessions, MEMORY_md="# Rules\n")


@promise("acknowledged-survives")
@pytest.mark.parametrize("made", [claude_mem, trae_mem, jsonl, scheme_c])
@pytest.mark.sampled
def test_it_goes_on_where_it_was_killed(store: Store, tmp_path: Path, made: Callable[[Path], Path]) -> None:
    (tmp_path / "home").mkdir()
    path = made(tmp_path / "home")
    before = contents(tmp_path / "home")
    run(store, source_of(path), path, None)
    expected = said(store)
    for step in (1, 2, 3):
        place = tmp_path / f"{step}.db"
        command = [sys.executable, "-c", KILLED, str(place), str(path), str(step)]
        ended = subprocess.run(command, env=os.environ | {"PYTHONPATH": PYTHONPATH})
        if step == 3 and ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL
        with Store.open(place) as other:
            kept = other.stats().observations
            report = run(other, source_of(path), path, None)
            assert report.of("observations").unchanged == kept
            assert said(other) == expected
            assert other.doctor().ok
    assert contents(tmp_path / "home") == before
