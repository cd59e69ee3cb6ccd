"""No table and no column is forgotten by a purge: each that can hold what somebody said is tried, and a
new one has to be named here."""

import json
from pathlib import Path
from typing import Any

from memtui.store import Action, Store
from memtui.store.maintain.purge import purge_for_good
from memtui.store.records.kinds import TABLES
from memtui.store.tables.removal.purge_selection import Selection, with_what_belongs
from tests.promises import promise

from .test_purge import bytes_of

CANARY = "zebracanary"
AT = 1_771_000_000_000

COMMON = {
    "uid": "random, or a hash", "origin": "which machine", "editor": "which machine",
    "source": "which program's file, by a hash", "native_id": "its number there: tombstones need it",
    "fingerprint": "a hash",
}  # fmt: skip
UNSAID: dict[str, dict[str, str]] = {
    "sessions": COMMON | {"agent": "which agent", "status": "one of three words"},
    "prompts": COMMON,
    "observations": COMMON | {"content_hash": "a hash"},
    "summaries": COMMON | {"level": "one of two words"},
    "facts": COMMON | {
        "kind": "a letter", "evidence": "uids", "sources": "hashes of sources",
        "superseded_by": "a uid",
    },
    "notes": COMMON,
    "fact_sources": COMMON | {"evidence": "uids", "witnesses": "uids or hashes"},
    "pending_messages": COMMON | {
        "kind": "one of two words", "status": "one of five words", "lease_owner": "which process",
        "outcome": "which observer, or why none",
    },
    "meta": {"key": "our own words", "value": "our own words and numbers"},
    "captured_events": {
        "kind": "our own words", "key": "an agent's id, or a hash", "content": "a hash",
        "channel": "our own words",
    },
    "subagents": {"agent": "which agent", "id": "an agent's id", "parent": "an agent's id"},
    "token_usage": {"message": "an agent's id", "model": "a model's name"},
    "spool_segments": {"segment": "a path of ours"},
    "quarantine": {"agent": "which agent", "reason": "our own words"},
    "hook_runs": {"agent": "which agent"},
    "agent_days": {"agent": "which agent"},
    "observer_days": {"model": "which model"},
    "transcripts": {
        "path": "an agent's file, which it is read by", "agent": "which agent",
        "file": "a mark of the file",
    },
    "source_marks": {"mark": "a hash", "source": "a hash"},
    "vanished": {"kind": "a table"},
    "synced_files": {
        "directory": "a hash", "file": "a directory's file, which it is kept in step by",
        "hash": "a hash",
    },
    "synced_records": {
        "directory": "a hash", "uid": "a uid", "kind": "our own words",
        "file": "a directory's file, which it is kept in step by", "hash": "a hash",
    },
    "directories": {"directory": "a hash", "path": "a directory that is kept in step"},
    "changes": {
        "actor": "which machine", "via": "a command or key", "agent": "which agent",
        "undone_via": "a command or key", "host": "which machine", "undone_agent": "which agent",
        "undone_host": "which machine",
    },
    "hosts": {"id": "which machine", "name": "a machine's name"},
    "changed_rows": {"kind": "a table", "uid": "a uid"},
    "retention_policies": {"project": "a choice about a project, which stays"},
    "purged": {
        "uid": "a uid", "kind": "a table", "source": "a hash", "native_id": "a number elsewhere",
        "key": "a hash",
    },
    "agent_files": {
        "uid": "a uid", "path": "an agent's file, which is edited by it", "sha256": "a hash",
    },
    "agent_file_versions": {"sha256": "a hash"},
    "shared_files": {
        "project": "a choice about a project, which stays", "place": "an agent's file", "seen": "hashes",
        "machine": "which machine", "text": "what an agent's file says, which stays the truth",
    },
    "merged_records": {
        "uid": "a uid", "into_uid": "a uid", "session": "a uid", "key": "a hash",
    },
    "not_duplicates": {"uid": "a uid", "other_uid": "a uid"},
    "reports": {"uid": "a uid", "agent": "which agent", "verdict": "one of two words"},
    "sync_places": {
        "name": "a machine's name", "address": "where a machine is met", "machine": "which machine",
        "direction": "one of three words", "trouble": "our own words",
    },
    "machines": {"machine": "which machine", "name": "a machine's name"},
    "sync_peers": {"machine": "which machine", "name": "a machine's name", "meeting": "a random name"},
    "unsynced_rows": {"kind": "a table", "came_from": "which machine", "note": "one of two words"},
    "sync_tombstones": {"kind": "a table", "uid": "a uid", "editor": "which machine"},
    "sync_refused": {"machine": "which machine", "kind": "a table", "reason": "our own words"},
    "sync_chunks": {"folder": "which folder", "chunk": "a hash"},
    "team": {
        "team_id": "a uid", "name": "a team's name", "dsn": "where its server is",
        "read_dsn": "where a replica of it is", "cursors": "numbers of its rows",
        "member": "a person's name", "role": "one of three words", "tells": "one of three words",
        "trouble": "our own words",
    },
    "team_projects": {
        "project": "a choice about a project, which stays", "visibility": "one of two words",
        "types": "kinds and types",
    },
    "team_reviews": {
        "uid": "a uid", "member": "a person's name", "verdict": "one of three words",
        "version": "a clock and a machine", "unseen": "clocks and machines",
    },
    "team_machines": {"machine": "a machine", "member": "a person's name"},
    "team_choices": {"uid": "a uid", "visibility": "one of three words"},
    "team_rows": {
        "kind": "a table", "uid": "a uid", "author": "a person's name", "state": "our own words",
        "project": "a project of the team, whose server knows it", "visibility": "one of two words",
        "version": "a clock and a machine", "unseen": "clocks and machines",
    },
    "renamed_records": {"uid": "a uid", "into_uid": "a uid", "kind": "a table"},
    "given_contexts": {"agent": "which agent", "project": "gone with its session's row",
                       "occasion": "our own words"},
    "memory_uses": {"kind": "a letter", "agent": "which agent"},
    "context_profiles": {"first": "refs", "left_out": "refs", "brief": "refs"},
    "documents": {"kind": "a letter"},
    "document_vectors": {"model": "a hash of settings", "vectors": "numbers, gone with their text"},
    "document_counts": {
        "project": "gone with its last document", "kind": "a letter",
        "type": "gone with its last document", "agent": "which agent",
    },
    "span_counts": {
        "project": "gone with its last document", "kind": "a letter",
        "type": "gone with its last document", "agent": "which agent",
    },
    "value_counts": {"name": "our own words", "value": "gone with its last document"},
    "fact_counts": {"project": "gone with its last fact", "kind": "a letter"},
    "message_counts": {"status": "our own words"},
    "label_names": {"kind": "our own words"},
    "repositories": {"place": "a hash", "head": "a commit's hash", "sessions": "a hash"},
    "file_commits": {"status": "a letter of git's"},
}  # fmt: skip
"""The columns of texts that hold nothing of what somebody said, and why."""

