"""The `claude-mem` export is a database as claude-mem 9 makes it, and comes in again whole."""

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.formats.common.report import FormatResult
from memtui.store.leaves.foreign.claude_mem_export import export_claude_mem
from memtui.store.leaves.foreign.database_import import import_database
from tests.places import FOREIGN

from ....conftest import OpenStore
from ..fillings import CANARY, NOW, fill, hide
from ..holdings import contents

KEPT = FOREIGN / "claude-mem-v9.db"


def made(store: Store, path: Path) -> FormatResult:
    """The export in a new file."""
    path.touch()
    return export_claude_mem(store, path)


def all_of(path: Path, sql: str) -> list[Any]:
    """What a query of a database gives."""
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as db:
        return db.execute(sql).fetchall()


def test_it_comes_in_again_with_equal_counts(store: Store, open_store: OpenStore, tmp_path: Path) -> None:
    fill(store)
    counts = made(store, tmp_path / "out.db").counts
    other = open_store(tmp_path / "other.db")
    report = import_database(other, tmp_path / "out.db")
    ours = {"sdk_sessions": "sessions", "user_prompts": "prompts", "observations": "observations",
            "session_summaries": "summaries", "pending_messages": "pending"}  # fmt: skip
    assert {ours[table]: count for table, count in counts.items()} == {
        kind: found.new for kind, found in report.counts.items() if kind in ours.values()
    }
    assert report.stubs == 0
    one = next(found for found in other.observations.recent() if found.title == "Clock drift 缓存")
    assert (one.narrative, one.facts, one.concepts, one.created_at) == (
        "Tokens\nlive 24 h.", ("TTL is 24 h",), ("auth",), NOW + 3_000,
    )  # fmt: skip
    assert import_database(other, tmp_path / "out.db").changes == 0


def test_two_exports_of_a_memory_are_one_source(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    fill(store)
    made(store, tmp_path / "first.db")
    store.observations.add("c-1", title="later", agent="codex")
    made(store, tmp_path / "second.db")
    other = open_store(tmp_path / "other.db")
    import_database(other, tmp_path / "first.db")
    report = import_database(other, tmp_path / "second.db")
    assert report.of("observations").new == 1


def test_its_own_search_finds_the_rows_and_follows_them(store: Store, tmp_path: Path) -> None:
    fill(store)
    path = tmp_path / "out.db"
    made(store, path)
    with closing(apsw.Connection(str(path))) as db:
        for table in ("observations", "user_prompts", "session_summaries"):
            db.execute(f"INSERT INTO {table}_fts ({table}_fts, rank) VALUES ('integrity-check', 1)")
        drift = "SELECT count(*) FROM observations_fts WHERE observations_fts MATCH 'drift'"
        assert db.execute(drift).get == 1
        db.execute("UPDATE observations SET title = 'skew'")
        assert db.execute(drift).get == 0
        assert db.execute("PRAGMA integrity_check").get == "ok"
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_nothing_hidden_is_in_it_and_that_is_told(store: Store, tmp_path: Path) -> None:
    fill(store)
    hide(store)
    exported = made(store, tmp_path / "out.db")
    assert CANARY.encode() not in (tmp_path / "out.db").read_bytes()
    assert any("private, deleted or pending" in sentence for sentence in exported.unheld)


def test_what_it_cant_hold_is_told(store: Store, tmp_path: Path) -> None:
    fill(store)
    told = " ".join(made(store, tmp_path / "out.db").unheld)
    for what in ("agent is lost", "tags", "1 fact", "1 note", "a pin", "1 search", "title"):
        assert what in told


def test_a_memory_that_fits_is_told_nothing(store: Store, tmp_path: Path) -> None:
    session = store.sessions.start("c-1", agent="claude-code", memory_session_id="m-1")
    store.observations.add(session, title="drift")
    assert made(store, tmp_path / "out.db").unheld == ()


def test_sessions_keep_apart_whatever_their_ids(store: Store, tmp_path: Path) -> None:
    for agent in ("codex", "claude-code"):
        session = store.sessions.start("same", agent=agent)
        store.observations.add(session, title=agent)
    made(store, tmp_path / "out.db")
    rows = all_of(
        tmp_path / "out.db",
        "SELECT s.content_session_id, o.title FROM observations o "
        "JOIN sdk_sessions s USING (memory_session_id) ORDER BY o.id",
    )
    assert rows == [("same", "codex"), ("claude-code:same", "claude-code")]


def test_the_text_of_a_summary_stands_in_its_notes(store: Store, tmp_path: Path) -> None:
    store.summaries.add("c-1", notes="noted", text="said")
    store.summaries.add("c-1", text="only said")
    made(store, tmp_path / "out.db")
    notes = all_of(tmp_path / "out.db", "SELECT notes FROM session_summaries ORDER BY id")
    assert notes == [("noted\n\nsaid",), ("only said",)]


def test_times_no_calendar_has_do_no_harm(store: Store, tmp_path: Path) -> None:
    store.observations.add("c-1", title="t", at=1 << 60)
    made(store, tmp_path / "out.db")
    rows = all_of(tmp_path / "out.db", "SELECT created_at, created_at_epoch FROM observations")
    assert rows == [("", 1 << 60)]


@pytest.mark.skipif(not KEPT.exists(), reason="the kept files are not here")
def test_the_schema_is_that_of_a_kept_file(store: Store, tmp_path: Path) -> None:
    def schema(path: Path) -> dict[str, str]:
        sql = "SELECT name, sql FROM sqlite_schema"
        uri = f"file:{path.resolve()}?immutable=1"
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        with closing(apsw.Connection(uri, flags=flags)) as db:
            return {name: re.sub(r'[\s"]+', "", text or "") for name, text in db.execute(sql)}

    before = contents(KEPT.parent)
    made(store, tmp_path / "out.db")
    assert schema(tmp_path / "out.db") == schema(KEPT)
    assert contents(KEPT.parent) == before


def test_noise_is_left_out_and_that_is_told(store: Store, tmp_path: Path) -> None:
    store.observations.add("c-1", agent="claude-code", type="noise", title="Listed src")
    found = made(store, tmp_path / "out.db")
    assert found.counts["observations"] == 0
    assert "1 observation of noise left out." in found.unheld
