"""What was changed, when and by whom, and the versions of a record."""

import re
from pathlib import Path

import pytest

from memtui.store import Action, ConflictError, NotFoundError, Observation, Store, Version
from memtui.store.agents.registry import events_of
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.database.journal.undo import shown
from memtui.store.formats.common.scope import Scope
from memtui.store.formats.export import export_to
from memtui.store.maintain.importing import run
from memtui.store.platform import translation
from memtui.store.records.events import SpoolRecord
from memtui.store.tables.history import maker, short_maker
from tests.conftest import OpenStore

from ..database.test_journal import fill, rows, write


def titles(versions: list[Version]) -> list[str | None]:
    return [one.record.title for one in versions if isinstance(one.record, Observation)]


def test_a_record_that_nobody_changed_has_one_version(store: Store) -> None:
    store.sessions.start("c-1", agent="claude-code", project="atlas")
    store.observations.add("c-1", title="one", at=1_771_000_000_000)
    (version,) = store.history("1")
    assert (version.number, version.at, version.agent) == (1, 1_771_000_000_000, "claude-code")
    assert version.record == store.observations.get(1)


def test_versions_tell_when_who_and_what(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.made_by("mem edit", "codex")
    store.edit("1", {"title": "two", "tags": ["x"]})
    store.made_by("d")
    store.change_many(["1"], Action("delete"))
    newest, edited, first = store.history("1")
    assert [newest.number, edited.number, first.number] == [3, 2, 1]
    assert titles([newest, edited, first]) == ["two", "two", "one"]
    assert (edited.via, edited.agent, edited.machine) == ("mem edit", "codex", store.machine_id)
    assert edited.changed == ("title", "tags")
    assert (newest.via, newest.changed) == ("d", ("deleted_at",))
    assert edited.what == "observation 1 edited: title, tags"


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> str:
    """What this machine is called."""
    monkeypatch.setattr("memtui.store.database.recording.host_name", lambda: "workbench-7")
    return "workbench-7"


def test_who_is_the_command_or_key_the_agent_and_the_machine(
    store: Store, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.observations.add("c-1", title="one")
    store.made_by("mem edit", "codex")
    store.edit("1", {"title": "two"})
    store.made_by("memtui")
    with store.pressed("e"):
        store.edit("1", {"title": "three"})
    with store.pressed("u"):
        store.undo()
    here = store.machine_id
    assert [maker(one, here) for one in store.history("1")] == [
        f"u in memtui on {host}", f"e in memtui on {host}", f"mem edit (codex) on {host}", "",
    ]  # fmt: skip
    newest = store.changes()[0]
    assert short_maker(newest, here) == "e in memtui"
    monkeypatch.setattr("memtui.store.database.recording.host_name", lambda: "laptop")
    assert short_maker(newest, here) == f"e in memtui on {host}"
    store.redo()
    store.undo()
    assert maker(store.history("1")[0], here) == "memtui on laptop"


def test_what_a_hook_told_is_the_agents(store: Store) -> None:
    event = {
        "hook_event_name": "UserPromptSubmit", "session_id": "c-1", "cwd": "/srv/atlas",
        "prompt": "why does login fail?",
    }  # fmt: skip
    record = SpoolRecord(1_770_000_000_000, 0, "claude-code", frozenset(), "/srv/atlas", event)
    for one in events_of(record):
        ingest_event(store, one, "hook")
    (version,) = store.history("p1")
    assert maker(version, store.machine_id) == "claude-code hook"


def test_no_export_holds_a_machines_name(
    store: Store, open_store: OpenStore, host: str, tmp_path: Path
) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two"})
    whole = tmp_path / "whole.jsonl"
    export_to(store, "jsonl", whole, scope=Scope(private=True, deleted=True))
    assert host.encode() not in whole.read_bytes()
    assert store.changes()[0].host == host
    other = open_store(tmp_path / "other.db")
    run(other, "jsonl", whole, None)
    (change,) = other.changes()
    assert maker(change, other.machine_id) == f"on machine {store.machine_id[:8]}"


def test_an_undo_is_a_version_too_and_what_was_undone_can_be_had_again(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two"})
    store.undo()
    store.edit("1", {"title": "three"})
    assert titles(store.history("1")) == ["three", "one", "two", "one"]
    store.restore_version("1", 2)
    assert store.observations.get(1).title == "two"
    assert titles(store.history("1"))[0] == "two"
    store.undo()
    assert store.observations.get(1).title == "three"


def test_what_was_written_past_the_journal_is_a_version_without_a_time(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two"})
    write(store.path, "UPDATE observations SET title = 'hooked'")
    hooked, edited, first = store.history("1")
    assert titles([hooked, edited, first]) == ["hooked", "two", "one"]
    assert hooked.at is None
    assert "agent, an import or another program" in hooked.what


def test_a_deleted_record_comes_back_with_the_version(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two"})
    store.observations.delete(1)
    store.restore_version("1", 1)
    found = store.observations.get(1)
    assert (found.title, found.deleted_at) == ("one", None)
    store.undo()
    assert store.observations.get(1).deleted_at is not None


def test_an_unknown_version_is_said(store: Store) -> None:
    store.observations.add("c-1", title="one")
    with pytest.raises(NotFoundError, match="1 has no version 7"):
        store.restore_version("1", 7)


def test_all_changes_are_listed_the_newest_first_by_project_and_kind(store: Store) -> None:
    fill(store)
    store.change_many("project:orders", Action("pin"))
    store.edit("p1", {"text": "other"})
    store.edit("n2", {"text": "other"})
    store.journal.note("import from elsewhere")
    whole = store.changes()
    assert [one.what for one in whole] == [
        "import from elsewhere", "note n2 edited: text", "prompt p1 edited: text",
        "5 memories pinned",
    ]  # fmt: skip
    assert [one.is_recorded for one in whole] == [False, True, True, True]
    assert [one.records for one in whole[1:]] == [1, 2, 5]
    assert [one.what for one in store.changes(project="atlas")] == ["prompt p1 edited: text"]
    assert [one.what for one in store.changes(kind="note")] == ["note n2 edited: text"]
    assert store.changes(before=whole[2].id, limit=1) == [whole[3]]
    told = store.change_records(whole[2].id)
    assert [(one.ref, one.op) for one in told] == [("@1", "UPDATE"), ("p1", "UPDATE")]
    assert told[1].fields == (("text", "prompt 1", "other"),)


def test_a_change_is_reverted_by_itself_as_a_new_change(store: Store) -> None:
    fill(store)
    before = rows(store)
    done = store.change_many(["1", "2"], Action("delete"))
    store.edit("3", {"title": "later"})
    assert done.change_id is not None
    told = store.revert(done.change_id)
    assert told.select == "1"
    assert store.find("kind:observation").count().value == 3
    store.undo()
    assert store.find("kind:observation").count().value == 1
    store.redo()
    for _ in range(3):
        store.undo()
    assert rows(store) == before


def test_what_stands_on_a_change_is_said_and_nothing_is_reverted(store: Store) -> None:
    store.observations.add("c-1", title="one")
    store.edit("1", {"title": "two", "type": "bugfix"})
    first = store.changes()[0].id
    store.edit("1", {"title": "three"})
    before = rows(store)
    with pytest.raises(ConflictError, match="stands on it: “observation 1 edited: title”"):
        store.revert(first)
    assert rows(store) == before
    assert len(store.changes()) == 2
    store.revert(store.changes()[0].id)
    store.revert(first)
    assert store.observations.get(1).title == "one"


def test_a_purge_can_not_be_reverted(store: Store) -> None:
    store.journal.note("2 observations purged")
    with pytest.raises(ConflictError, match="can't be undone"):
        store.revert(1)
    with pytest.raises(NotFoundError):
        store.revert(99)


def in_language(patch: pytest.MonkeyPatch, language: str) -> None:
    patch.setattr(translation, "_translate", translation.translator(language))


def test_what_was_done_is_told_in_the_language_of_who_reads_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.observations.add("c-1", title="one")
    store.observations.add("c-1", title="two")
    in_language(monkeypatch, "zh")
    store.change_many(["1"], Action("pin"))
    store.edit("2", {"title": "2", "tags": ["x"]})
    store.change_many(["1", "2"], Action("tag", add=("later",)))
    in_language(monkeypatch, "en")
    store.revert(3)
    english = [entry.what for entry in store.changes()]
    assert english == [
        "“2 memories tagged later” reverted",
        "2 memories tagged later",
        "observation 2 edited: title, tags",
        "observation 1 pinned",
    ]
    assert store.history("2")[-2].what == english[2]
    in_language(monkeypatch, "zh")
    chinese = [entry.what for entry in store.changes()]
    assert chinese[2:] == ["观察 2 已编辑：标题、标签", "观察 1 已置顶"]
    assert chinese[1] in chinese[0]
    assert not re.search("[a-z]", "".join(chinese).replace("later", ""))


@pytest.mark.parametrize(
    "written",
    [
        "observation 2 pinned",
        "观察 2 已置顶",
        "[1] is done",
        '["{a.__class__}", {"b": "c"}, 1]',
        '["{a}", {"b": "c"}]',
        "[[[",
        "[" * 100_000,
        '[{}, "x"]',
    ],
)
def test_what_no_sentence_was_made_of_is_shown_as_it_was_written(written: str) -> None:
    assert shown(written) == written


def test_no_format_of_a_foreign_file_is_run() -> None:
    assert shown('["{a:>999999999} {a.__class__}", {"a": "b"}]') == "{a:>999999999} {a.__class__}"