SAID: dict[str, tuple[str, ...]] = {
    "changes": ("what", "changeset", "undo_changeset"),
    "quarantine": ("record",),
    "transcripts": ("state",),
    "redone_changes": ("undo_changeset", "redo_changeset"),
    "project_places": ("kind", "place", "project"),
    "project_aliases": ("name", "project"),
    "recent_searches": ("text",),
    "saved_searches": ("name", "query"),
    "given_contexts": ("session", "refs"),
    "memory_uses": ("session",),
    "gone_lines": ("citation",),
    "reports": ("reason",),
    "team_reviews": ("reply",),
    "unsynced_rows": ("key",),
    "sync_refused": ("key",),
    "sync_exclusions": ("query",),
    "context_profiles": ("project",),
    "documents": ("project", "type"),
    "label_names": ("value",),
    "spellings": ("word", "backwards"),
}
"""Those that may quote it, of tables that are no records: `fill` puts the canary into each. In tables
of records it is in all columns that aren't in `UNSAID`."""

RECORDS = (*TABLES.values(), "fact_sources", "pending_messages")
LISTS = frozenset(
    ("facts", "concepts", "files_read", "files_modified", "files_edited", "tags", "entities", "places")
)  # fmt: skip


def texts_of(store: Store) -> dict[str, set[str]]:
    """The columns of texts and bytes of all tables but the full-text indexes' own."""
    sql = (
        "SELECT l.name, c.name FROM pragma_table_list l, pragma_table_info(l.name) c "
        "WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite%' "
        "AND c.type IN ('TEXT', 'BLOB', 'ANY', '')"
    )
    found: dict[str, set[str]] = {}
    for table, column in store.db.execute(sql):
        found.setdefault(str(table), set()).add(str(column))
    return found


def test_each_column_of_texts_is_named_here(store: Store) -> None:
    for table, columns in texts_of(store).items():
        named = set(UNSAID.get(table, {})) | set(SAID.get(table, ()))
        if table in RECORDS:
            continue
        assert columns <= named, f"{table}: say what a purge does with {columns - named}"


def rows_of(store: Store) -> str:
    """All rows of all tables."""
    return repr(
        {table: store.db.execute(f"SELECT * FROM {table}").fetchall() for table in texts_of(store)}
    ).lower()


