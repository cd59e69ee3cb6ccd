"""A directory of scheme C comes in whole, each line once, and what is odd about it is told by line."""

import os
from pathlib import Path

import pytest

from memtui.store import SourceError, Store
from memtui.store.formats.scheme_c.directory import is_scheme_c
from memtui.store.formats.scheme_c.directory_import import import_directory

from .directories import DAY, directory, dumped, everything, fact, line

NOON = 1_771_243_200_000
"""2026-02-16 12:00 UTC, ms."""


def test_events_are_observations_of_their_session(store: Store, tmp_path: Path) -> None:
    path = directory(
        tmp_path / "c",
        d16=[
            line(1, "session_start", workspace="/home/lin/atlas"),
            line(2, content="git push\nto origin", entities=["git"], weight=7),
            line(3, "audit", action="git_commit", command="git commit -m x"),
            line(4, "session_end", reason="interrupted", duration_ms=5),
        ],
    )
    report = import_directory(store, path)
    push, commit = sorted(store.observations.recent(), key=lambda one: one.id)
    assert (push.type, push.title, push.narrative) == ("action", "git push", "git push\nto origin")
    assert (push.concepts, push.project, push.extra) == (("git",), "atlas", '{"weight": 7}')
    assert (commit.type, commit.title, commit.narrative) == ("audit", "git_commit", "git commit -m x")
    session = store.sessions.get("conv-1")
    assert (session.project, session.project_path) == ("atlas", "/home/lin/atlas")
    assert (session.status, session.completed_at) == ("completed", NOON - 6_960_000)
    assert report.of("observations").new == 2


def test_a_start_without_an_id_is_the_next_sessions_that_has_not_started(
    store: Store, tmp_path: Path
) -> None:
    start = {"id": "log-1", "type": "session_start", "workspace": "/w/orders"}
    path = directory(
        tmp_path / "c",
        d16=[
            line(1, "session_start", workspace="/w/atlas"),
            {**start, "timestamp": f"{DAY}T10:02:00Z"},
            line(3, content="still the first"),
            line(4, content="the second", session_id="conv-2"),
        ],
    )
    import_directory(store, path)
    assert store.sessions.get("conv-1").project == "atlas"
    second = store.sessions.get("conv-2")
    assert (second.project, second.started_at) == ("orders", NOON - 118 * 60_000)


def test_the_same_id_on_two_days_is_two_records(store: Store, tmp_path: Path) -> None:
    path = directory(
        tmp_path / "c", d16=[line(1, content="one"), line(1, content="two")], d17=[line(1, content="three")]
    )
    import_directory(store, path)
    assert sorted(str(one.title) for one in store.observations.recent()) == ["one", "three", "two"]


def test_summaries_tell_decisions_and_todos(store: Store, tmp_path: Path) -> None:
    told = {"id": "sum-1", "session_id": "conv-1", "topic": "Cache", "summary": "Compared three."}
    more = {"decisions": ["use Redis", "24 h"], "todos": None, "timestamp": f"{DAY}T12:00:00Z"}
    path = directory(tmp_path / "c", sessions=[told | more, {"id": "sum-2", "session_id": ""}])
    report = import_directory(store, path)
    (summary,) = store.summaries.recent()
    assert (summary.request, summary.text) == ("Cache", "Compared three.")
    assert (summary.completed, summary.next_steps, summary.created_at) == ("use Redis\n24 h", None, NOON)
    assert report.of("summaries").skipped == {"no content": 1}


def test_a_line_says_its_session_in_many_ways(store: Store, tmp_path: Path) -> None:
    bare = {"type": "action", "timestamp": f"{DAY}T10:00:00Z", "content": "x"}
    path = directory(
        tmp_path / "c",
        d16=[
            bare | {"id": "1", "source": {"session": "a-session"}},
            bare | {"id": "2", "session_id": "a-session"},
            bare | {"id": "3", "source": "thought"},
        ],
    )
    import_directory(store, path)
    ours = {one.native_id: one for one in store.observations.recent()}
    owner = store.sessions.get("a-session").id
    assert ours[f"daily/{DAY}.jsonl#1"].session_id == ours[f"daily/{DAY}.jsonl#2"].session_id == owner
    assert ours[f"daily/{DAY}.jsonl#3"].extra == '{"source": "thought"}'


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        (f"{DAY}T12:00:00Z", NOON),
        (f"{DAY}T20:00:00+08:00", NOON),
        (f"{DAY}T12:00:00", NOON),
        (f"{DAY}T12:00:00.123Z", NOON + 123),
        (NOON // 1_000, NOON),
        ("yesterday", NOON - 7_200_000 + 60_000),
        (None, NOON - 7_200_000 + 60_000),
    ],
)
def test_times_are_read_as_they_are_written_else_from_the_id_and_the_day(
    store: Store, tmp_path: Path, timestamp: object, expected: int
) -> None:
    import_directory(store, directory(tmp_path / "c", d16=[line(1, content="x", timestamp=timestamp)]))
    assert [one.created_at for one in store.observations.recent()] == [expected]


