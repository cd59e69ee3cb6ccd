"""Standard output is data, standard error narration; neither ever breaks."""

import json
import os
import subprocess
import sys

import pytest

from tests.promises import promise

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    lines = "".join(f'{{"title": "memory {number}", "tags": ["缓存"]}}\n' for number in range(300))
    mem.ok("add", "--stdin", input=lines)


def test_a_pipe_that_closes_early_is_silent(filled: Mem) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "memtui.store.cli", "search", "memory", "-n", "300", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=filled.environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    os.read(process.stdout.fileno(), 1)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_json_is_utf_8_in_any_locale(filled: Mem) -> None:
    done = filled.process("show", "1", "--json", LC_ALL="C", PYTHONIOENCODING="", PYTHONUTF8="0")
    assert json.loads(done.stdout.decode("utf-8"))[0]["tags"] == ["缓存"]
    assert "缓存".encode() in done.stdout


@promise("any-bytes-are-readable")
def test_arguments_that_are_no_utf_8_are_stored_and_shown(mem: Mem) -> None:
    assert mem.process("add", b"caf\xe9", "--project", b"\xff").stdout == b"1\n"
    (record,) = json.loads(mem.process("show", "1", "--json").stdout)
    assert (record["title"], record["project"]) == ("caf\ufffd", "\ufffd")
    assert mem.process("search", b"caf\xe9").returncode == 0


def test_a_terminal_without_the_letters_gets_their_numbers(filled: Mem) -> None:
    sent = filled.on_terminal("show", "1", PYTHONIOENCODING="ascii")
    assert r"\u7f13\u5b58" in sent


@pytest.mark.parametrize("command", [("add", "Title"), ("add", "Title", "--at", "2h"), ("stats",)])
def test_a_path_that_is_no_utf_8_is_refused(mem: Mem, command: tuple[str, ...]) -> None:
    odd = os.fsdecode(os.fsencode(mem.db.parent) + b"/\xff.db")
    done = mem.process(*command, MEMTUI_DB=odd)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)


def test_plain_output_has_no_escapes_and_is_never_cut(mem: Mem) -> None:
    title = "long " * 100
    mem.ok("add", title)
    for command in (("search", "long"), ("timeline", "1"), ("show", "1")):
        done = mem.process(*command, COLUMNS="40", FORCE_COLOR="1")
        assert title.strip() in done.stdout.decode()
        assert b"\x1b" not in done.stdout


def test_tabs_and_line_breaks_in_texts_do_not_break_the_lines(mem: Mem) -> None:
    mem.ok("add", "one\ttwo", "--project", "a\tb", "--narrative", "three\tfour\nfive")
    (line,) = mem.ok("search", "two").splitlines()
    cells = line.split("\t")
    assert (cells[2], cells[3], cells[5]) == ("one two", "a b", "three four five")
