"""`mem doctor` is green for a memory nobody touched, and names every part that is broken."""

import fcntl
import os
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import pytest

from memtui.store import Store
from memtui.store.config import config_path
from memtui.store.database import SCHEMA, health
from memtui.store.install import install
from memtui.store.platform.clock import DAY_MS, now_ms
from memtui.store.platform.paths import make_spool_directory
from tests.promises import promise
from tests.unprivileged import without_privileges

from ..runner import Mem


@dataclass(frozen=True)
class Broken:
    """A part, how it is broken, and which check says so. `mended`: `mem store rebuild` mends it."""

    part: str
    breaking: Callable[[Path], object]
    check: str
    mended: bool = False


def sql(statements: str) -> Callable[[Path], object]:
    def run(path: Path) -> None:
        with closing(apsw.Connection(str(path))) as db:
            db.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            db.execute(statements)

    return run


def spool(kind: Callable[[Path], object]) -> Callable[[Path], object]:
    def run(path: Path) -> None:
        kind(path.with_name(path.name + "-spool"))

    return run


def linked(path: Path) -> None:
    target = path.with_name("elsewhere")
    target.mkdir()
    path.symlink_to(target)


def wide_spool(path: Path) -> None:
    make_spool_directory(path).chmod(0o755)


def wide_segment(path: Path) -> None:
    segment = make_spool_directory(path) / "2026-01-01.jsonl"
    segment.touch()
    segment.chmod(0o644)


def configured(text: str) -> Callable[[Path], object]:
    def run(_path: Path) -> None:
        config_path().write_text(text)

    return run


def lost_event(path: Path) -> None:
    (make_spool_directory(path) / "lost").write_bytes(b"\n\n\n")


def torn_line(path: Path) -> None:
    (make_spool_directory(path) / "2026-01-01.jsonl").write_bytes(b"\nno record at all\n")


def slow_hooks(path: Path) -> None:
    with closing(apsw.Connection(str(path))) as db:
        rows = [(now_ms(), "codex", 400_000)] * 30
        db.executemany("INSERT INTO hook_runs (at, agent, microseconds) VALUES (?, ?, ?)", rows)


def waiting_message(age_days: int, rest: str = "", kind: str = "observation") -> Callable[[Path], object]:
    def run(path: Path) -> None:
        with Store.open(path) as store:
            store.pending.add("c-1", kind, tool_name="Bash", tool_input="{}")
        at = now_ms() - age_days * DAY_MS
        sql(f"UPDATE pending_messages SET updated_at = {at} {rest}")(path)

    return run


