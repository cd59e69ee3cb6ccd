"""What is purged is gone from every file of the memory, and stays gone."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.database.backup import known_backups, new_backup_path
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.formats.scheme_c.sync import sync
from memtui.store.leaves.files.linking import Promotion
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.maintain.purge import finish_interrupted, purge, purge_backups, purge_for_good
from memtui.store.maintain.retention import Retention
from memtui.store.records.events import Event, ToolUse
from memtui.store.records.kinds import ref_of
from memtui.store.tables.removal.purge_selection import Selection, deleted, with_what_belongs
from tests.promises import promise
from tests.sizes import sizes
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.formats.fillings import exported, imported

from ...conftest import OpenStore

CANARY = "zebracanary"
TOLD = f"{CANARY} sang in the coal mine"
AT = 1_771_000_000_000


def bytes_of(folder: Path, but: str = "backup") -> bytes:
    """All bytes of all files in a directory."""
    files = [one for one in folder.rglob("*") if one.is_file() and but not in str(one)]
    return b"\0".join(one.read_bytes() for one in files).lower()


def holds(folder: Path, text: str = CANARY) -> bool:
    return text.encode() in bytes_of(folder)


def fill(store: Store) -> None:
    """The canary in every field of every kind, quoted, edited, searched and given."""
    session = store.sessions.start(
        "c-1", agent="codex", project="atlas", title=f"{TOLD} title", at=AT,
        extra=json.dumps({"k": f"{TOLD} extra"}),
    )  # fmt: skip
    prompt = store.prompts.add(session, f"{TOLD} prompt", at=AT)
    every: dict[str, Any] = {
        name: [f"{TOLD} {name}"] for name in ("facts", "concepts", "files_read", "files_modified", "tags")
    }
    one = store.observations.add(
        session, title=f"{TOLD} seen", subtitle=f"{TOLD} sub", narrative=f"{TOLD} story " * 300,
        text=f"{TOLD} text", event_id="e-1", at=AT, **every,
        extra=json.dumps({"k": f"{TOLD} extra"}),
    )  # fmt: skip
    names = ("request", "investigated", "learned", "completed", "next_steps", "notes", "text")
    fields: dict[str, Any] = {name: f"{TOLD} {name}" for name in names}
    summary = store.summaries.add(session, at=AT, files_read=[f"{TOLD}.py"], **fields)
    store.facts.add(f"{TOLD} is a fact", entities=[f"{TOLD} entity"], evidence=[prompt.uid], at=AT)
    store.facts.add(f"{TOLD} is a fact", entities=[f"{TOLD} again"], evidence=[one.uid])
    with store.change("note n1 put"):
        store.notes.upsert(f"{CANARY}.md", f"{TOLD} in a note that was edited later", at=AT)
    with store.change("note n1 put"):
        store.notes.upsert(f"{CANARY}.md", f"{TOLD} in a note", at=AT)
    store.pending.add(session, tool_input=f"{TOLD} payload", event_id="e-1")
    store.pending.add(session, "summary", last_user_message=f"{TOLD} prompt")
    store.searches.remember(f"where is {CANARY}")
    store.db.execute(
        "INSERT INTO quarantine (at, agent, reason, record) VALUES (1, 'codex', 'torn', ?)",
        (json.dumps({"text": f"{TOLD} text"}),),
    )
    store.db.execute(
        "INSERT INTO given_contexts (at, agent, session, project, tokens, refs) "
        "VALUES (1, 'codex', 'c-1', 'atlas', 9, ?)",
        (json.dumps([str(one.id), f"s{summary.id}"]),),
    )
    store.observations.pin(one)
    store.summaries.pin(summary)
    with store.change("observation edited"):
        store.observations.revise(one.id, title=f"{TOLD} seen again")
    store.undo()
    store.redo()
    assert store.db.execute("SELECT count(*) FROM redone_changes").get == 1
    store.observations.add("c-2", title="stays", project="atlas", at=AT + 1)


def everything(store: Store) -> Selection:
    chosen = Selection({"sessions": (1,), "facts": (1,), "notes": (1,)})
    return with_what_belongs(store.db, chosen, store.facts)


@promise("purge-final")
def test_a_canary_in_every_field_of_every_kind_is_in_no_file_afterwards(
    store: Store, tmp_path: Path
) -> None:
    fill(store)
    assert holds(tmp_path)
    done = purge_for_good(store, everything(store))
    assert done.counts == {
        "facts": 1, "notes": 1, "prompts": 1, "observations": 1, "summaries": 1, "sessions": 1,
    }  # fmt: skip
    assert done.is_final
    assert done.found == ()
    assert done.texts > 20
    assert not holds(tmp_path)
    assert [one.title for one in store.observations.recent()] == ["stays"]
    assert store.searches.recent() == []
    assert store.db.execute("SELECT refs FROM given_contexts").fetchall() == []


@promise("purge-final")
def test_all_that_is_deleted_is_purged_and_nothing_else(store: Store, tmp_path: Path) -> None:
    for number in range(5):
        store.observations.add("c-1", title=f"{TOLD} {number}", concepts=["performance"])
    store.observations.add("c-1", title="performance stays", concepts=["performance"])
    store.facts.delete(store.facts.add(f"{TOLD} of a fact"))
    store.notes.delete(store.notes.upsert("OLD.md", f"{TOLD} of a note"))
    store.prompts.delete(store.prompts.add("c-1", f"{TOLD} of a prompt"))
    for number in range(1, 6):
        store.observations.delete(number)
    done = purge_for_good(store, with_what_belongs(store.db, deleted(store.db), store.facts))
    assert done.total == 8
    assert done.found == ()
    assert not holds(tmp_path)
    assert [hit.record.id for hit in store.find("performance").page().hits] == [6]
    assert deleted(store.db).counts == {}


def test_what_a_living_memory_says_too_is_no_leftover(store: Store) -> None:
    store.observations.add("c-1", title="the very same title", narrative="one")
    store.observations.add("c-1", title="the very same title", narrative="two")
    done = purge_for_good(store, Selection({"observations": (1,)}))
    assert done.found == ()
    assert done.also == ("2",)
    assert [one.id for one in store.observations.recent()] == [2]


def test_what_stands_side_by_side_in_a_living_memorys_row_is_no_leftover(store: Store) -> None:
    store.observations.add("c-1", title=TOLD, concepts=["a concept of both"])
    store.observations.add("c-1", title=TOLD[:14], subtitle=TOLD[14:], concepts=["a concept of both"])
    assert purge_for_good(store, Selection({"observations": (1,)})).found == ()


def test_a_transcript_that_still_holds_it_is_named_and_left_as_it_is(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("agent") / "transcript.jsonl"
    path.write_text(json.dumps({"prompt": f"{TOLD} once"}))
    store.db.execute("INSERT INTO transcripts (path, agent) VALUES (?, 'codex')", (str(path),))
    store.prompts.add("c-1", f"{TOLD} once")
    done = purge_for_good(store, Selection({"prompts": (1,)}), backups=True)
    assert [(one.path, one.texts) for one in done.sources] == [(path, 1)]
    assert TOLD in path.read_text()


def test_an_agents_file_that_it_was_promoted_into_is_named_and_left_as_it_is(
    store: Store, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("project") / "CLAUDE.md"
    path.write_text("# Build\n")
    fact = store.facts.add(TOLD)
    Promotion(store).to_file(ref_of(fact), path)
    done = purge_for_good(store, Selection({"facts": (fact.id,)}))
    # Its text, and the mark of its uid.
    assert [(one.path, one.texts) for one in done.sources] == [(path, 2)]
    assert TOLD in path.read_text()


def test_an_undo_after_a_purge_says_so_and_the_next_takes_back_what_is_left(store: Store) -> None:
    first, second = (store.observations.add("c-1", title=f"title {one}") for one in (1, 2))
    with store.change("2 memories deleted"):
        store.observations.delete(first)
        store.observations.delete(second)
    purge_for_good(store, Selection({"observations": (first.id,)}))
    told = store.undo()
    assert told is not None
    assert not told.is_done
    assert told.kept == ("“1 observation purged” can't be undone.",)
    told = store.undo()
    assert told is not None
    assert [(one.ref, one.title) for one in told.records] == [("2", "title 2")]
    assert told.kept == ("1 of it purged since: gone for good.",)
    assert [one.id for one in store.observations.recent()] == [2]


def from_claude_mem(store: Store, folder: Path) -> None:
    path = folder / "claude-mem.db"
    if not path.exists():
        file = ClaudeMemFile(path)
        file.session()
        file.observation(title=TOLD)
    import_database(store, path)


def from_a_directory(store: Store, folder: Path) -> None:
    if not (folder / "scheme").exists():
        (folder / "scheme" / "daily").mkdir(parents=True)
        lines = [
            {"type": "action", "timestamp": "2026-02-17T10:00:00Z", "session_id": "s-1",
             "content": TOLD, "id": "l-1"},
            {"type": "fact", "timestamp": "2026-02-17T10:00:00Z", "session_id": "s-1",
             "content": f"{TOLD} is a fact", "id": "l-2"},
        ]  # fmt: skip
        (folder / "scheme" / "daily" / "2026-02-17.jsonl").write_text(
            "".join(json.dumps(line) + "\n" for line in lines)
        )
        (folder / "scheme" / "MEMORY.md").write_text(f"{TOLD} in a note\n")
    import_directory(store, folder / "scheme")
    sync(store, folder / "scheme")


def from_an_export(store: Store, folder: Path) -> None:
    path = folder / "export.jsonl"
    if not path.exists():
        with Store.open(folder / "other.db") as other:
            fill(other)
            path.write_bytes(exported(other))
    imported(store, path.read_bytes(), folder)


def from_events(store: Store, folder: Path) -> None:
    del folder
    for kind, text in (("prompt", f"{TOLD} prompt"), ("compaction", f"{TOLD} summed up")):
        for channel in ("hook", "transcript"):
            event = Event(
                kind=kind, agent="codex", session="c-9", key=f"k-{kind}", text=text, at=AT,  # type: ignore[arg-type]
            )  # fmt: skip
            ingest_event(store, event, channel)
    tool = ToolUse("Bash", {"command": f"echo {TOLD}"}, TOLD, False)
    event = Event(kind="tool", agent="codex", session="c-9", key="k-t", at=AT, tool=tool)
    ingest_event(store, event, "hook")


@promise("purge-final")
@pytest.mark.parametrize("bring_in", [from_claude_mem, from_a_directory, from_an_export, from_events])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.sampled
def test_no_source_brings_back_what_was_purged(
    store: Store,
    tmp_path_factory: pytest.TempPathFactory,
    bring_in: Callable[[Store, Path], None],
    whole: bool,
) -> None:
    folder = tmp_path_factory.mktemp("sources")
    bring_in(store, folder)
    assert holds(store.path.parent)
    tables = ("sessions", "facts", "notes") if whole else (
        "facts", "notes", "prompts", "observations", "summaries",
    )  # fmt: skip
    numbers = {
        table: tuple(
            number
            for (number,) in store.db.execute(f"SELECT id FROM {table}")
            if whole or CANARY in repr(getattr(store, table).get(number))
        )
        for table in tables
    }
    chosen = with_what_belongs(store.db, Selection(numbers), store.facts)
    done = purge_for_good(store, chosen)
    assert done.found == ()
    for _ in range(2):
        bring_in(store, folder)
        assert store.find(f"{CANARY} is:private").page().hits == []
        assert store.find(CANARY).page().hits == []
        for table in ("facts", "notes", "prompts", "observations", "summaries"):
            rows = store.db.execute(f"SELECT * FROM {table}").fetchall()
            assert CANARY not in repr(rows).lower(), table


def test_a_purged_session_goes_on_with_what_happens_later(store: Store, tmp_path: Path) -> None:
    from_events(store, tmp_path)
    purge_for_good(store, with_what_belongs(store.db, Selection({"sessions": (1,)}), store.facts))
    assert store.sessions.list() == []
    now = Event(kind="prompt", agent="codex", session="c-9", key="k-new", text="what now")
    assert ingest_event(store, now, "hook")
    assert [one.session.content_session_id for one in store.sessions.list()] == ["c-9"]
    from_events(store, tmp_path)
    assert [one.text for one in store.prompts.recent()] == ["what now"]


def told_and_backed_up(store: Store) -> Path:
    """Add two observations, the first with the canary, and back both up; the backup's path."""
    store.observations.add("c-1", title=TOLD)
    store.observations.add("c-1", title="stays")
    target = new_backup_path(store.path)
    target.parent.mkdir()
    store.backup(target)
    return target


