"""`mem pick` where nobody can be asked: in an agent's shell, in a job, outside of tmux."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from ..runner import Mem


def without_terminal(
    mem: Mem, *arguments: str, input: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run it as a process that has no terminal at all."""
    return subprocess.run(
        [sys.executable, "-m", "store.cli", *arguments],
        input=input,
        capture_output=True,
        cwd=mem.folder,
        env=mem.environment(**environment),
        start_new_session=True,
    )


def test_without_a_terminal_it_prints_what_the_query_finds(mem: Mem) -> None:
    mem.ok("add", "Refresh token expired", "--type", "bugfix")
    done = without_terminal(mem, "pick", "token")
    assert done.returncode == 0
    assert done.stdout.decode().startswith("1\tbugfix\tRefresh token expired\t")
    found = without_terminal(mem, "pick", "--from-stdin", "--json", input=b"\n token \nmore")
    assert [one["ref"] for one in json.loads(found.stdout)] == ["1"]


def test_without_a_terminal_nothing_found_is_1(mem: Mem) -> None:
    mem.ok("add", "Refresh token expired")
    done = without_terminal(mem, "pick", "zzqq")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"Nothing was found" in done.stderr


def test_without_a_terminal_and_words_it_says_what_to_do(mem: Mem) -> None:
    done = without_terminal(mem, "pick")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"mem pick WORDS" in done.stderr


def test_a_memory_that_is_missing_is_not_made(mem: Mem) -> None:
    done = without_terminal(mem, "pick", "token")
    assert done.returncode == 1 and done.stderr
    assert not mem.db.exists()


def test_an_agents_own_terminal_is_not_drawn_on(mem: Mem, tmp_path: Path) -> None:
    mem.ok("add", "Refresh token expired")
    # A process of a terminal's session, whose streams are pipes: as a tool of an agent is.
    code = (
        "import os, pty, subprocess, sys\n"
        "pid, file = pty.fork()\n"
        "if not pid:\n"
        "    done = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, capture_output=True)\n"
        "    open(sys.argv[1], 'wb').write(done.stdout)\n"
        "    os._exit(done.returncode)\n"
        "os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
    )
    said = tmp_path / "said"
    command = [
        sys.executable,
        "-c",
        code,
        str(said),
        sys.executable,
        "-m",
        "store.cli",
        "pick",
        "token",
    ]
    done = subprocess.run(
        command, cwd=mem.folder, env=mem.environment(CLAUDECODE="1", TERM="xterm"), timeout=60
    )
    assert done.returncode == 0
    shown = said.read_text("utf-8")
    # As it reads them, fenced by a nonce of its own.
    assert shown.startswith('<memtui-data id="') and "Refresh token expired" in shown


def test_a_popup_needs_tmux_around_it(mem: Mem) -> None:
    environment = {name: value for name, value in mem.environment().items() if name != "TMUX"}
    done = subprocess.run(
        [sys.executable, "-m", "store.cli", "pick", "--tmux"],
        capture_output=True, cwd=mem.folder, env=environment,
    )  # fmt: skip
    assert done.returncode == 1 and b"no session of tmux" in done.stderr
    environment |= {"TMUX": "/nowhere,1,0", "PATH": os.devnull}
    done = subprocess.run(
        [sys.executable, "-m", "store.cli", "pick", "--tmux"],
        capture_output=True, cwd=mem.folder, env=environment,
    )  # fmt: skip
    assert done.returncode == 1 and b"needs the program tmux" in done.stderr
