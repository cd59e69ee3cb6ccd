"""The lean `mem add`: what it costs, and what it leaves to the store."""

import re
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from memtui.store.cli import lean_add
from memtui.store.database import SCHEMA
from memtui.store.database.recording import stored
from memtui.store.platform.translation import _
from memtui.store.records.fields import FIELDS
from memtui.store.tables import lean

from ..runner import Mem


@pytest.mark.parametrize(
    "line",
    [
        ["Title", "--fact", "x"],
        ["修复令牌刷新的命令", "--concept", "加密"],
        ["Fix clock skew in the token refresh", "--modified", "src/auth/session.py"],
        ["Retry with an idempotency key"],
    ],
)
def test_it_imports_next_to_nothing(mem: Mem, line: list[str]) -> None:
    mem.ok("add", "The memory has to be there")
    watch = (
        "import sys; before = set(sys.modules); from memtui.store.cli import lean_add; "
        f"lean_add.add({['add', *line]!r}); "
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    imported = mem.process_of("-c", watch).stdout.decode().split()
    assert mem.json("stats")["observations"] == 2
    assert {"memtui", "apsw"} <= set(imported)
    unwanted = {
        "typer", "rich", "json", "dataclasses", "argparse", "pathlib", "typing", "re", "platformdirs",
        "random", "contextlib", "inspect", "enum", "importlib", "subprocess", "datetime",
        "array", "bisect", "unicodedata", "_blake2",
    }  # fmt: skip
    assert not unwanted & set(imported)


def test_it_imports_of_collections_only_what_sqlite_wants(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    start = "import sys; sys.argv[1:] = ['add', 'Title']; from memtui.store.cli import main; main()"
    told = mem.process_of("-X", "importtime", "-c", start).stderr.decode()
    imported = re.findall(r"\| +(\S+)$", told, re.MULTILINE)
    own = imported[imported.index("memtui.store") :]
    assert "apsw" in own
    assert "collections" not in own


def test_it_knows_the_columns_of_lists() -> None:
    assert set(lean.LISTS) == {one.name for one in FIELDS["observation"] if one.is_list and one.part}


def test_it_writes_no_file_but_the_memory(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    db = apsw.Connection(str(mem.db))
    observation = lean.NewObservation()
    observation.texts["title"] = "Title"
    assert lean.add_observations(db, [observation])
    assert db.pragma("temp_store") == 2
    db.close()


def test_it_answers_like_the_full_command(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    plain = mem.process("add", "Title")
    full = mem.process("add", "Title", "--at", "2h")
    assert (plain.stdout, plain.stderr, plain.returncode) == (b"2\n", b"", 0)
    assert (full.stdout, full.stderr, full.returncode) == (b"3\n", b"", 0)


def test_the_first_add_makes_the_memory(mem: Mem) -> None:
    assert mem.process("add", "Title").stdout == b"1\n"
    assert mem.db.stat().st_mode & 0o777 == 0o600


def test_what_it_adds_is_found(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    assert lean_add.add(["--db", str(mem.db), "add", "Clock drift"]) == [2]
    assert [hit["id"] for hit in mem.json("search", "drif", "--exact")] == [2]


def test_it_leaves_a_backlog_to_the_store(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean, "MAXIMUM_WAITING", 2)
    mem.ok("add", "The memory has to be there")
    line = ["--db", str(mem.db), "add", "Waiting"]
    assert [lean_add.add(line) for _ in range(4)] == [[2], [3], [4], None]


def test_it_leaves_a_lock_that_lasts_to_the_store(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> None:
    mem.ok("add", "The memory has to be there")
    monkeypatch.setattr(lean, "PATIENCE_SECONDS", 0.0)
    writer = apsw.Connection(str(mem.db))
    writer.execute("BEGIN IMMEDIATE")
    assert lean_add.add(["--db", str(mem.db), "add", "Title"]) is None
    writer.execute("ROLLBACK")
    assert lean_add.add(["--db", str(mem.db), "add", "Title"]) == [2]
    writer.close()


def test_adds_of_many_processes_at_once_are_all_stored(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    command = [sys.executable, "-m", "memtui.store.cli", "add", "Title", "--session", "c-1"]
    many = [
        subprocess.Popen(command, stdout=subprocess.PIPE, cwd=mem.folder, env=mem.environment())
        for _ in range(12)
    ]
    ids = {process.communicate()[0] for process in many}
    assert ids == {b"%d\n" % number for number in range(2, 14)}


README = [
    ("add", "Refresh token expired because the clock drifted", "--type", "bugfix", "--project",
     "payments-api", "--fact", "TTL is 24 h", "--concept", "auth", "--modified",
     "src/auth/session.py"),
    ("add", "修复令牌刷新", "--concept", "加密命令"),
    ("add", "Rotate the signing key", "--fact", "It replaces the refresh token"),
]  # fmt: skip
"""Lines whose words would look like secrets if they stood side by side."""


@pytest.mark.parametrize("line", README, ids=" ".join)
def test_each_argument_is_looked_at_by_itself(mem: Mem, line: tuple[str, ...]) -> None:
    mem.ok("add", "The memory has to be there")
    assert lean_add.add(["--db", str(mem.db), *line]) == [2]


def test_lines_that_are_not_plain_are_handed_on_to_the_store_whole(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    lines = b'{"title": "One"}\nno JSON\n{"title": "Two"}'
    done = mem.process("add", "--stdin", input=lines)
    assert (done.stdout, done.returncode) == (b"2\n3\n", 1)
    assert done.stderr.startswith(b"line 2: ")


def test_many_lines_are_handed_on_to_the_store_whole(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    lines = b'{"title": "%s"}\n' % (b"long " * 200) * 200
    done = mem.process("add", "--stdin", input=lines)
    assert done.stdout == b"".join(b"%d\n" % number for number in range(2, 202))


def test_no_lines_are_no_observations(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    done = mem.process("add", "--stdin", input=b"\n")
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


def test_it_leaves_another_schema_alone(mem: Mem) -> None:
    mem.ok("add", "Title")
    db = apsw.Connection(str(mem.db))
    db.pragma("user_version", SCHEMA + 1)
    assert lean_add.add(["--db", str(mem.db), "add", "Title"]) is None
    assert "newer memtui" in mem.refused("add", "Title")
    db.pragma("user_version", SCHEMA)
    db.close()


def test_it_leaves_a_file_that_is_no_memory_alone(tmp_path: Path) -> None:
    for name, content in {"zero.db": b"", "text.db": b"no database" * 99}.items():
        (tmp_path / name).write_bytes(content)
        assert lean_add.add(["--db", str(tmp_path / name), "add", "Title"]) is None
        assert (tmp_path / name).read_bytes() == content
    assert lean_add.add(["--db", str(tmp_path), "add", "Title"]) is None
    assert lean_add.add(["--db", str(tmp_path / "none.db"), "add", "Title"]) is None


def test_a_failed_commit_is_told_in_a_sentence_and_not_tried_again(mem: Mem) -> None:
    mem.ok("add", "The memory has to be there")
    reader = apsw.Connection(str(mem.db))
    reader.execute("SELECT count(*) FROM observations").fetchall()
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)); "
        "sys.argv[1:] = ['add', 'Too much for the disk']; "
        "from memtui.store.cli import main; sys.exit(main())"
    )
    done = mem.process_of("-c", limited)
    reader.close()
    assert done.returncode == 1
    assert b"The disk of" in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert mem.json("stats")["observations"] == 1


def test_the_journal_says_the_same_of_it_as_of_the_full_command() -> None:
    named = _("{kind} {ref}", kind=_("observation"), ref=7)
    assert stored(_("{named} added", named=named)) == lean.ADDED % 7
    assert stored(_("observations added")) == lean.ADDED_MANY
