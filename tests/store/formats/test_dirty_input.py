"""Whatever lies where a memory is looked for: it ends in a sentence or a report, and nothing outside of
the directory that was named is read or written."""

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import chdir, closing
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.config import model_settings
from memtui.store.formats.export import FORMATS, export_to
from memtui.store.formats.scheme_c.directory_import import import_directory
from memtui.store.formats.scheme_c.notes import NoteWatch
from memtui.store.formats.scheme_c.sync import sync
from memtui.store.install.config_file import read
from memtui.store.maintain.importing import SOURCES, run, source_of
from memtui.store.platform.errors import ConfigurationError, SourceError, StoreError
from tests.promises import promise
from tests.tables import table

OUTSIDE = "what stands outside"


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    with closing(socket.socket(socket.AF_UNIX)) as made, chdir(path.parent):
        made.bind(path.name)


KINDS: dict[str, Callable[[Path], object]] = {
    "a pipe": pipe,
    "a socket": listening,
    "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a link to nothing": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "an empty directory": lambda path: path.mkdir(),
    "an empty file": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(b"\0" * 100_000),
    "one long line": lambda path: path.write_bytes(b"x" * 300_000),
    "JSON without a bottom": lambda path: path.write_bytes(b"[" * 100_000),
    "a deep object": lambda path: path.write_bytes(b'{"a":' * 900 + b"1" + b"}" * 900 + b"\n"),
    "no UTF-8": lambda path: path.write_bytes(b'\xff\xfe{"a": "\xc3"}\n' * 100),
    "half a database": lambda path: path.write_bytes(b"SQLite format 3\0" + b"\xff" * 500),
}
IRREGULAR = ["a pipe", "a socket", "an endless device"]
if (endless := Path("/proc/self/pagemap")).exists():
    KINDS["a file without an end"] = lambda path: path.symlink_to(endless)
    IRREGULAR.append("a file without an end")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    yield tmp_path


@promise("dirty-input")
@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_file_ends_in_a_sentence_or_a_report(store: Store, place: Path, kind: str) -> None:
    for suffix in (".jsonl", ".json", ".db", ".txt"):
        path = place / f"dirt{suffix}"
        KINDS[kind](path)
        for source in SOURCES:
            try:
                report = run(store, source, path, None)
            except StoreError as error:
                assert str(path) in str(error)
                assert str(error).endswith((".", "?", ")"))
            else:
                assert not report.changes
        if kind in IRREGULAR:
            with pytest.raises(SourceError):
                source_of(path)


@promise("dirty-input")
@pytest.mark.parametrize("kind", KINDS)
def test_a_directory_with_any_kind_of_file_is_read_without_it(store: Store, place: Path, kind: str) -> None:
    memory = place / "memory"
    (memory / "daily").mkdir(parents=True)
    (memory / "NOTES.md").write_text("a note")
    for name in ("MEMORY.md", "facts.jsonl", "sessions.jsonl", "daily/2026-01-02.jsonl", ".memtui.json"):
        KINDS[kind](memory / name)
    import_directory(store, memory, None)
    assert [note.text for note in store.notes.where("path = 'NOTES.md'")] == ["a note"]
    try:
        sync(store, memory)
    except StoreError as error:
        assert str(memory) in str(error)
    NoteWatch().look(store)


@promise("dirty-input")
@table("name", ["NOTES.md", "MEMORY.md", "facts.jsonl", "sessions.jsonl", "notes.jsonl",
                "daily/2026-01-02.jsonl", "daily", "daily/inner", ".memtui.json",
                ".memtui.lock"])  # fmt: skip
