"""How claude-mem's rows read here, in the shape of version 9 and of the newest."""

import json
from pathlib import Path

from memtui.store import Store
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import AT
from ..holdings import extra
from .claude_mem_files import ClaudeMemFile


def test_a_session_comes_in_with_all_that_belongs_to_it(store: Store, file: ClaudeMemFile) -> None:
    file.prompt(prompt_number=4, prompt_text="go on")
    file.observation(
        type="bugfix",
        title="Cache the token",
        subtitle="in redis",
        narrative="It was asked for on every call.",
        facts='["one fact"]',
        concepts='["pattern"]',
        files_read='["src/a.py"]',
        files_modified='["src/b.py"]',
        prompt_number=4,
        discovery_tokens=900,
    )
    file.summary(request="Speed", learned="Caches help", files_edited='["src/b.py"]')
    file.summary(request="Speed again", notes="Twice in one session")
    file.pending(tool_name="Bash", tool_input='{"command": "ls"}', cwd="/src")

    report = import_database(store, file.path)

    session = store.sessions.get("c-1")
    assert (session.agent, session.memory_session_id, session.project) == ("claude-code", "m-1", "atlas")
    assert (session.first_prompt, session.prompt_counter) == ("make it fast", 4)
    assert (session.status, session.started_at, session.completed_at) == ("active", AT, None)
    assert extra(session) == {"worker_port": 37777}
    [prompt] = store.prompts.of_session(session)
    assert (prompt.text, prompt.prompt_number, prompt.created_at) == ("go on", 4, AT)
    [found] = store.observations.of_session(session)
    assert (found.project, found.type, found.title) == ("atlas", "bugfix", "Cache the token")
    assert (found.subtitle, found.narrative) == ("in redis", "It was asked for on every call.")
    assert (found.facts, found.concepts) == (("one fact",), ("pattern",))
    assert (found.files_read, found.files_modified) == (("src/a.py",), ("src/b.py",))
    assert (found.prompt_number, found.discovery_tokens, found.created_at) == (4, 900, AT)
    assert [one.request for one in store.summaries.of_session(session)] == ["Speed", "Speed again"]
    [message] = store.pending.list()
    assert (message.session_id, message.kind, message.status) == (session.id, "observation", "pending")
    assert (message.tool_input, message.cwd) == ('{"command": "ls"}', "/src")
    assert {kind: (counts.read, counts.new) for kind, counts in report.counts.items()} == {
        "sessions": (1, 1),
        "prompts": (1, 1),
        "observations": (1, 1),
        "summaries": (2, 2),
        "pending": (1, 1),
    }
    assert (report.warnings, report.notes, report.stubs) == ([], [], 0)
    assert [hit.record for hit in store.find("every call").page().hits] == [found]


def test_equal_rows_are_rows_of_their_own(store: Store, file: ClaudeMemFile) -> None:
    for _ in range(3):
        file.observation(title="same", narrative="same")
    import_database(store, file.path)
    assert len(store.observations.recent()) == 3


def test_children_of_a_lost_session_get_one_made_for_them(store: Store, file: ClaudeMemFile) -> None:
    file.prompt(content_session_id="lost-c", prompt_text="where am I")
    file.observation(memory_session_id="lost-m", project="ghost", title="orphan")
    file.observation(memory_session_id="lost-m", project="ghost", title="orphan too")
    report = import_database(store, file.path)
    assert report.stubs == 2
    assert {warning.table for warning in report.warnings} == {"user_prompts", "observations"}
    stub = store.sessions.get("lost-m")
    assert (stub.project, stub.started_at, stub.memory_session_id) == ("ghost", AT, None)
    assert len(store.observations.of_session(stub)) == 2
    assert store.sessions.get("lost-c").first_prompt == "where am I"


def test_a_lost_session_that_turns_up_later_takes_its_place(store: Store, file: ClaudeMemFile) -> None:
    file.prompt(content_session_id="lost")
    import_database(store, file.path)
    stub = store.sessions.get("lost")
    file.session("lost", "m-found", project="found")
    report = import_database(store, file.path)
    found = store.sessions.get("m-found")
    assert (found.id, found.project) == (stub.id, "found")
    assert (report.stubs, report.warnings, report.of("prompts").unchanged) == (0, [], 1)


