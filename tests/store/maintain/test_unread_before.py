"""A rebuild over a memory that can't be read first takes none of its rows for a later one."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.maintain import rebuild
from memtui.store.platform.errors import DatabaseError
from tests.store.formats.fillings import exported


def test_what_cannot_be_read_before_is_not_mixed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, export = tmp_path / "memory.db", tmp_path / "export.jsonl"
    with Store.open(path) as store:
        store.observations.add("s", title="kept")
        export.write_bytes(exported(store))
        store.observations.add("s", title="not in the export")
    opened = Store.open
    failures = [DatabaseError("The disk can't be read.")]

    def failing(place: Any, **options: Any) -> Store:
        if options.get("read_only") and failures:
            raise failures.pop()
        return opened(place, **options)

    monkeypatch.setattr(Store, "open", failing)
    done = rebuild.rebuild_from(path, export)
    monkeypatch.undo()
    assert any("could not be read before" in note for note in done.report.notes)
    with Store.open(path) as store:
        assert store.db.execute("SELECT title FROM observations").fetchall() == [("kept",)]
