"""A second process that reads a file ahead changes nothing of what comes in."""

import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.formats.common import second_process
from memtui.store.leaves.foreign import database_import
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.maintain.purge import purge

from ..foreign_files import TraeMemFile
from ..holdings import said
from .claude_mem_files import ClaudeMemFile

MANY = 200


@pytest.fixture(autouse=True)
def ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a second process read the smallest file, in small batches."""
    monkeypatch.setattr(second_process, "processors", lambda: 2)
    monkeypatch.setattr(database_import, "MANY", 0)
    monkeypatch.setattr(database_import, "BATCH_ROWS", 50)


@pytest.fixture(params=["claude-mem", "written by others meanwhile", "trae-mem"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A file with rows of every kind, among them secrets, odd lists and rows whose session is lost."""
    if request.param == "trae-mem":
        theirs = TraeMemFile(tmp_path / "trae.db")
        theirs.run(
            "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT ?) "
            "INSERT INTO observations (id, session_id, ts, kind, content, private) SELECT 'o-' || n, "
            "iif(n % 5, 't-1', 'lost'), 1770000000 + n, iif(n % 3, 'note', 'user'), "
            "'row number ' || n, n % 7 = 0 FROM numbers",
            MANY,
        )
        yield theirs.path
        return
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.prompt(prompt_text="password = hunter2hunter2 and 缓存 go on")
    file.observations(MANY)
    file.observation(title="lost", memory_session_id="lost", facts="no list", concepts="[1]")
    file.observation(title="secret", narrative="api_key=sk-ant-REDACTED1234567890abcdefghij")
    file.summary(learned="caches help")
    if request.param == "claude-mem":
        yield file.path
        return
    with closing(apsw.Connection(str(file.path))) as writer:
        writer.pragma("journal_mode", "wal")
        writer.execute("UPDATE observations SET subtitle = 'only in the log' WHERE id % 2")
        yield file.path


def told(store: Store, path: Path) -> tuple[Any, ...]:
    """What an import reports, and what the memory says then."""
    report = import_database(store, path)
    assert store.doctor(thorough=True).ok
    spellings = store.db.execute("SELECT word FROM spellings ORDER BY word").fetchall()
    return report.counts, report.warnings, report.stubs, said(store), spellings


def test_all_is_as_one_process_brings_it_in(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "two.db") as store:
        by_two = told(store, path)
        again = import_database(store, path)
        assert again.changes == 0
    monkeypatch.setattr(second_process, "processors", lambda: 1)
    with Store.open(tmp_path / "one.db") as store:
        assert told(store, path) == by_two


def test_all_comes_in_when_the_second_process_dies(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path / "whole.db") as store:
        whole = told(store, path)
    started = subprocess.Popen
    processes: list[Any] = []

    def start(*arguments: Any, **named: Any) -> Any:
        processes.append(started(*arguments, **named))
        return processes[-1]

    def kill(done: int, total: int) -> None:
        if done > 60:
            processes[0].kill()

    monkeypatch.setattr(subprocess, "Popen", start)
    with Store.open(tmp_path / "killed.db") as store:
        import_database(store, path, kill)
        assert processes[0].returncode is not None
        assert said(store) == whole[3]
        assert store.doctor(thorough=True).ok


def test_no_word_of_a_purged_row_is_kept(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observations(MANY)
    file.observation(title="unwantedword")
    import_database(store, file.path)
    (unwanted,) = store.observations.where("title = 'unwantedword'")
    purge(store, "observations", [unwanted.id])
    store.db.execute("DELETE FROM observations; DELETE FROM sessions")
    report = import_database(store, file.path)
    assert report.of("observations").new == MANY
    words = {word for (word,) in store.db.execute("SELECT word FROM spellings")}
    assert "unwantedword" not in words
    assert store.doctor(thorough=True).ok
