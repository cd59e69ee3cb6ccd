"""codexmem's memories are Codex's; what it deleted comes in deleted."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.common.upsert import EDITED
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import AT, CodexmemFile
from ..holdings import dump, extra, observation


@pytest.fixture(params=["as specified", "as shipped"])
def file(tmp_path: Path, request: pytest.FixtureRequest) -> CodexmemFile:
    return CodexmemFile(tmp_path / "codexmem.db", shipped=request.param == "as shipped")


@pytest.fixture
def shipped(tmp_path: Path) -> CodexmemFile:
    return CodexmemFile(tmp_path / "shipped.db")


def test_sessions_are_codex_s_and_keep_all_that_belongs_to_them(store: Store, file: CodexmemFile) -> None:
    file.add("user_prompts")
    file.add("observations", title="Fixed it", facts='["one"]')
    file.add("session_summaries", request="Fix it", learned="It was the cache")
    for status in ("pending", "processing", "processed", "failed"):
        file.add("pending_messages", status=status, tool_name="Write", retry_count=2)
    report = import_database(store, file.path)
    session = store.sessions.get("c-1")
    assert (session.agent, session.memory_session_id) == ("codex", "m-1")
    assert [one.text for one in store.prompts.of_session(session)] == ["go on"]
    assert [one.title for one in store.observations.of_session(session)] == ["Fixed it"]
    assert [one.learned for one in store.summaries.of_session(session)] == ["It was the cache"]
    assert [(one.status, one.attempts) for one in store.pending.list()] == [
        ("pending", 2),
        ("pending", 2),
        ("processed", 2),
        ("failed", 2),
    ]
    assert report.source.startswith("codexmem:")
    before = dump(store)
    assert import_database(store, file.path).changes == 0
    assert dump(store) == before


def test_an_orphan_goes_to_a_session_of_codex(store: Store, file: CodexmemFile) -> None:
    file.add("observations", memory_session_id="lost")
    assert import_database(store, file.path).stubs == 1
    assert store.sessions.get("lost").agent == "codex"


def test_deleted_rows_come_in_deleted_and_are_found_nowhere(store: Store, shipped: CodexmemFile) -> None:
    gone = shipped.add("observations", title="gone for good", deleted_at_epoch=AT + 5)
    shipped.add("user_prompts", prompt_text="gone with the prompt", deleted_at_epoch=AT + 5)
    shipped.add("session_summaries", request="gone at the end", deleted_at_epoch=AT + 5)
    for number in range(20):
        shipped.add("observations", title=f"here {number}")
    import_database(store, shipped.path)
    assert observation(store, gone).deleted_at == AT + 5
    assert store.find("gone").count().value == 0
    assert store.find("is:deleted").count().value == 3
    assert store.sessions.get("c-1").first_prompt is None


def test_a_row_deleted_or_restored_there_is_so_here(store: Store, shipped: CodexmemFile) -> None:
    native_id = shipped.add("observations", title="the cache")
    import_database(store, shipped.path)
    shipped.run("UPDATE observations SET deleted_at_epoch = ?", AT + 5)
    assert import_database(store, shipped.path).of("observations").changed == 1
    assert store.find("cache").count().value == 0
    shipped.run("UPDATE observations SET deleted_at_epoch = NULL")
    import_database(store, shipped.path)
    assert observation(store, native_id).deleted_at is None
    assert store.find("cache").count().value == 1


def test_one_that_was_restored_here_stays_though_it_is_deleted_there(
    store: Store, shipped: CodexmemFile
) -> None:
    native_id = shipped.add("observations", title="the cache", deleted_at_epoch=AT + 5)
    import_database(store, shipped.path)
    store.observations.restore(observation(store, native_id))
    assert import_database(store, shipped.path).of("observations").unchanged == 1
    shipped.run("UPDATE observations SET subtitle = 'more'")
    report = import_database(store, shipped.path)
    assert report.of("observations").skipped == {EDITED: 1}
    assert report.differences[0].fields == ("subtitle", "deleted_at")
    assert store.find("cache").count().value == 1


def test_what_codexmem_alone_knows_goes_to_extra(store: Store, shipped: CodexmemFile) -> None:
    native_id = shipped.add("observations", last_accessed_at_epoch=AT + 7)
    shipped.add("pending_messages", dedupe_key="k-1")
    import_database(store, shipped.path)
    assert extra(observation(store, native_id)) == {"last_accessed_at_epoch": AT + 7}
    [message] = store.pending.list()
    assert message.extra == '{"dedupe_key": "k-1"}'
