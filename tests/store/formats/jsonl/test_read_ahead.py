"""A second process that reads an export ahead changes nothing of what comes in."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.formats.common import second_process
from memtui.store.formats.jsonl import file_import, reading
from memtui.store.formats.jsonl.file_import import import_jsonl
from tests.conftest import OpenStore

from ..fillings import exported, fill
from ..holdings import said

MANY = 120


@pytest.fixture(autouse=True)
def ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a second process read the smallest file."""
    monkeypatch.setattr(second_process, "processors", lambda: 2)
    monkeypatch.setattr(file_import, "LARGE", 0)


@pytest.fixture
def path(open_store: OpenStore, tmp_path: Path) -> Path:
    """An export with rows of every table, with bad lines, and with one row twice."""
    other = open_store(tmp_path / "source.db")
    fill(other)
    session = other.sessions.start("many", project="atlas")
    for number in range(MANY):
        other.observations.add(session, title=f"row {number} 缓存", event_id=f"e-{number}")
    kept = exported(other).splitlines(keepends=True)
    twice = next(line for line in kept if b"row 7 " in line)
    bad = [b"not json\n", b'{"table": "observations", "uid": 5}\n', b'{"table": "unknown"}\n']
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join([*kept[:-1], twice, *bad, kept[-1]]))
    return path


def told(place: Path, path: Path) -> tuple[Any, ...]:
    """What an import reports, and what a new memory says then."""
    with Store.open(place) as store:
        report = import_jsonl(store, path)
        assert store.doctor(thorough=True).ok
        words = store.db.execute("SELECT word FROM spellings ORDER BY word").fetchall()
        return report.counts, report.warnings, report.notes, said(store), words


def test_all_is_as_one_process_brings_it_in(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_two = told(tmp_path / "two.db", path)
    monkeypatch.setattr(second_process, "processors", lambda: 1)
    assert told(tmp_path / "one.db", path) == by_two


def test_all_comes_in_when_the_second_process_dies(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = told(tmp_path / "whole.db", path)
    started = subprocess.Popen
    processes: list[Any] = []

    def start(*arguments: Any, **named: Any) -> Any:
        processes.append(started(*arguments, **named))
        processes[-1].kill()
        return processes[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    assert told(tmp_path / "killed.db", path) == whole
    assert processes[0].returncode is not None


def test_a_row_that_is_refused_keeps_none_of_the_others_out(store: Store, path: Path) -> None:
    store.observations.add("here", title="of the same event", event_id="e-9")
    report = import_jsonl(store, path)
    assert report.of("observations").new >= MANY - 1
    assert store.doctor(thorough=True).ok
    assert store.find("缓存").count().value >= MANY - 1


def test_again_it_changes_nothing(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BATCH_LINES", 50)
    import_jsonl(store, path)
    before = said(store)
    assert import_jsonl(store, path).changes == 0
    assert said(store) == before