def test_no_link_is_followed_out_of_a_directory(
    store: Store, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    place = tmp_path_factory.mktemp("linked")
    memory, outside = place / "memory", place / "outside"
    (memory / "x").parent.mkdir()
    if name != "daily":
        (memory / "daily").mkdir()
    (memory / "MEMORY.md").write_text("a memory")
    line = json.dumps({"id": "1", "type": "observation", "content": OUTSIDE, "fact": OUTSIDE})
    if name in ("daily", "daily/inner"):
        outside.mkdir()
        (outside / "2026-01-02.jsonl").write_text(f"{line}\n")
    else:
        outside.write_text(OUTSIDE if name.endswith("md") else f"{line}\n")
    (memory / name).unlink(missing_ok=True)
    (memory / name).symlink_to(outside)
    held = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    import_directory(store, memory, None)
    store.facts.add(f"It goes out, not through {name}")
    store.observations.add("c-1", title="It goes out", project="atlas", at=1_767_312_000_000)
    with pytest.raises(StoreError, match="link"):
        sync(store, memory)
    NoteWatch().look(store)
    assert OUTSIDE not in json.dumps([note.text for note in store.notes.where("1")])
    for kind in (store.facts, store.observations):
        assert not [one for one in kind.where("1") if OUTSIDE in repr(one)]
    assert held == {path: path.read_bytes() for path in held}
    assert sorted(outside.parent.iterdir()) == [memory, outside]


@promise("dirty-input")
def test_a_second_name_of_a_file_outside_keeps_its_content(store: Store, place: Path) -> None:
    memory = place / "memory"
    store.observations.add("c-1", title="First", project="atlas")
    store.facts.add("It holds")
    sync(store, memory)
    files = list(memory.rglob("*.jsonl"))
    held = {}
    for number, path in enumerate(files):
        other = place / f"other{number}"
        os.link(path, other)
        held[other] = other.read_bytes()
    store.observations.add("c-1", title="Second", project="atlas")
    store.facts.add("It holds, too")
    sync(store, memory)
    assert held == {other: other.read_bytes() for other in held}
    assert any(b"Second" in path.read_bytes() for path in files)


@promise("dirty-input")
@table(
    "schema",
    [
        "CREATE VIEW observations AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id+1 FROM r) "
        "SELECT id, 'x' AS project, 'y' AS text FROM r",
        "CREATE VIEW observations AS SELECT a.id, b.id AS project FROM user_prompts a, user_prompts b",
        "CREATE VIRTUAL TABLE observations USING fts5(id, title)",
        "CREATE TABLE observations (id INTEGER PRIMARY KEY, title TEXT, "
        "big TEXT GENERATED ALWAYS AS (printf('%.*c', 200000000, 'x')))",
        "CREATE TABLE observations (id, rowid, _rowid_, oid, title)",
        "CREATE TABLE observations (id TEXT, \"rowid\" TEXT, title TEXT)",
        "CREATE TABLE observations (\"a\"\"b; DROP TABLE x\" TEXT PRIMARY KEY, title TEXT) WITHOUT ROWID",
        "CREATE TABLE observations (a, b, title, PRIMARY KEY (a, b)) WITHOUT ROWID",
        f"CREATE TABLE observations (id INTEGER PRIMARY KEY, {', '.join(f'c{n}' for n in range(1_900))})",
        "CREATE TABLE observations (id INTEGER PRIMARY KEY, title CHECK (length(randomblob(100000000))))",
    ],
)  # fmt: skip
def test_only_tables_are_read_and_that_ends(
    store: Store, tmp_path_factory: pytest.TempPathFactory, schema: str
) -> None:
    path = tmp_path_factory.mktemp("foreign") / "foreign.db"
    with closing(apsw.Connection(str(path))) as db:
        db.execute(
            "CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, worker_port);"
            "CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_text TEXT,"
            " prompt_number INTEGER, created_at TEXT, created_at_epoch INTEGER);"
            "INSERT INTO sdk_sessions VALUES (1, 'c-1', 1);"
            "INSERT INTO user_prompts VALUES (1, 'c-1', 'asked', 1, '', 1);"
        )
        db.execute(schema)
    before = path.read_bytes()
    run(store, "claude-mem", path, None)
    assert [one.text for one in store.prompts.where("1")] == ["asked"]
    assert path.read_bytes() == before


@promise("dirty-input")
@pytest.mark.parametrize("kind", IRREGULAR)
def test_what_is_no_file_is_no_configuration_and_no_place_to_write(
    store: Store, place: Path, kind: str
) -> None:
    path = place / "dirt"
    KINDS[kind](path)
    with pytest.raises(ConfigurationError):
        model_settings(path)
    with pytest.raises(ConfigurationError):
        read(path)
    before = path.stat()
    for name in FORMATS if not path.is_file() else ():
        with pytest.raises(StoreError):
            export_to(store, name, path, force=True)
    assert path.stat() == before


def test_a_tree_deeper_than_any_stack_is_walked(store: Store, place: Path) -> None:
    deep = os.open(place, os.O_RDONLY)
    for _ in range(1_500):
        os.mkdir("d", dir_fd=deep)
        inner = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = inner
    os.close(deep)
    (place / "back").symlink_to(place)
    try:
        with pytest.raises(SourceError):
            run(store, "claude-code", place, None)
    finally:
        # Python's own way of removing a tree doesn't reach its bottom.
        subprocess.run(["rm", "-r", "--", str(place / "d")], check=True)
