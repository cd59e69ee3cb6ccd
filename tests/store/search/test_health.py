"""The doctor finds what is wrong, says what to do, and a rebuild mends all that is derived."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import DatabaseError, Health, Store
from tests.promises import promise

from ...conftest import OpenStore
from ..hard_texts import PIECES


@pytest.fixture
def filled(store: Store) -> Store:
    """A few memories of every kind."""
    for piece in PIECES:
        store.observations.add("c-1", title=piece, concepts=[piece], project="atlas")
    store.prompts.add("c-1", "why")
    store.summaries.add("c-1", request="drift", files_read=["a.py"])
    store.facts.add("clocks drift", entities=["NTP"])
    store.observations.add("c-1", title="hidden", concepts=["hidden"], private=True)
    return store


def damaged(store: Store, sql: str) -> Health:
    """What the doctor says after another program's hand was on what is derived."""
    with closing(apsw.Connection(str(store.path))) as other:
        other.execute(sql)
    return store.doctor(thorough=True)


def test_a_sound_store_is_well(filled: Store) -> None:
    health = filled.doctor(thorough=True)
    assert health.ok
    assert {check.name for check in health.checks} >= {"file", "documents", "labels", "index grams"}
    assert all(check.found for check in health.checks)


@promise("index-equals-data")
@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("DELETE FROM documents WHERE id = 3", "documents"),
        ("UPDATE documents SET project = 'other' WHERE id = 3", "documents"),
        ("UPDATE documents SET created_at = 5 WHERE id = 3", "documents"),
        ("UPDATE documents SET pinned = 1 WHERE id = 3", "documents"),
        ("INSERT INTO documents VALUES (999, 'o', 999, 1, '', 'note', 1, 0, 0)", "documents"),
        ("DELETE FROM label_uses WHERE document_id = 3", "labels"),
        ("INSERT INTO label_names (kind, value) VALUES ('concept', 'ghost')", "labels"),
        ("INSERT INTO label_uses VALUES (1, 5)", "labels"),
        ("DELETE FROM words WHERE rowid = 3", "index words"),
        ("DELETE FROM grams WHERE rowid = 3", "index grams"),
        ("INSERT INTO words (rowid, title, body, lists) VALUES (999, 'x', '', '')", "index words"),
        ("DELETE FROM grams; INSERT INTO grams (rowid, text) SELECT id, 'x' FROM documents", "index grams"),
        ("UPDATE words_data SET block = zeroblob(20) WHERE id > 10", "index words"),
        ("UPDATE grams_data SET block = zeroblob(20) WHERE id > 10", "index grams"),
    ],
)  # fmt: skip
@pytest.mark.sampled
def test_what_differs_from_the_rows_is_found(filled: Store, sql: str, name: str) -> None:
    health = damaged(filled, sql)
    assert not health.ok
    wrong = [check for check in health.checks if not check.ok]
    assert name in {check.name for check in wrong}
    assert all(check.remedy for check in wrong)
    filled.rebuild()
    assert filled.doctor(thorough=True).ok
    assert len(filled.find("drift").page().hits) == 2


@promise("index-equals-data")
def test_whichever_label_is_missing_is_found(store: Store) -> None:
    store.observations.add(
        "c-1", title="all", concepts=["concept"], files_read=["read.py"],
        files_modified=["changed.py"], tags=["tag"],
    )  # fmt: skip
    store.summaries.add("c-1", request="all", files_read=["told.py"], files_edited=["edited.py"])
    store.facts.add("clocks drift", entities=["NTP"])
    labels = store.db.execute("SELECT label_id, document_id FROM label_uses").fetchall()
    assert len(labels) == 7
    for label in labels:
        store.db.execute("DELETE FROM label_uses WHERE (label_id, document_id) = (?, ?)", label)
        told = {check.name: check.found for check in store.doctor().checks if not check.ok}
        assert told == {"labels": "1 missing, 1 too many"}  # Its name is used by nothing then.
        store.db.execute("INSERT INTO label_uses VALUES (?, ?)", label)
    assert store.doctor().ok