def test_deleted_lines_come_in_deleted(store: Store, tmp_path: Path) -> None:
    gone = {"deleted_at": f"{DAY}T12:00:00Z", "deleted_by": "user"}
    path = directory(tmp_path / "c", d16=[line(1, content="x", **gone), fact(2, "y", **gone)])
    import_directory(store, path)
    assert store.observations.get(1).deleted_at == NOON
    assert store.facts.get(1).deleted_at == NOON
    assert store.find("").rows(0, 9) == []


def test_private_text_reaches_no_table(store: Store, tmp_path: Path) -> None:
    secret = "a <private>CANARY-1</private> b"
    path = directory(
        tmp_path / "c",
        d16=[line(1, content=secret, odd=[secret]), fact(2, secret, entities=[secret])],
        facts=[{"id": "f", "type": "W", "content": secret, "evidence": [secret]}],
        sessions=[{"id": "s", "session_id": "conv-1", "topic": secret, "todos": [secret]}],
        MEMORY_md=f"# {secret}\n",
    )
    import_directory(store, path)
    store.close()
    assert b"CANARY-1" not in b"".join(one.read_bytes() for one in tmp_path.glob("memory.db*"))


def test_every_bad_line_is_named_and_the_others_come_in(store: Store, tmp_path: Path) -> None:
    lines = [
        "\ufeff" + '{"id": "1", "type": "action", "content": "with a mark"}\r',
        "",
        '{"id": "2", "type": "action", "content": "cut off',
        '["no object"]',
        '{"id": "3"} {"id": "4"}',
        "[" * 100_000,
        '{"id": "5", "type": "action", "content": "the last"}',
    ]
    report = import_directory(store, directory(tmp_path / "c", d16=lines))
    assert [one.title for one in reversed(store.observations.recent())] == ["with a mark", "the last"]
    named = {one.table.rsplit(":", 1)[1] for one in report.warnings if "JSON" in one.message}
    assert named == {"3", "4", "5", "6"}
    assert report.of("lines").skipped == {"blank": 1, "not a JSON object": 4}


def test_bad_utf_8_is_kept_as_far_as_it_can_be_read(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[])
    (path / "daily" / f"{DAY}.jsonl").write_bytes(b'{"id": "1", "type": "x", "content": "a \xff b"}')
    report = import_directory(store, path)
    assert [one.title for one in store.observations.recent()] == ["a \ufffd b"]
    assert any(one.table == f"daily/{DAY}.jsonl:1" for one in report.warnings)


def test_odd_files_are_told_and_the_directory_stays_as_it_was(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="x")], d30=[line(2, content="y")])
    (path / "daily" / "README.txt").write_text("not a log")
    before = everything(path)
    report = import_directory(store, path)
    assert store.stats().observations == 2
    assert len(report.notes) == 2
    assert everything(path) == before


def test_again_changes_nothing_and_what_changed_follows(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="one"), line(2, content="two"), fact(3, "f")])
    import_directory(store, path)
    assert import_directory(store, path).changes == 0
    store.observations.pin(1)
    directory(path, d16=[line(1, content="ONE"), line(2, content="two"), fact(3, "g")])
    report = import_directory(store, path)
    assert (report.of("observations").changed, report.of("facts").changed) == (1, 1)
    one = store.observations.get(1)
    assert (one.title, one.pinned) == ("ONE", True)
    assert [fact.content for fact in store.facts.list()] == ["g"]


def test_what_was_edited_here_stays_and_is_told(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="one")])
    import_directory(store, path)
    store.observations.revise(1, title="mine")
    directory(path, d16=[line(1, content="theirs")])
    report = import_directory(store, path)
    assert store.observations.get(1).title == "mine"
    assert [one.fields for one in report.differences] == [("title",)]


def test_what_is_gone_there_is_marked_and_comes_back(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="one"), fact(2, "f")], d17=[line(3, content="x")])
    import_directory(store, path)
    directory(path, d16=[])
    (path / "daily" / "2026-02-17.jsonl").unlink()
    gone = import_directory(store, path)
    assert (gone.of("observations").vanished, gone.of("facts").vanished) == (2, 1)
    assert store.stats().observations == 2
    directory(path, d16=[line(1, content="one"), fact(2, "f")])
    back = import_directory(store, path)
    assert (back.of("observations").returned, back.of("facts").returned) == (1, 1)


def test_a_note_whose_file_is_gone_is_marked_and_comes_back(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="one")], MEMORY_md="# a")
    import_directory(store, path)
    (path / "MEMORY.md").unlink()
    assert import_directory(store, path).of("notes").vanished == 1
    directory(path, MEMORY_md="# a")
    assert import_directory(store, path).of("notes").returned == 1