def fill(store: Store) -> Selection:
    """The canary in every column that may hold what somebody said; what is to be purged."""
    session = store.sessions.start("c-1", agent="codex", project=f"{CANARY}-project", at=AT)
    numbers = {
        "sessions": session.id,
        "observations": store.observations.add(session, title="t", event_id="e", tags=["t"]).id,
        "prompts": store.prompts.add(session, "p").id,
        "summaries": store.summaries.add(session, request="r").id,
        "facts": store.facts.add("f").id,
        "notes": store.notes.upsert("n.md", "n").id,
        "pending_messages": store.pending.add(session, tool_input="i", event_id="e-2"),
        "fact_sources": 1,
    }
    texts = texts_of(store)
    with store.change("filled"):
        for table in RECORDS:
            for column in sorted(texts[table] - set(UNSAID[table])):
                said: Any = f"{CANARY} {table} {column}"
                said = json.dumps([said]) if column in LISTS else said
                said = json.dumps({"k": said}) if column == "extra" else said
                store.db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (said, numbers[table]))
    store.edit("1", {"title": f"{CANARY} edited"})
    store.edit("1", {"title": f"{CANARY} edited twice", "type": f"{CANARY}-type"})
    store.undo()
    store.redo()
    store.change_many(["1"], Action("tag", add=(f"{CANARY}tag",)))
    store.change_many(["1"], Action("project", project=f"{CANARY}-moved"))
    store.reporting.report(store.record("1"), "wrong", f"it was {CANARY}", "codex")
    store.reporting.report(store.record("1"), "wrong", f"it never was {CANARY}", "codex")
    store.searches.remember(f"where is {CANARY}")
    store.searches.save(f"my {CANARY}", f"{CANARY} is:pinned")
    store.searches.save("stays", "type:bugfix")
    key = store.sessions.get(session.id).content_session_id
    more: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("INSERT INTO quarantine (at, agent, reason, record) VALUES (1, 'codex', 'torn', ?)",
         (json.dumps({"text": f"{CANARY} observations narrative"}),)),
        ("INSERT INTO transcripts (path, agent, state) VALUES ('/srv/t.jsonl', 'codex', ?)",
         (json.dumps({"prompt": f"{CANARY} prompts text"}),)),
        ("INSERT INTO project_places VALUES ('root', ?, ?)",
         (f"/srv/{CANARY}", f"{CANARY}-moved")),
        ("INSERT INTO project_aliases VALUES (?, ?)", (f"{CANARY}-old", f"{CANARY}-moved")),
        ("INSERT INTO context_profiles VALUES (?, 1, 1, '[\"1\"]', '[]', '[]')",
         (f"{CANARY}-moved",)),
        ("INSERT INTO given_contexts (at, agent, session, project, tokens, refs) "
         "VALUES (1, 'codex', ?, 'atlas', 9, '[\"1\"]')", (key,)),
        ("INSERT INTO memory_uses (kind, record_id, told, told_at, session) VALUES ('o', 99, 1, 1, ?)",
         (key,)),
        ("INSERT INTO gone_lines SELECT id, ?, 1 FROM documents WHERE kind = 'o' AND record_id = 1",
         (f"{CANARY}.py:12",)),
        ("INSERT INTO team_reviews SELECT uid, 'ada', 'disputed', ?, 1, '' FROM observations WHERE id = 1",
         (f"it never was {CANARY}",)),
        ("INSERT INTO sync_exclusions VALUES (?)", (f"project:{CANARY}-moved",)),
        ("INSERT INTO unsynced_rows (kind, key) VALUES ('saved_searches', ?)", (f"my {CANARY}",)),
        ("INSERT INTO sync_refused VALUES ('laptop', 'project_aliases', ?, 'too long', 1)",
         (f"{CANARY}-old",)),
    )  # fmt: skip
    for sql, values in more:
        store.db.execute(sql, values)
    store.db.execute("INSERT OR IGNORE INTO unindexed SELECT id FROM documents")
    store.catch_up()
    chosen = Selection({"sessions": (1,), "facts": (1,), "notes": (1,)})
    return with_what_belongs(store.db, chosen, store.facts)


@promise("purge-final")
def test_the_canary_is_in_none_of_them_afterwards(store: Store, tmp_path: Path) -> None:
    chosen = fill(store)
    for table, columns in SAID.items():
        for column in columns:
            held = repr(store.db.execute(f"SELECT {column} FROM {table}").fetchall()).lower()
            is_refs = column in ("refs", "kind", "undo_changeset", "redo_changeset")
            assert is_refs or CANARY in held or CANARY[::-1] in held, f"{table}.{column}"
    done = purge_for_good(store, chosen)
    assert done.found == ()
    assert CANARY not in rows_of(store)
    assert CANARY[::-1] not in rows_of(store)
    assert CANARY.encode() not in bytes_of(tmp_path)
    assert CANARY[::-1].encode() not in bytes_of(tmp_path)
    assert [one.name for one in store.searches.saved()] == ["stays"]


def test_what_only_shares_words_with_others_stays(store: Store) -> None:
    store.observations.add("c-1", title="the deploy of atlas", tags=["deploy"], project="atlas")
    store.observations.add("c-1", title="the deploy of orders", project="atlas")
    store.db.execute("INSERT INTO project_places VALUES ('root', '/srv/atlas', 'atlas')")
    store.searches.save("deploys", "deploy project:atlas")
    store.change_many(["2"], Action("tag", add=("deploy",)))
    purge_for_good(store, Selection({"observations": (1,)}))
    assert [one.name for one in store.searches.saved()] == ["deploys"]
    assert store.changes()[-1].what == "observation 2 tagged deploy"
    assert store.db.execute("SELECT count(*) FROM project_places").get == 1
