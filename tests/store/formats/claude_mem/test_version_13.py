"""claude-mem 13: what it keeps for its server, and what it exports."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.leaves.foreign.converted_import import recognize
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import AT
from ..holdings import dump
from .claude_mem_files import ClaudeMemFile

SERVER = """
CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT, root_path TEXT);
CREATE TABLE server_sessions (
    id TEXT PRIMARY KEY, project_id TEXT, content_session_id TEXT, memory_session_id TEXT,
    platform_source TEXT, title TEXT, status TEXT, metadata TEXT, started_at_epoch INTEGER,
    completed_at_epoch INTEGER
);
CREATE TABLE memory_items (
    id TEXT PRIMARY KEY, project_id TEXT, server_session_id TEXT, legacy_observation_id INTEGER, kind TEXT,
    type TEXT, title TEXT, subtitle TEXT, text TEXT, narrative TEXT, facts TEXT, concepts TEXT,
    files_read TEXT, files_modified TEXT, metadata TEXT, created_at_epoch INTEGER
);
CREATE TABLE memory_sources (
    id TEXT PRIMARY KEY, memory_item_id TEXT, legacy_table TEXT, legacy_id INTEGER
);
INSERT INTO projects VALUES ('p-1', 'atlas', '/work/atlas');
"""


@pytest.fixture
def file(newest: ClaudeMemFile) -> ClaudeMemFile:
    newest.run(SERVER)
    newest.session()
    newest.run(
        "INSERT INTO server_sessions VALUES "
        f"('s-1', 'p-1', 'c-2', 'm-2', 'codex', 'Cache', 'completed', '{{}}', {AT}, NULL)"
    )
    return newest


def add_item(file: ClaudeMemFile, id: str, kind: str = "observation", **values: Any) -> None:
    lists = dict.fromkeys(("facts", "concepts", "files_read", "files_modified"), "[]")
    session = {"project_id": "p-1", "server_session_id": "s-1", "created_at_epoch": AT, "metadata": "{}"}
    row = {"id": id, "kind": kind, "type": "note", **lists, **session, **values}
    file.run(
        f"INSERT INTO memory_items ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", *row.values()
    )


def test_items_become_what_their_kind_says(store: Store, file: ClaudeMemFile) -> None:
    add_item(file, "i-1", title="Cache", narrative="emptied weekly", facts='["on Sundays"]')
    add_item(file, "i-2", "summary", title="Why slow?", narrative="the cache was cold")
    add_item(file, "i-3", "prompt", text="why is it slow?")
    add_item(file, "i-4", "unheard of", text="kept all the same")
    report = import_database(store, file.path)
    session = store.sessions.get("c-2")
    assert (session.agent, session.project, session.project_path) == ("codex", "atlas", "/work/atlas")
    assert (session.title, session.status, session.memory_session_id) == ("Cache", "completed", "m-2")
    told = [(one.title, one.narrative, list(one.facts)) for one in store.observations.of_session(session)]
    assert told[0] == ("Cache", "emptied weekly", ["on Sundays"])
    assert told[1][1] == "kept all the same"
    assert [(one.request, one.text) for one in store.summaries.of_session(session)] == [
        ("Why slow?", "the cache was cold")
    ]
    assert [one.text for one in store.prompts.of_session(session)] == ["why is it slow?"]
    assert not report.warnings
    assert not [note for note in report.notes if "Left out" in note]
    before = dump(store)
    assert import_database(store, file.path).changes == 0
    assert dump(store) == before


def test_an_item_that_repeats_a_row_is_left_out_while_the_row_is_there(
    store: Store, file: ClaudeMemFile
) -> None:
    file.observation(title="Round up")
    file.summary(request="rounding")
    add_item(file, "i-1", title="Round up", legacy_observation_id=1)
    add_item(file, "i-2", title="Round down", legacy_observation_id=99)
    add_item(file, "i-3", "summary", title="rounding")
    file.run("INSERT INTO memory_sources VALUES ('m-1', 'i-3', 'session_summaries', 1)")
    import_database(store, file.path)
    titles = store.db.execute("SELECT title FROM observations ORDER BY title").fetchall()
    assert titles == [("Round down",), ("Round up",)]
    assert store.db.execute("SELECT count(*) FROM summaries").get == 1


def test_an_item_without_a_session_is_of_its_project_s(store: Store, file: ClaudeMemFile) -> None:
    add_item(file, "i-1", "manual", title="Ask first", server_session_id=None)
    add_item(file, "i-2", "manual", title="Ask again", server_session_id=None)
    assert not import_database(store, file.path).warnings
    session = store.sessions.get("claude-mem atlas")
    assert session.project == "atlas"
    assert len(store.observations.of_session(session)) == 2


def exported(file: ClaudeMemFile, path: Path, titles: tuple[str, ...]) -> Path:
    """Write what claude-mem exports of the sessions and of the observations with these titles."""

    def rows(table: str, where: str = "1") -> list[Any]:
        with closing(apsw.Connection(str(file.path))) as db:
            found = db.execute(f"SELECT * FROM {table} WHERE {where}")
            return [
                dict(zip([name for name, _ in found.getdescription()], row, strict=True)) for row in found
            ]

    listed = ", ".join(f"'{title}'" for title in titles)
    whole = {
        "exportedAt": "2026-08-01T00:00:00Z", "query": "round",
        "sessions": rows("sdk_sessions"), "observations": rows("observations", f"title IN ({listed})"),
        "summaries": rows("session_summaries"), "prompts": [*rows("user_prompts"), 7, None],
    }  # fmt: skip
    path.write_text(json.dumps(whole), "utf-8-sig")
    return path


@pytest.mark.parametrize("database_first", [True, False])
def test_what_a_database_and_its_export_both_hold_comes_in_once(
    store: Store, newest: ClaudeMemFile, tmp_path: Path, database_first: bool
) -> None:
    newest.session()
    for title in ("Round up", "Round down"):
        newest.observation(title=title, concepts='["money"]')
    newest.summary(request="rounding")
    newest.prompt(prompt_text="how do we round?")
    export = exported(newest, tmp_path / "round.json", ("Round up", "Round down"))
    assert recognize(export) == "claude-mem"
    paths = [newest.path, export] if database_first else [export, newest.path]
    for path in (*paths, *paths):
        import_database(store, path)
    counts = {
        table: store.db.execute(f"SELECT count(*) FROM {table}").get
        for table in ("sessions", "observations", "summaries", "prompts", "vanished")
    }
    assert counts == {"sessions": 1, "observations": 2, "summaries": 1, "prompts": 1, "vanished": 0}
    import_database(store, exported(newest, export, ("Round down",)))
    assert store.db.execute("SELECT count(*) FROM vanished").get == 0
