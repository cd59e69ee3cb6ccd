"""`mem pick` where nobody can be asked: in an agent's shell, in a job, outside of tmux."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.store.agents.shell import SHELLS

from ..runner import Mem

OUTSIDE = {name: "" for _, ids, marks in SHELLS for name in (*ids, *marks)}
"""The variables of all agents' shells, as none sets them."""


def without_terminal(
    mem: Mem, *arguments: str, input: bytes = b"", in_agent: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """Run it as a process that has no terminal at all, outside of agents or in the shell of one."""
    variables = OUTSIDE | ({"CLAUDECODE": "1"} if in_agent else {})
    return subprocess.run(
        [sys.executable, "-m", "memtui.store.cli", *arguments],
        input=input,
        capture_output=True,
        cwd=mem.folder,
        env=mem.environment(**variables),
        start_new_session=True,
    )


NO_TERMINAL = b"There is no terminal to pick in; `mem search --for-agent WORDS` lists what is found.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("pick",),
        ("pick", "token"),
        ("pick", "--template", "{id}", "token"),
        ("pick", "--format", "reference", "token"),
        ("pick", "--json", "token"),
        ("pick", "-c", "token"),
        ("pick", "token", "--from-stdin"),
    ],
    ids=" ".join,
)
def test_without_a_terminal_nothing_is_picked(mem: Mem, arguments: tuple[str, ...]) -> None:
    mem.ok("add", "Refresh token expired")
    done = without_terminal(mem, *arguments, input=b"token\n")
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", NO_TERMINAL)


@pytest.mark.parametrize(
    "wanted",
    [("--template", "{id}"), ("--format", "id"), ("--format=reference",), ("--json",), ("-c",)],
    ids=" ".join,
)
def test_an_agent_that_wants_a_form_is_given_nothing(mem: Mem, wanted: tuple[str, ...]) -> None:
    mem.ok("add", "Refresh token expired")
    done = without_terminal(mem, "pick", *wanted, "token", in_agent=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", NO_TERMINAL)


def test_an_agents_shell_is_told_what_the_query_finds(mem: Mem) -> None:
    mem.ok("add", "Refresh token expired")
    for arguments in (("token",), ("--from-stdin",), ("--height", "15", "token")):
        done = without_terminal(mem, "pick", *arguments, input=b"\n token \nmore", in_agent=True)
        assert done.returncode == 0
        shown = done.stdout.decode()
        assert shown.startswith('<memtui-data id="') and "Refresh token expired" in shown
    assert without_terminal(mem, "pick", "zzqq", in_agent=True).returncode == 1
    done = without_terminal(mem, "pick", in_agent=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, b"", NO_TERMINAL)


def test_a_memory_that_is_missing_is_not_made(mem: Mem) -> None:
    done = without_terminal(mem, "pick", "token", in_agent=True)
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
        "memtui.store.cli",
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
        [sys.executable, "-m", "memtui.store.cli", "pick", "--tmux"],
        capture_output=True, cwd=mem.folder, env=environment,
    )  # fmt: skip
    assert done.returncode == 1 and b"not a session of tmux" in done.stderr
    environment |= {"TMUX": "/nowhere,1,0", "PATH": os.devnull}
    done = subprocess.run(
        [sys.executable, "-m", "memtui.store.cli", "pick", "--tmux"],
        capture_output=True, cwd=mem.folder, env=environment,
    )  # fmt: skip
    assert done.returncode == 1 and b"needs the program tmux" in done.stderr