BROKEN = [
    Broken("a trigger", sql("DROP TRIGGER observations_inserted"), "tables", True),
    Broken("another trigger", sql("DROP TRIGGER prompts_unquoted"), "tables", True),
    Broken("a trigger of the indexes", sql("DROP TRIGGER words_document_deleted"), "tables", True),
    Broken("a trigger that does nothing", sql(
        "DROP TRIGGER facts_hidden; CREATE TRIGGER facts_hidden BEFORE UPDATE ON facts "
        "BEGIN SELECT 1; END"), "tables", True),
    Broken("an index", sql("DROP INDEX documents_by_time"), "tables", True),
    Broken("a unique index", sql("DROP INDEX facts_statement"), "tables", True),
    Broken("an index on other columns", sql(
        "DROP INDEX facts_by_kind; CREATE INDEX facts_by_kind ON facts (kind)"), "tables", True),
    Broken("a view", sql("DROP VIEW hidden_documents"), "tables", True),
    Broken("a view that all hangs on", sql("DROP VIEW visible_memories"), "tables", True),
    Broken("a table of records", sql("DROP TABLE notes"), "tables", True),
    Broken("a table of capture", sql("DROP TABLE hook_runs"), "tables", True),
    Broken("documents", sql("DROP TABLE documents"), "tables", True),
    Broken("labels", sql("DROP TABLE label_uses"), "tables", True),
    Broken("spellings", sql("DROP TABLE spellings"), "tables", True),
    Broken("an index's table", sql("DROP TABLE grams"), "tables", True),
    Broken("the table of what is known", sql("DROP TABLE meta"), "tables", True),
    Broken("a column", sql("ALTER TABLE facts DROP COLUMN evidence"), "tables", True),
    Broken("a column in use", sql("ALTER TABLE spool_segments DROP COLUMN mark"), "tables", True),
    Broken("a column's kind", sql(
        "DROP TABLE hook_runs; CREATE TABLE hook_runs (id INTEGER PRIMARY KEY, at TEXT, "
        "agent TEXT, microseconds INTEGER)"), "tables", True),
    Broken("a number that lies", sql("DROP TABLE spool_lines; DROP VIEW labels"), "tables", True),
    Broken("a schema newer", sql("PRAGMA user_version = 99"), "schema"),
    Broken("a foreign trigger", sql(
        "CREATE TRIGGER mine AFTER INSERT ON facts BEGIN SELECT 1; END"), "foreign triggers"),
    Broken("a document missing", sql("DELETE FROM documents WHERE id = 1"), "documents", True),
    Broken("a document too many", sql(
        "INSERT INTO documents VALUES (99, 'o', 99, 1, '', 'note', 1, 0, 0)"), "documents", True),
    Broken("a document that is wrong", sql(
        "UPDATE documents SET project = 'other' WHERE id = 1"), "documents", True),
    Broken("a label missing", sql("DELETE FROM label_uses"), "labels", True),
    Broken("a word's row missing", sql("DELETE FROM words WHERE rowid = 1"), "index words", True),
    Broken("a word's row too many", sql(
        "INSERT INTO words (rowid, title) VALUES (99, 'x')"), "index words", True),
    Broken("a row of wrong words", sql(
        "DELETE FROM words WHERE rowid = 1; INSERT INTO words (rowid, title) VALUES (1, 'x')"),
        "index words", True),
    Broken("a gram's row missing", sql("DELETE FROM grams WHERE rowid = 1"), "index grams", True),
    Broken("a gram's row too many", sql(
        "INSERT INTO grams (rowid, text) VALUES (99, 'xyz')"), "index grams", True),
    Broken("a spelling missing", sql("DELETE FROM spellings WHERE word = 'drift'"), "spellings", True),
    Broken("a spelling too many", sql("INSERT INTO spellings VALUES ('ghost', 'tsohg', 1)"),
           "spellings", True),
    Broken("references", sql("DELETE FROM sessions"), "references"),
    Broken("the machine", sql("DELETE FROM meta WHERE key = 'machine_id'"), "machine", True),
    Broken("the tokenizer's tables", sql("DROP TABLE words"), "tables", True),
    Broken("the memory for all to read", lambda path: path.chmod(0o666), "permissions"),
    Broken("the spool for all to read", wide_spool, "permissions"),
    Broken("a segment for all to read", wide_segment, "permissions"),
    Broken("a file as spool", spool(Path.touch), "spool directory"),
    Broken("a link as spool", spool(linked), "spool directory"),
    Broken("a pipe as spool", spool(os.mkfifo), "spool directory"),
    Broken("quarantine", torn_line, "quarantine"),
    Broken("a lost event", lost_event, "lost events"),
    Broken("slow hooks", slow_hooks, "hook latency"),
    Broken("a message given up", waiting_message(0, ", status = 'failed'"), "queue"),
    Broken("a queue that doesn't go", waiting_message(3), "queue waits"),
    Broken("a lease of long ago", waiting_message(
        0, ", status = 'processing', lease_owner = 'x', lease_until = -999999999"), "leases"),
    Broken("a summary that nobody made", waiting_message(
        0, ", updated_at = 1", "summary"), "summaries"),
    Broken("a summary that could not be made", waiting_message(
        0, ", status = 'abandoned'", "summary"), "summaries"),
    Broken("a configuration that is no TOML", configured("[observer\n"), "configuration"),
    Broken("a misspelt table", configured("[obsever]\nkind = 'rules'\n"), "configuration"),
    Broken("a misspelt setting", configured("[observer]\nknd = 'rules'\n"), "configuration"),
    Broken("a value of a wrong type", configured(
        "[observer]\nkind = 'openai'\ndaily_tokens = 'many'\n"), "configuration"),
]  # fmt: skip