def test_the_full_text_of_a_sound_memory_is_read_once(filled: Store) -> None:
    asked: list[str] = []

    def note(_: apsw.Cursor, sql: str, __: object) -> bool:
        if "integrity" in sql or "EXCEPT SELECT * FROM" in sql:
            asked.append(sql)
        return True

    filled.db.exec_trace = note
    try:
        assert filled.doctor().ok
    finally:
        filled.db.exec_trace = None
    assert asked == ["PRAGMA integrity_check(5)"]


REPLACES = (
    "INSERT OR REPLACE INTO observations "
    "(id, uid, created_at, updated_at, session_id, title, concepts) "
    "SELECT {}, uid, 5, 5, 1, 'replaced', '[]' FROM observations WHERE id = 3"
)


@promise("index-equals-data")
@pytest.mark.parametrize("number", ["id", "999"])
def test_a_row_that_another_program_replaced_is_found_and_mended(filled: Store, number: str) -> None:
    # REPLACE deletes without telling triggers.
    health = damaged(filled, REPLACES.format(number))
    assert not health.ok
    for query in (*PIECES, "replaced", "", "kind:observation"):
        filled.find(query).page(related=True)
    assert len(filled.find("").rows(0, 99)) >= len(PIECES)
    filled.rebuild()
    assert [hit.row.title for hit in filled.find("replaced").page().hits] == ["replaced"]


def test_a_row_that_waits_is_not_wrong(filled: Store) -> None:
    with closing(apsw.Connection(str(filled.path))) as other:
        other.execute("UPDATE observations SET title = 'later' WHERE id < 5")
    with Store.open(filled.path, read_only=True) as reader:
        health = reader.doctor(thorough=True)
    assert health.ok
    waiting = {check.name: check.found for check in health.checks}["waiting to be indexed"]
    assert waiting == "4"


@promise("index-equals-data")
def test_a_rebuild_changes_no_answer(filled: Store) -> None:
    queries = [*PIECES, "concept:token", "file:a.py", "project:atlas", "is:private"]
    before = {query: sorted(hit.record.uid for hit in filled.find(query).page().hits) for query in queries}
    filled.rebuild()
    assert {q: sorted(hit.record.uid for hit in filled.find(q).page().hits) for q in queries} == before


def test_rows_without_their_session_are_found(tmp_path: Path) -> None:
    with Store.open(tmp_path / "orphans.db") as store:
        store.observations.add("c-1", title="drift")
        health = damaged(store, "PRAGMA foreign_keys = OFF; DELETE FROM sessions")
    assert "references" in {check.name for check in health.checks if not check.ok}


@promise("damage-found")
def test_overwritten_pages_are_found_and_told(tmp_path: Path) -> None:
    with Store.open(tmp_path / "damaged.db") as store:
        for number in range(300):
            store.observations.add("c-1", title=f"drift {number}", narrative="words " * 20)
        sql = "SELECT pageno FROM dbstat WHERE name = 'observations' AND pagetype = 'leaf'"
        pages = [page - 1 for (page,) in store.db.execute(sql)]
    whole = bytearray(store.path.read_bytes())
    for page in pages[::3]:
        whole[page * 4_096 : page * 4_096 + 2_000] = b"\xa5" * 2_000
    store.path.write_bytes(whole)
    with Store.open(store.path, read_only=True) as reader:
        health = reader.doctor(thorough=True)
        with pytest.raises(DatabaseError, match="mem doctor"):
            reader.observations.by_ids(range(1, 301))
    assert not health.ok
    assert all(check.remedy for check in health.checks if not check.ok)


@pytest.mark.parametrize("before", ["trigram", "unicode61", "like"])
@pytest.mark.parametrize("after", ["trigram", "unicode61", "like"])
def test_the_indexes_follow_the_tokenizer(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", before)
    store = open_store()
    store.observations.add("c-1", title="running tokens")
    store.close()
    monkeypatch.setenv("MEMTUI_TOKENIZER", after)
    store = open_store()
    assert {"running", "toke"} <= {
        query for query in ("running", "toke", "unni") if store.find(query).page().hits
    }
    assert bool(store.find("unni").page().hits) == (after != "unicode61")
    found = {check.name: check.found for check in store.doctor(thorough=True).checks}
    assert found["tokenizer"].startswith(after)