def test_the_memorys_own_backups_are_named_and_changed_when_told(store: Store) -> None:
    target = told_and_backed_up(store)
    done = purge_for_good(store, Selection({"observations": (1,)}))
    assert [one.path for one in done.backups] == [target]
    store.observations.add("c-1", title=f"{TOLD} once more")
    with Store.open(target) as copy:
        assert copy.observations.get(1).title == TOLD
    done = purge_for_good(store, Selection({"observations": (2,)}), backups=True)
    assert [one.path for one in done.backups] == []
    assert known_backups(store.path) == [target]


def test_what_was_purged_before_goes_from_backups_when_told(store: Store) -> None:
    target = told_and_backed_up(store)
    purge_for_good(store, Selection({"observations": (1,)}))
    assert TOLD.encode() in target.read_bytes()
    assert purge_backups(store).counts == {"observations": 1}
    assert TOLD.encode() not in target.read_bytes()
    with Store.open(target) as copy:
        assert [one.title for one in copy.find("").rows(0, 9)] == ["stays"]


def test_a_backup_whose_purge_was_killed_is_finished_by_the_next_one(store: Store) -> None:
    target = told_and_backed_up(store)
    purge_for_good(store, Selection({"observations": (1,)}))
    with Store.open(target) as copy:
        # Committed, and nothing overwritten yet.
        purge(copy, "observations", [1])
    purge_backups(store)
    assert TOLD.encode() not in target.read_bytes()
    with Store.open(target) as copy:
        assert finish_interrupted(copy) is None


