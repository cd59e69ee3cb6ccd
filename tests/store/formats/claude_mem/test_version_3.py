"""What claude-mem 3 left comes in, also where a later claude-mem has begun to upgrade its file."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import AT, WRITTEN, OldClaudeMemFile
from ..holdings import dump, extra, observation
from .claude_mem_files import V9


@pytest.fixture
def file(tmp_path: Path) -> OldClaudeMemFile:
    file = OldClaudeMemFile(tmp_path / "claude-mem.db")
    file.add(
        "memories",
        title="Cache the token",
        subtitle="in redis",
        text="It was asked for on every call.",
        keywords="cache,token",
        facts='["one fact"]',
        concepts='["pattern"]',
        files_touched='["src/a.py"]',
    )
    file.add("overviews", content="The cache is in place.")
    return file


def test_memories_are_observations_and_overviews_summaries(store: Store, file: OldClaudeMemFile) -> None:
    report = import_database(store, file.path)
    session = store.sessions.get("s-1")
    assert (session.agent, session.project, session.started_at) == ("claude-code", "atlas", AT)
    found = observation(store, "memories:1")
    assert (found.session_id, found.type, found.title) == (session.id, "memory", "Cache the token")
    assert (found.subtitle, found.narrative) == ("in redis", "It was asked for on every call.")
    assert (found.facts, found.concepts) == (("one fact",), ("pattern",))
    assert (found.files_read, found.files_modified) == ((), ("src/a.py",))
    assert extra(found) == {"keywords": "cache,token", "origin": "transcript"}
    [summary] = store.summaries.of_session(session)
    assert (summary.text, summary.created_at) == ("The cache is in place.", AT)
    assert [hit.record for hit in store.find("every call").page().hits] == [found]
    assert (report.stubs, report.warnings) == (0, [])
    assert report.source.startswith("claude-mem:")


def test_again_changes_nothing(store: Store, file: OldClaudeMemFile) -> None:
    import_database(store, file.path)
    before = dump(store)
    assert import_database(store, file.path).changes == 0
    assert dump(store) == before


@pytest.mark.parametrize("missing", ["observations", "sdk_sessions", "pending_messages"])
def test_a_half_upgraded_file_gives_all_it_has(store: Store, file: OldClaudeMemFile, missing: str) -> None:
    import_database(store, file.path)
    file.run(V9.replace("CREATE TABLE schema_versions", "CREATE TABLE IF NOT EXISTS schema_versions"))
    file.run(f"DROP TABLE {missing}")
    file.run("INSERT INTO user_prompts VALUES (1, 's-1', 1, 'and now?', ?, ?)", WRITTEN, AT + 60_000)
    report = import_database(store, file.path)
    assert (report.of("prompts").new, report.of("observations").unchanged) == (1, 1)
    assert report.of("observations").vanished == 0
    [prompt] = store.prompts.recent()
    assert prompt.session_id == store.sessions.get("s-1").id
    assert report.warnings == []


def test_a_session_in_both_generations_is_one(store: Store, file: OldClaudeMemFile) -> None:
    file.run(V9.replace("CREATE TABLE schema_versions", "CREATE TABLE IF NOT EXISTS schema_versions"))
    file.run(
        "INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, "
        "started_at_epoch) VALUES ('s-1', 'm-1', 'atlas', ?, ?)",
        WRITTEN,
        AT,
    )
    file.run(
        "INSERT INTO observations (memory_session_id, project, title, created_at, created_at_epoch) "
        "VALUES ('m-1', 'atlas', 'newer', ?, ?)",
        WRITTEN,
        AT,
    )
    import_database(store, file.path)
    assert store.stats().sessions == 1
    found = store.observations.of_session(store.sessions.get("s-1"))
    assert [one.native_id for one in found] == ["1", "memories:1"]
    before = dump(store)
    assert import_database(store, file.path).changes == 0
    assert dump(store) == before