def test_a_session_without_a_memory_id_keeps_its_prompts(store: Store, file: ClaudeMemFile) -> None:
    file.session("c-2", None, project="")
    file.prompt(content_session_id="c-2")
    report = import_database(store, file.path)
    session = store.sessions.get("c-2")
    assert (session.memory_session_id, session.project) == (None, "")
    assert len(store.prompts.of_session(session)) == 1
    assert report.warnings == []


def test_queued_messages_keep_their_state_but_work_under_way_starts_over(
    store: Store, tmp_path: Path
) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    session = file.session()
    states = ("pending", "processing", "processed", "failed")
    natives = {
        state: file.pending(session_db_id=session, status=state, retry_count=3, failed_at_epoch=AT)
        for state in states
    }
    file.pending(message_type="summarize", last_assistant_message="done")
    import_database(store, file.path)
    messages = {message.native_id: message for message in store.pending.list()}
    found = {state: messages[native_id].status for state, native_id in natives.items()}
    assert found == {
        "pending": "pending",
        "processing": "pending",
        "processed": "processed",
        "failed": "failed",
    }
    assert messages[natives["failed"]].attempts == 3
    assert json.loads(messages[natives["failed"]].extra or "") == {"failed_at_epoch": AT}
    assert [message.kind for message in messages.values()][-1] == "summary"


def test_the_observer_s_own_project_is_noted(store: Store, file: ClaudeMemFile) -> None:
    file.observation(project="observer-sessions")
    [note] = import_database(store, file.path).notes
    assert note.startswith("1 observations are of observer-sessions")


def test_two_agents_may_share_a_session_id(store: Store, newest: ClaudeMemFile) -> None:
    first = newest.session("c-1", "m-1", platform_source="claude")
    second = newest.session("c-1", "m-2", platform_source="codex", custom_title="Titled")
    newest.prompt(session_db_id=first, prompt_text="for claude")
    newest.prompt(session_db_id=second, prompt_text="for codex")
    newest.prompt(session_db_id=None, prompt_text="for whoever was first")
    newest.observation(memory_session_id="m-2", title="by codex")
    import_database(store, newest.path)
    claude, codex = (store.sessions.find("c-1", agent) for agent in ("claude-code", "codex"))
    assert claude and codex
    assert [one.text for one in store.prompts.of_session(claude)] == ["for claude", "for whoever was first"]
    assert [one.text for one in store.prompts.of_session(codex)] == ["for codex"]
    assert [one.title for one in store.observations.of_session(codex)] == ["by codex"]
    assert codex.title == "Titled"


def test_progress_counts_every_row(store: Store, file: ClaudeMemFile) -> None:
    for _ in range(3):
        file.observation()
    told: list[tuple[int, int]] = []
    import_database(store, file.path, lambda done, total: told.append((done, total)))
    assert told[0] == (0, 4)
    assert told[-1] == (4, 4)
    assert told == sorted(told)


def test_older_names_of_the_ids_are_understood(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.prompt()
    file.observation(title="of long ago")
    for table in ("sdk_sessions", "user_prompts", "pending_messages"):
        file.run(f"ALTER TABLE {table} RENAME content_session_id TO claude_session_id")
    for table in ("sdk_sessions", "observations", "session_summaries"):
        file.run(f"ALTER TABLE {table} RENAME memory_session_id TO sdk_session_id")
    report = import_database(store, file.path)
    session = store.sessions.get("c-1")
    assert session.memory_session_id == "m-1"
    assert len(store.prompts.of_session(session)) == 1
    assert [one.title for one in store.observations.of_session(session)] == ["of long ago"]
    assert report.warnings == []


def test_tables_that_are_not_read_are_named(store: Store, file: ClaudeMemFile) -> None:
    file.observation(title="kept")
    for statement in (
        "CREATE TABLE tool_uses (id INTEGER PRIMARY KEY, tool TEXT)",
        "INSERT INTO tool_uses (tool) VALUES ('Bash'), ('Read')",
        "CREATE TABLE empty_yet (id INTEGER PRIMARY KEY)",
        "CREATE VIRTUAL TABLE found USING fts5 (text)",
    ):
        file.run(statement)
    [note] = import_database(store, file.path).notes
    assert note == "Left out, since memtui has nothing of their kind: tool_uses (2 rows)."