@pytest.fixture(autouse=True)
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home and a configuration of the test's own, both empty."""
    monkeypatch.setenv("MEMTUI_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def memory(tmp_path: Path, mem: Mem) -> Mem:
    """A memory of a few rows, which need not be sound in the end."""
    path = tmp_path / "broken" / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="drift of clocks", concepts=["clock"])
        store.prompts.add("c-1", "why")
        store.summaries.add("c-1", request="clocks", files_read=["a.py"])
        store.facts.add("clocks drift", entities=["NTP"])
        store.notes.upsert("MEMORY.md", "# Atlas")
    return Mem(path, mem.folder)


def examined(memory: Mem) -> dict[str, Any]:
    """The checks that are not well, by name."""
    result = memory("doctor", "--json")
    assert "Traceback" not in result.stderr
    import json

    told = json.loads(result.stdout)
    bad = {check["name"]: check for check in told["checks"] if not check["ok"]}
    assert result.exit_code == (1 if bad else 0)
    assert told["ok"] is not bool(bad)
    assert all(check["remedy"] and check["found"] for check in bad.values())
    return bad


def test_a_memory_that_nobody_touched_is_green(memory: Mem) -> None:
    assert examined(memory) == {}
    assert memory("doctor").exit_code == 0


def test_memories_of_the_future_are_told_and_break_nothing(memory: Mem) -> None:
    sql(f"UPDATE observations SET created_at = {now_ms() + 400 * DAY_MS} WHERE id = 1")(memory.db)
    assert examined(memory) == {}
    assert "1 memory of the future" in memory.ok("doctor")


def test_a_queue_of_old_transcripts_is_no_old_queue(memory: Mem) -> None:
    with Store.open(memory.db) as store:
        store.pending.add("c-1", "observation", tool_name="Bash", tool_input="{}")
    sql(f"UPDATE pending_messages SET created_at = {now_ms() - 600 * DAY_MS}")(memory.db)
    assert "queue waits" not in examined(memory)


def test_a_file_that_is_mostly_free_gets_smaller_when_it_is_rebuilt(
    memory: Mem, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql("CREATE TABLE large (x)")(memory.db)
    sql(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 800) "
        "INSERT INTO large SELECT randomblob(8000) FROM n"
    )(memory.db)
    sql("DROP TABLE large")(memory.db)
    monkeypatch.setattr(health, "FREE_PAGES", 100)
    assert "free pages" in examined(memory)
    memory.ok("rebuild")
    assert examined(memory) == {}


@promise("doctor-says-so")
@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.part)
@pytest.mark.sampled
def test_each_broken_part_is_named_and_told_how_to_mend(memory: Mem, broken: Broken) -> None:
    broken.breaking(memory.db)
    assert broken.check in examined(memory)
    if broken.mended:
        memory.ok("rebuild")
        assert examined(memory) == {}
        found = memory.json("search", "drift")
        assert [hit["kind"] for hit in found]


def test_what_is_not_ours_is_named_and_stays(memory: Mem) -> None:
    sql("CREATE TABLE mine (x); ALTER TABLE notes ADD COLUMN mood TEXT; INSERT INTO mine VALUES (7)")(
        memory.db
    )
    assert examined(memory) == {}
    told = {check["name"]: check["found"] for check in memory.json("doctor")["checks"]}
    assert "mine" in told["foreign tables"]
    assert "notes.mood" in told["foreign tables"]
    sql("DROP TRIGGER facts_hidden; ALTER TABLE notes DROP COLUMN extra")(memory.db)
    memory.ok("rebuild")
    assert examined(memory) == {}
    with closing(apsw.Connection(str(memory.db))) as db:
        assert db.execute("SELECT x FROM mine").get == 7
        assert db.execute("SELECT mood, text FROM notes").fetchall() == [(None, "# Atlas")]


@pytest.mark.parametrize(
    ("content", "check"),
    [(b"", "place"), (b"no database" * 999, "store"), (None, "observer")],
    ids=["empty", "garbage", "missing"],
)
def test_without_a_memory_it_still_makes_its_list(memory: Mem, content: bytes | None, check: str) -> None:
    memory.db.unlink()
    configured("[observer\n")(memory.db)
    if content is not None:
        memory.db.write_bytes(content)
    assert {check, "configuration"} <= examined(memory).keys()


