"""However often and from wherever a file is imported, each of its rows is one record."""

import shutil
from pathlib import Path

import pytest

from memtui.store import InvalidRecordError, ReadOnlyError, Store
from memtui.store.formats.common.report import Difference, SourceWarning
from memtui.store.formats.common.upsert import EDITED, PURGED
from memtui.store.leaves.foreign import database_import
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.leaves.foreign.sessions import VANISHED
from memtui.store.maintain.purge import purge
from tests.promises import promise

from ..holdings import dump
from .claude_mem_files import SHAPES, ClaudeMemFile


@pytest.fixture(params=SHAPES)
def file(tmp_path: Path, request: pytest.FixtureRequest) -> ClaudeMemFile:
    """A file of either shape with a row of each kind, an orphan and an odd list."""
    file = ClaudeMemFile(tmp_path / "claude-mem.db", request.param)
    session = file.session(user_prompt="<private>hidden</private>")
    file.prompt(prompt_number=2, prompt_text="please")
    file.observation(title="first", concepts='["broken')
    file.observation(title="orphan", memory_session_id="lost")
    file.summary(request="a summary")
    file.pending(session_db_id=session, status="processing")
    return file


@promise("one-row-an-event")
def test_again_changes_nothing(store: Store, file: ClaudeMemFile) -> None:
    first = import_database(store, file.path)
    before = dump(store)
    again = import_database(store, file.path)
    assert dump(store) == before
    assert again.changes == 0
    assert again.warnings == first.warnings
    for counts in again.counts.values():
        assert counts.unchanged == counts.read > 0


def test_a_copy_elsewhere_is_the_same_source(store: Store, file: ClaudeMemFile, tmp_path: Path) -> None:
    import_database(store, file.path)
    before = dump(store)
    copy = tmp_path / "backup of claude-mem.db"
    shutil.copy(file.path, copy)
    import_database(store, copy)
    assert dump(store) == before


@pytest.mark.parametrize("made", [None, "2026-05-05T05:05:05.000Z"])
def test_another_file_with_the_same_ids_is_another_source(
    store: Store, file: ClaudeMemFile, tmp_path: Path, made: str | None
) -> None:
    other = ClaudeMemFile(tmp_path / "other.db", made=made or "")
    if made is None:
        other.run("DELETE FROM schema_versions")
    other.session("c-other", "m-other")
    other.observation(title="of another", memory_session_id="m-other")
    import_database(store, file.path)
    import_database(store, other.path)
    import_database(store, other.path)
    titles = sorted(one.title or "" for one in store.observations.recent())
    assert titles == ["first", "of another", "orphan"]


def test_a_changed_row_changes_its_record_and_only_that(store: Store, file: ClaudeMemFile) -> None:
    import_database(store, file.path)
    before = {one.native_id: one for one in store.observations.recent()}
    file.run("UPDATE observations SET title = 'renamed', concepts = '[]' WHERE id = 1")
    file.run("UPDATE sdk_sessions SET status = 'completed', memory_session_id = 'm-restarted'")
    file.run("UPDATE observations SET memory_session_id = 'm-restarted' WHERE id = 1")
    file.run("UPDATE session_summaries SET memory_session_id = 'm-restarted'")
    report = import_database(store, file.path)
    after = {one.native_id: one for one in store.observations.recent()}
    assert (after["1"].id, after["1"].uid) == (before["1"].id, before["1"].uid)
    assert (after["1"].title, after["1"].extra) == ("renamed", None)
    assert after["1"].hlc > before["1"].hlc
    assert after["2"] == before["2"]
    assert [hit.record.id for hit in store.find("renamed").page().hits] == [after["1"].id]
    assert store.find("title:first").page().hits == []
    session = store.sessions.get("m-restarted")
    assert (session.status, session.first_prompt, session.prompt_counter) == ("completed", "please", 2)
    assert report.of("observations").changed == report.of("sessions").changed == 1
    assert report.of("summaries").unchanged == 1
    assert import_database(store, file.path).changes == 0


def test_an_upgrade_of_the_file_changes_nothing(store: Store, tmp_path: Path) -> None:
    old = ClaudeMemFile(tmp_path / "old.db", "v9")
    new = ClaudeMemFile(tmp_path / "new.db", "newest")
    for file in (old, new):
        file.session()
        file.observation(title="kept", discovery_tokens=0)
        file.summary(request="kept")
    new.run("UPDATE observations SET content_hash = 'random', synced_at = 5, sync_rev = '2'")
    import_database(store, old.path)
    report = import_database(store, new.path)
    assert report.changes == 0
    assert report.of("observations").unchanged == 1


def test_a_record_edited_here_is_left_alone_and_the_difference_told(
    store: Store, file: ClaudeMemFile
) -> None:
    import_database(store, file.path)
    store.db.execute("UPDATE observations SET title = 'mine' WHERE native_id = '1'")
    file.run("UPDATE observations SET title = 'theirs', discovery_tokens = 5")
    report = import_database(store, file.path)
    titles = {one.native_id: one.title for one in store.observations.recent()}
    assert titles == {"1": "mine", "2": "theirs"}
    assert report.of("observations").skipped == {EDITED: 1}
    [number] = [one.id for one in store.observations.where("native_id = '1'")]
    assert report.differences == [Difference("observations", number, "1", ("title", "discovery_tokens"))]


