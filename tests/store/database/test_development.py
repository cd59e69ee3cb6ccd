"""A store of a development version is taken over by one command, with all its rows, or left as it was."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import DatabaseError, Store
from memtui.store.database import SCHEMA
from memtui.store.database.development import take_over
from memtui.store.database.schema import comparison
from memtui.store.database.schema.shapes import DERIVED
from memtui.store.search.index import full_text as index
from tests.promises import promise
from tests.store.cli.runner import Mem

from . import steps

LATER = {
    "observations": ("subagent", "repeats", "unreviewed", "confirmed_at"),
    "summaries": ("unreviewed",),
    "facts": ("unreviewed",),
    "notes": ("unreviewed",),
    "sessions": ("automatic", "continues", "branch", "tags"),
    "token_usage": ("model", "at"),
}
"""The columns of tables that came after schema 16."""

NEW = (
    *("agent_files", "agent_file_versions", "sync_places", "sync_peers", "unsynced_rows"),
    *("sync_tombstones", "sync_refused", "sync_exclusions", "sync_chunks", "renamed_records", "machines"),
    *("team", "team_projects", "team_choices", "team_rows", "team_reviews", "team_machines"),
    *("value_counts", "token_counts", "unmerged_sessions", "memory_uses"),
)
"""The tables that did."""


def age(path: Path) -> None:
    """Make a store one of schema 16: without what came later, which no row has anything in."""
    with closing(apsw.Connection(str(path))) as db:
        for kind, name in comparison.items(db):
            if kind in ("trigger", "view"):
                db.execute(f"DROP {kind} IF EXISTS {name}")
        db.execute(
            "DROP INDEX observations_by_turn;"
            "CREATE INDEX observations_by_session ON observations (session_id);"
            "DROP INDEX observations_by_subagent; DROP INDEX observations_of_subagents;"
            "DROP INDEX sessions_automatic; DROP INDEX sessions_continuing; DROP INDEX sessions_by_branch;"
            "DROP INDEX sessions_tagged;"
            "DROP INDEX observations_unreviewed; DROP INDEX summaries_unreviewed;"
            "DROP INDEX facts_unreviewed; DROP INDEX notes_unreviewed;"
        )
        for table, names in LATER.items():
            for name in names:
                db.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
        for table in reversed(NEW):
            db.execute(f"DROP TABLE {table}")
        db.execute("UPDATE observations SET extra = json_object('subagent', 'a-7', 'b', 1) WHERE id = 1")
        db.execute("UPDATE sqlite_sequence SET seq = seq + 7")
        db.execute("DELETE FROM schema_versions")
        db.pragma("user_version", 16)


@promise("upgrades-keep-data")
def test_it_has_all_its_rows_and_what_it_lacked(filled: Path, tmp_path: Path) -> None:
    with Store.open(filled) as store:
        found = steps.hits(store)
    age(filled)
    before = steps.rows(filled)
    mem = Mem(filled, tmp_path)
    refused = mem("search", "drift")
    assert refused.exit_code == 1
    assert f"`mem store rebuild --db {filled}` takes it over" in refused.stderr
    assert "it was it is in" in mem("store", "rebuild").output

    with Store.open(filled) as store:
        assert not comparison.differences(store.db, SCHEMA, index.scripts(index.wanted(store.db)))
        assert store.doctor(thorough=True).ok
        assert steps.hits(store) == found
        row = store.db.execute("SELECT subagent, extra FROM observations WHERE id = 1").fetchall()
        assert row == [("a-7", '{"b":1}')]
    after = steps.rows(filled)
    for name in before.keys() - DERIVED - {"meta"}:
        kept = [row[: len(before[name][0])] if before[name] else row for row in after[name]]
        if name == "observations":
            # What stands in a column of its own now.
            kept[0], before[name][0] = [
                tuple(value for value in row if "a-7" not in str(value) and value != '{"b":1}')
                for row in (kept[0], before[name][0])
            ]
        assert kept == before[name], name
    (copy,) = filled.parent.glob("memory.db-backups/*before-migration*")
    with closing(apsw.Connection(str(copy))) as db:
        assert db.pragma("user_version") == 16


def test_the_numbers_of_what_was_purged_are_given_to_nothing_else(filled: Path) -> None:
    age(filled)
    with closing(apsw.Connection(str(filled))) as db:
        last = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'observations'").get
    take_over(filled)
    with Store.open(filled) as store:
        assert store.observations.add("c-1", title="next").id == last + 1


def duplicate_fact(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as db:
        db.execute(
            "DROP INDEX facts_statement;"
            "INSERT INTO facts (uid, created_at, updated_at, project, kind, content, statement) "
            "SELECT 'twin', 1, 1, project, kind, content, statement FROM facts LIMIT 1"
        )


@promise("upgrades-keep-data")
@pytest.mark.parametrize("spoil", ["a rule that rows break", "a full disk"])
def test_where_not_all_would_be_kept_it_stays_as_it_was(
    filled: Path, spoil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(filled)
    if spoil == "a full disk":
        monkeypatch.setattr("memtui.store.database.backup.free_bytes", lambda _: 0)
    else:
        duplicate_fact(filled)
    before = steps.rows(filled)
    with pytest.raises(DatabaseError, match=r"index facts_statement: missing|no backup of it"):
        take_over(filled)
    assert steps.rows(filled) == before
    with closing(apsw.Connection(str(filled))) as db:
        assert db.pragma("user_version") == 16


def test_a_store_of_this_version_is_none_of_them(filled: Path) -> None:
    before = filled.read_bytes()
    assert take_over(filled) is None
    assert filled.read_bytes() == before
