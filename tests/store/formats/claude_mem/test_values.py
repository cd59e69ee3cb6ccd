"""Whatever stands in a column of claude-mem's, its row comes in and says what it says."""

from __future__ import annotations

from memtui.store import Store
from memtui.store.formats.common.report import SourceWarning
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import AT
from ..holdings import extra, observation
from .claude_mem_files import ClaudeMemFile


def test_the_body_is_the_narrative_else_the_text_and_both_where_they_differ(
    store: Store, file: ClaudeMemFile
) -> None:
    cases = {
        file.observation(narrative="new"): ("new", None),
        file.observation(text="old"): ("old", None),
        file.observation(narrative="same", text="same"): ("same", None),
        file.observation(narrative="new", text="old"): ("new", "old"),
        file.observation(narrative="", text=""): (None, None),
    }
    import_database(store, file.path)
    for native_id, body in cases.items():
        found = observation(store, native_id)
        assert (found.narrative, found.text) == body


def test_any_type_is_kept_and_none_is_unknown(store: Store, file: ClaudeMemFile) -> None:
    types = {file.observation(type=type): type for type in ("Weird Type!", "发现", "", None)}
    import_database(store, file.path)
    for native_id, type in types.items():
        assert observation(store, native_id).type == (type or "unknown")


def test_times_in_seconds_fractions_and_words_are_understood(store: Store, file: ClaudeMemFile) -> None:
    cases = {
        file.observation(created_at_epoch=1_758_012_345): 1_758_012_345_000,
        file.observation(created_at_epoch=1_758_012_345_678.9): 1_758_012_345_678,
        file.observation(created_at_epoch=0): AT,
        file.observation(created_at_epoch=-1, created_at="2026-02-02T10:40:00+08:00"): AT,
        file.observation(created_at="some day"): AT,
        file.observation(created_at_epoch=4_070_908_800_000): 4_070_908_800_000,
    }
    lost = file.observation(created_at_epoch=0, created_at="some day")
    report = import_database(store, file.path)
    assert {key: observation(store, key).created_at for key in cases} == cases
    assert observation(store, lost).created_at == 0
    assert [warning.native_id for warning in report.warnings] == [lost]


def test_an_odd_list_counts_a_warning_and_stays_as_it_was_written(
    store: Store, file: ClaudeMemFile
) -> None:
    odd = file.observation(facts='["cut off', files_read="/src/main.tsx", concepts='{"a": 1}')
    fine = file.observation(facts=None, concepts="[]")
    report = import_database(store, file.path)
    found = observation(store, odd)
    assert found.files_read == ("/src/main.tsx",)
    assert extra(found) == {"facts": '["cut off', "files_read": "/src/main.tsx", "concepts": '{"a": 1}'}
    assert {(one.native_id, one.message.split()[0]) for one in report.warnings} == {
        (odd, "facts"),
        (odd, "files_read"),
        (odd, "concepts"),
    }
    assert observation(store, fine).extra is None
    assert [hit.record.id for hit in store.find("file:main.tsx").page().hits] == [found.id]


def test_a_concept_with_a_description_is_found_by_its_keyword(store: Store, file: ClaudeMemFile) -> None:
    native_id = file.observation(concepts='["gotcha: the driver returns bytes"]')
    import_database(store, file.path)
    assert observation(store, native_id).concepts == ("gotcha", "gotcha: the driver returns bytes")
    assert store.find("concept:gotcha driver").count().value == 1


def test_text_that_no_text_can_hold_becomes_readable(store: Store, file: ClaudeMemFile) -> None:
    broken = file.observation()
    file.run("UPDATE observations SET narrative = CAST(x'6f6b20fffe20656e64' AS TEXT)")
    blob = file.observation(narrative=b"from a blob")
    nul = file.observation(title="before\0after")
    report = import_database(store, file.path)
    assert observation(store, broken).narrative == "ok \ufffd\ufffd end"
    assert observation(store, blob).narrative == "from a blob"
    assert observation(store, nul).title == "before\ufffdafter"
    assert [(one.table, one.native_id) for one in report.warnings] == [("observations", broken)]


def test_hostile_text_is_stored_as_it_is(store: Store, file: ClaudeMemFile) -> None:
    title = "\x1b]52;c;ZmFrZQ==\x07 [bold red]no markup[/] \u202egnitsal"
    native_id = file.observation(title=title, narrative="长" * 60_000)
    import_database(store, file.path)
    assert observation(store, native_id).title == title
    assert observation(store, native_id).narrative == "长" * 60_000


def test_what_has_no_column_goes_to_extra_and_states_of_a_sync_go_nowhere(
    store: Store, newest: ClaudeMemFile
) -> None:
    newest.session(worker_port=37777)
    native_id = newest.observation(
        generated_by_model="some-model",
        relevance_count=7,
        merged_into_project="atlas",
        agent_type="explorer",
        metadata='{"mode":"code"}',
        origin_device_id="device-b",
        content_hash="abc",
        synced_at=AT,
        sync_rev="18446744073709551615",
    )
    plain = newest.observation()
    newest.summary(merged_into_project="atlas")
    import_database(store, newest.path)
    found = observation(store, native_id)
    assert extra(found) == {
        "generated_by_model": "some-model",
        "relevance_count": 7,
        "merged_into_project": "atlas",
        "agent_type": "explorer",
        "metadata": '{"mode":"code"}',
        "origin_device_id": "device-b",
    }
    assert found.content_hash == "abc"
    assert observation(store, plain).extra is None
    [summary] = store.summaries.recent()
    assert extra(summary) == {"merged_into_project": "atlas"}


def test_columns_of_unknown_names_and_order_are_read_by_name(store: Store, newest: ClaudeMemFile) -> None:
    newest.session()
    newest.run('ALTER TABLE observations ADD COLUMN "odd "" name" TEXT')
    newest.run("ALTER TABLE observations DROP COLUMN files_read")
    native_id = newest.observation(title="still here")
    newest.run('UPDATE observations SET "odd "" name" = ?', "odd value")
    newest.run("DROP TABLE pending_messages")
    report = import_database(store, newest.path)
    assert observation(store, native_id).title == "still here"
    assert extra(observation(store, native_id)) == {'odd " name': "odd value"}
    assert (report.of("pending").read, report.warnings) == (0, [])


def test_a_value_that_fits_no_column_is_kept_and_told(store: Store, file: ClaudeMemFile) -> None:
    file.run("UPDATE sdk_sessions SET status = 'asleep'")
    native_id = file.observation(prompt_number="third", discovery_tokens=float("inf"))
    report = import_database(store, file.path)
    found = observation(store, native_id)
    assert (found.prompt_number, found.discovery_tokens) == (None, 0)
    assert extra(found) == {"prompt_number": "third", "discovery_tokens": "inf"}
    assert report.warnings == [
        SourceWarning("sdk_sessions", "1", "status is 'asleep', which is unknown; taken as active")
    ]
    assert store.sessions.get("c-1").started_at == AT