def test_a_record_whose_row_is_gone_stays_and_is_marked_until_the_row_is_back(
    store: Store, file: ClaudeMemFile
) -> None:
    import_database(store, file.path)
    before = store.observations.where("true")
    file.run("CREATE TABLE kept AS SELECT * FROM observations WHERE id = 1")
    file.run("DELETE FROM observations WHERE id = 1; DELETE FROM pending_messages")
    report = import_database(store, file.path)
    assert (report.of("observations").vanished, report.of("pending").vanished) == (1, 1)
    assert SourceWarning("observations", "1", VANISHED) in report.warnings
    assert store.observations.where("true") == before
    assert marked(store) == {("observations", before[0].id), ("pending_messages", 1)}
    assert import_database(store, file.path).of("observations").vanished == 0

    file.run("INSERT INTO observations SELECT * FROM kept")
    report = import_database(store, file.path)
    assert (report.of("observations").returned, report.changes) == (1, 0)
    assert marked(store) == {("pending_messages", 1)}
    store.pending.drop([1])
    assert marked(store) == set()


def test_a_missing_table_says_nothing_of_its_rows(store: Store, file: ClaudeMemFile) -> None:
    import_database(store, file.path)
    file.run("DROP TABLE pending_messages")
    assert import_database(store, file.path).of("pending").vanished == 0
    assert marked(store) == set()


@promise("purge-final")
def test_what_was_deleted_or_purged_here_stays_gone(store: Store, file: ClaudeMemFile) -> None:
    import_database(store, file.path)
    first, orphan = store.observations.where("true ORDER BY native_id")
    store.observations.delete(first)
    store.observations.delete(orphan)
    purge(store, "observations", [first.id])
    report = import_database(store, file.path)
    assert report.of("observations").skipped == {PURGED: 1}
    assert [one.id for one in store.observations.where("true")] == [orphan.id]
    assert store.find("kind:observation").count().value == 0


def marked(store: Store) -> set[tuple[str, int]]:
    """The records that are marked as gone from their source."""
    found = store.db.execute("SELECT kind, record_id FROM vanished")
    return {(str(kind), int(number)) for kind, number in found}


def test_flags_set_here_stay_when_the_row_changes(store: Store, file: ClaudeMemFile) -> None:
    import_database(store, file.path)
    first, orphan = store.observations.where("true ORDER BY native_id")
    store.observations.pin(first)
    store.observations.delete(orphan)
    file.run("UPDATE observations SET title = 'theirs'")
    import_database(store, file.path)
    first, orphan = store.observations.where("true ORDER BY native_id")
    assert (first.pinned, first.title) == (True, "theirs")
    assert orphan.deleted_at is not None
    assert store.find("theirs").count().value == 1


def test_after_a_kill_the_rest_comes_in(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_import, "BATCH_ROWS", 400)
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observations(2_000)

    def kill(done: int, total: int) -> None:
        if done > 1_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_database(store, file.path, kill)
    kept = store.find("").count().value
    assert 0 < kept < 2_000
    report = import_database(store, file.path)
    counts = report.of("observations")
    assert (counts.unchanged, counts.new) == (kept, 2_000 - kept)
    assert store.find("").count().value == 2_000
    assert store.db.pragma("synchronous") == 2


def test_a_session_that_hooks_have_started_is_joined(store: Store, file: ClaudeMemFile) -> None:
    live = store.sessions.start("c-1", agent="claude-code", title="Here first")
    report = import_database(store, file.path)
    joined = store.sessions.get(live.id)
    assert (joined.title, joined.project, joined.memory_session_id) == ("Here first", "atlas", "m-1")
    assert joined.source is None
    assert [one.title for one in store.observations.of_session(joined)] == ["first"]
    assert (report.of("sessions").new, report.of("sessions").changed) == (0, 1)
    assert import_database(store, file.path).changes == 0


def test_a_memory_id_that_is_taken_stays_with_the_first(store: Store, file: ClaudeMemFile) -> None:
    store.sessions.start("someone-else", memory_session_id="m-1")
    report = import_database(store, file.path)
    session = store.sessions.find("c-1")
    assert session is not None
    assert (session.memory_session_id, session.extra) == (None, '{"memory_session_id": "m-1"}')
    assert [one.title for one in store.observations.of_session(session)] == ["first"]
    assert any("m-1 is another session's" in warning.message for warning in report.warnings)
    assert import_database(store, file.path).changes == 0


def test_all_or_nothing_inside_a_unit_of_the_caller_s(store: Store, file: ClaudeMemFile) -> None:
    with pytest.raises(InvalidRecordError), store.transaction():
        import_database(store, file.path)
        raise InvalidRecordError("on second thought")
    assert store.stats().observations == store.stats().sessions == 0


def test_a_store_that_can_only_be_read_is_not_written(store: Store, file: ClaudeMemFile) -> None:
    with Store.open(store.path, read_only=True) as reader, pytest.raises(ReadOnlyError):
        import_database(reader, file.path)