@pytest.mark.parametrize("kind", [Path.mkdir, os.mkfifo, linked])
def test_what_is_no_file_is_told_at_once(memory: Mem, kind: Callable[[Path], object]) -> None:
    memory.db.unlink()
    kind(memory.db)
    assert "place" in examined(memory)


@pytest.mark.parametrize("offset", [0, 24, 100, 4_096, 8_192, 20_000])
def test_damage_is_a_list_of_checks(memory: Mem, offset: int) -> None:
    whole = bytearray(memory.db.read_bytes())
    whole[offset : offset + 3_000] = b"\xa5" * 3_000
    memory.db.write_bytes(whole)
    assert examined(memory)


def test_a_lock_of_another_process_keeps_nothing_from_being_told(memory: Mem) -> None:
    sql("DROP TRIGGER facts_hidden")(memory.db)
    with closing(apsw.Connection(str(memory.db))) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "tables" in examined(memory)


def test_a_worker_that_stands_still_is_told(memory: Mem) -> None:
    lock = make_spool_directory(memory.db) / "worker"
    lock.touch(0o600)
    with lock.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert examined(memory) == {}
        long_ago = time.time() - 7_200
        os.utime(lock, (long_ago, long_ago))
        assert "worker" in examined(memory)


def test_hooks_for_another_memory_are_told(memory: Mem, tmp_path: Path) -> None:
    own = tmp_path / "home" / ".local" / "share" / "memtui" / "memory.db"
    own.parent.mkdir(parents=True, mode=0o700)
    memory.db.rename(own)
    (tmp_path / "home" / ".claude").mkdir()
    mine = Mem(own, memory.folder)
    install("claude-code", database=own)
    assert examined(mine) == {}
    install("claude-code", database=tmp_path / "other.db")
    assert "another store" in examined(mine)["agent claude-code"]["found"]


@pytest.mark.parametrize("part", ["file", "directory", "spool"])
def test_what_can_not_be_written_is_told(memory: Mem, part: str) -> None:
    spool_directory = make_spool_directory(memory.db)
    place = {"file": memory.db, "directory": memory.db.parent, "spool": spool_directory}[part]

    def look() -> None:
        found = examined(memory)
        assert ("spool directory" if part == "spool" else "writing") in found

    before = place.stat().st_mode
    place.chmod(before & 0o7555)
    try:
        assert without_privileges(look) == 0
    finally:
        place.chmod(before)


@pytest.mark.parametrize("command", ["search x", "show 1", "stats", "timeline 1", "doctor", "add x"])
def test_a_directory_that_can_not_be_entered_is_a_sentence(memory: Mem, command: str) -> None:
    def look() -> None:
        done = memory(*command.split())
        told = done.stdout + done.stderr
        assert done.exit_code == 1, told
        assert "ermission" in told

    memory.db.parent.chmod(0)
    try:
        assert without_privileges(look) == 0
    finally:
        memory.db.parent.chmod(0o700)


def test_of_a_schema_that_is_too_old_it_says_one_thing(mem: Mem) -> None:
    mem.ok("add", "Fixed the token refresh")
    sql("PRAGMA user_version = 30")(mem.db)
    told = mem("doctor").output
    assert "`mem store rebuild` takes it over." in told
    assert "upgrades it" not in told
    sql(f"PRAGMA user_version = {SCHEMA}")(mem.db)


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_missing_to_read_compressed_transcripts_is_named(
    mem: Mem, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_there: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    module = object() if is_there else None
    monkeypatch.setattr("memtui.store.install.checks.decompressor", lambda: module)
    mem.ok("add", "Fixed the token refresh")
    assert "zstd" not in mem("doctor").output
    folder = tmp_path / ".codex" / "sessions" / "2026" / "11" / "10"
    folder.mkdir(parents=True)
    (folder / "rollout-2026-11-10T09-00-00-a.jsonl.zst").write_bytes(b"x")
    told = mem("doctor").output
    assert ("1 transcript that zstd compressed can't be read" in told) is not is_there


def test_no_check_is_listed_twice(memory: Mem) -> None:
    make_spool_directory(memory.db)
    names = [check["name"] for check in memory.json("doctor")["checks"]]
    assert len(names) == len(set(names))