def test_what_was_purged_here_does_not_come_back(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="one"), line(2, content="two")])
    import_directory(store, path)
    one = store.observations.get(1)
    with store.transaction():
        store.db.execute(
            "INSERT INTO purged (uid, kind, source, native_id, at) VALUES (?, 'observations', ?, ?, 0)",
            (one.uid, one.source, one.native_id),
        )
        store.db.execute("DELETE FROM observations WHERE id = 1")
    import_directory(store, path)
    assert [found.title for found in store.observations.recent()] == ["two"]


def test_a_directory_is_known_wherever_it_lies(store: Store, tmp_path: Path) -> None:
    import_directory(store, directory(tmp_path / "c", d16=[line(1, content="one")]))
    (tmp_path / "c").rename(tmp_path / "moved")
    directory(tmp_path / "moved", d17=[line(2, content="more")])
    report = import_directory(store, tmp_path / "moved")
    assert report.of("observations").new == 1


def test_what_is_no_such_directory_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").mkdir()
    for name, reason in (("none", "no directory"), ("file", "is a file"), ("other", "holds no MEMORY")):
        with pytest.raises(SourceError, match=reason):
            import_directory(store, tmp_path / name)


def test_two_directories_keep_their_own_notes(store: Store, tmp_path: Path) -> None:
    for name in ("one", "two"):
        import_directory(store, directory(tmp_path / name, MEMORY_md=f"# of {name}\n"))
    assert [(note.path, note.text) for note in store.notes.list()] == [
        ("MEMORY.md", "# of one\n"),
        ("two/MEMORY.md", "# of two\n"),
    ]


def test_days_in_folders_are_read_and_a_link_is_no_folder(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="in a folder")])
    (path / "daily" / "2026").mkdir()
    (path / "daily" / f"{DAY}.jsonl").rename(path / "daily" / "2026" / f"{DAY}.jsonl")
    (path / "daily" / "loop").symlink_to(path / "daily")
    assert is_scheme_c(path)
    report = import_directory(store, path)
    assert [one.native_id for one in store.observations.recent()] == [f"daily/2026/{DAY}.jsonl#log-100100"]
    assert report.notes == ["daily/loop is not a .jsonl file and was left alone."]


def test_a_name_that_no_text_can_hold_is_told(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="good")])
    try:
        (path / "daily" / os.fsdecode(b"2026-\xff.jsonl")).write_text(dumped(fact(1, "x")))
    except OSError:
        pytest.skip("this file system takes no such name")
    report = import_directory(store, path)
    assert report.notes == ["daily/2026-\ufffd.jsonl has a name that can't be written and was left alone."]
    assert [one.title for one in store.observations.recent()] == ["good"]


def test_a_directory_around_a_memory_names_it(store: Store, tmp_path: Path) -> None:
    directory(tmp_path / "project" / "memory-data", d16=[line(1)])
    with pytest.raises(SourceError, match=r"but .*memory-data is: name that one"):
        import_directory(store, tmp_path / "project")


@pytest.mark.parametrize(
    "values",
    [
        '"timestamp": 1e400', '"confidence": NaN', '"timestamp": ' + "9" * 400,
        '"x": ' + "9" * 5_000, '"x": ' + "[" * 900 + "]" * 900, '"session_id": "\\udfff"',
        '"id": ["x"]', '"type": {"a": 1}', '"source": [5]', '"deleted_at": true', '"private": "yes"',
        '"session_id": 12.5', '"content": "\\u0000"', '"entities": {"a": [null, 7]}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("type", ["fact", "action", "session_end"])
def test_no_value_is_too_odd_to_be_read(store: Store, tmp_path: Path, type: str, values: str) -> None:
    odd = f'{{"id": "a", "type": "{type}", "content": "odd", {values}}}'
    path = directory(tmp_path / "c", d16=[odd, line(2, content="good")], facts=[odd], sessions=[odd])
    import_directory(store, path)
    assert "good" in {one.title for one in store.observations.recent()}
    assert import_directory(store, path).changes == 0


def test_the_same_with_a_mark_at_the_beginning_is_the_same_directory(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="x")])
    import_directory(store, path)
    day = path / "daily" / f"{DAY}.jsonl"
    (tmp_path / "moved" / "daily").mkdir(parents=True)
    (tmp_path / "moved" / "daily" / day.name).write_bytes(
        b"\xef\xbb\xbf" + day.read_bytes().replace(b"\n", b"\r\n")
    )
    assert import_directory(store, tmp_path / "moved").changes == 0


def test_files_of_other_kinds_are_named(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="git push")])
    assert import_directory(store, path).notes == []
    (path / "testing.md").write_text("how tests run")
    (path / ".hidden").write_text("x")
    (path / "more").mkdir()
    assert import_directory(store, path).notes == [
        "Not read, since scheme C has no such files: more/, testing.md."
    ]