KILLED = """
import os, sys
from memtui.store import Store
from memtui.store.maintain import purge
from memtui.store.tables.removal.purge_selection import Selection, with_what_belongs
at = int(sys.argv[2])
seen = 0
def trace(cursor, sql, bindings):
    global seen
    seen += 1
    if seen == at:
        os.kill(os.getpid(), 9)
    return True
with Store.open(sys.argv[1]) as store:
    chosen = with_what_belongs(
        store.db, Selection({"sessions": (1,), "facts": (1,), "notes": (1,)}), store.facts
    )
    store.db.exec_trace = trace
    purge.purge_for_good(store, chosen)
print(seen)
"""


@promise("purge-final")
@sizes("places", 4, 15)
def test_killed_anywhere_running_it_again_finishes_it(
    open_store: OpenStore, tmp_path: Path, places: int
) -> None:
    def run(name: str, at: int) -> subprocess.CompletedProcess[str]:
        path = tmp_path / name / "memory.db"
        path.parent.mkdir()
        with Store.open(path) as store:
            fill(store)
        return subprocess.run(
            [sys.executable, "-c", KILLED, str(path), str(at)],
            capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": "."},
        )  # fmt: skip

    whole = run("whole", -1)
    assert whole.returncode == 0, whole.stderr
    statements = int(whole.stdout)
    for place in range(1, places + 1):
        at = statements * place // (places + 1)
        name = f"killed-{place}"
        assert run(name, at).returncode == -signal.SIGKILL
        store = open_store(tmp_path / name / "memory.db")
        finish_interrupted(store)
        purge_for_good(store, everything(store)) if store.notes.list() else None
        assert not holds(tmp_path / name), at
        assert [one.title for one in store.observations.recent()] == ["stays"]


def test_a_reader_that_stays_is_said_and_the_next_to_come_finishes(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    store.observations.add("c-1", title=TOLD)
    reader = open_store()
    reader.db.execute("BEGIN")
    assert reader.observations.get(1).title == TOLD
    done = purge_for_good(store, Selection({"observations": (1,)}))
    assert not done.is_final
    reader.db.execute("ROLLBACK")
    assert finish_interrupted(store)
    assert not holds(tmp_path)
    assert finish_interrupted(store) is None


def test_a_policy_of_hours_and_of_none_purges_as_finally(store: Store, tmp_path: Path) -> None:
    store.observations.add("c-1", title=TOLD, project="atlas", at=AT)
    retention = Retention(store)
    retention.set(0.5, "atlas", grace_days=0)
    assert retention.run(AT + 3_600_000) == 0
    assert retention.run(AT + 13 * 3_600_000) == 1
    assert retention.run(AT + 14 * 3_600_000) == 1
    assert not holds(tmp_path)
