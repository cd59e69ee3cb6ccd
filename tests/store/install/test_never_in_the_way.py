"""An agent is never stopped by what becomes of memtui: it is told that all is well, in silence."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import capture
from memtui.store.capture.ingest.spool import settle
from memtui.store.install import Launcher, Surroundings, install, states
from memtui.store.records.events import AgentName
from tests import pythons

from .machine import JSON_AGENTS, Machine, commands

AWKWARD = "a b'c\"d$HOME`e`\\f\n#*;&é中!"
"""A directory's name that holds what shells read as something else."""

NAMES = ("plain", "a b", "it's", 'a"b', "$HOME", "`id`", "a\\b", "\\'", "中文é", "a\nb", "-x", "*;&|#!~")
EVENT = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": "/"}).encode()
SHELLS = [name for name in ("dash", "bash", "zsh", "ksh", "busybox", "fish") if shutil.which(name)]


class Installation:
    """An interpreter and a package of ours in a directory of some name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.package = folder / "lib" / "memtui" / "store"
        self.script = self.package / "capture" / "hook.py"
        self.main = self.package / "capture" / "hook_process" / "main.py"
        self.python.parent.mkdir(parents=True)
        self.python.symlink_to(sys.executable)
        shutil.copytree(
            Path(capture.__path__[0]).parent, self.package, ignore=shutil.ignore_patterns("__pycache__")
        )

    @property
    def launcher(self) -> Launcher:
        return Launcher(self.python, self.script)

    def stand_in(self, script: str) -> None:
        """Put a shell's script in the interpreter's place."""
        self.python.unlink()
        self.python.write_text(f"#!/bin/sh\n{script}\n")
        self.python.chmod(0o755)


def nothing(_: Installation) -> None:
    """Leave all as it is."""


def interpreter_gone(found: Installation) -> None:
    found.python.unlink()


def interpreter_is_a_dead_link(found: Installation) -> None:
    found.python.unlink()
    found.python.symlink_to("/nowhere/python")


def interpreter_not_executable(found: Installation) -> None:
    found.stand_in("exit 2")
    found.python.chmod(0o600)


def interpreter_is_a_directory(found: Installation) -> None:
    found.python.unlink()
    found.python.mkdir()


def interpreter_is_no_program(found: Installation) -> None:
    found.stand_in("")
    found.python.write_bytes(b"\x7fELF\0\1\2\3")


def interpreter_of_another_version(found: Installation) -> None:
    found.stand_in("echo 'Unknown option: -I' >&2; exit 2")


def interpreter_crashes(found: Installation) -> None:
    found.stand_in("kill -SEGV $$")


def interpreter_is_killed(found: Installation) -> None:
    found.stand_in("kill -KILL $$")


def environment_points_nowhere(found: Installation) -> None:
    found.python.unlink()
    shutil.copy(os.path.realpath(sys.executable), found.python)
    (found.folder / "pyvenv.cfg").write_text("home = /nowhere/bin\nversion = 3.99\n")


def script_gone(found: Installation) -> None:
    found.script.unlink()


def script_broken(found: Installation) -> None:
    found.script.write_text("def (:\n")


def script_not_readable(found: Installation) -> None:
    found.script.unlink()
    found.script.mkdir()


def package_gone(found: Installation) -> None:
    text = found.script.read_text()
    shutil.rmtree(found.package)
    found.script.parent.mkdir(parents=True)
    found.script.write_text(text)


def all_gone(found: Installation) -> None:
    shutil.rmtree(found.folder)


def module_missing(found: Installation) -> None:
    (found.package / "platform" / "paths.py").unlink()


def module_broken(found: Installation) -> None:
    found.main.write_text(found.main.read_text() + "\n)\n")


def out_of_memory(found: Installation) -> None:
    found.main.write_text("raise MemoryError\n")


def crash_of_the_rest(found: Installation) -> None:
    found.main.write_text("import posix\nposix.kill(posix.getpid(), 11)\n")


FAULTS: dict[Callable[[Installation], None], str | None] = {
    nothing: "",
    interpreter_gone: "/bin/python is gone",
    interpreter_is_a_dead_link: "/bin/python is a link to nothing",
    interpreter_not_executable: "/bin/python is not executable",
    interpreter_is_a_directory: "/bin/python is not executable",
    interpreter_is_no_program: "can't be run",
    interpreter_of_another_version: "Unknown option: -I",
    interpreter_crashes: "status -11",
    interpreter_is_killed: "status -9",
    environment_points_nowhere: None,
    script_gone: "/hook.py is gone",
    script_broken: "SyntaxError",
    script_not_readable: "/hook.py is gone",
    package_gone: "NotFoundError",
    all_gone: "/bin/python is gone",
    module_missing: "paths",
    module_broken: "SyntaxError",
    out_of_memory: "MemoryError",
    crash_of_the_rest: "status -11",
}
"""What may become of memtui, and what is said of it; None where some builds of Python run all the
same."""


def hooked(machine: Machine, agent: AgentName, found: Installation) -> str:
    """Install hooks that start this; the one command that all of them are."""
    install(agent, surroundings=machine.surroundings, launcher=found.launcher)
    (command,) = set(commands(machine.file(agent)))
    return command


def run(words: list[str], machine: Machine, event: bytes = EVENT) -> tuple[int, bytes, bytes]:
    """How a command ends for an agent that waits for it."""
    environment = {"HOME": str(machine.home), "PATH": os.environ["PATH"], "MEMTUI_HOOK_SECONDS": "30"}
    done = subprocess.run(words, input=event, capture_output=True, env=environment, check=False)
    return done.returncode, done.stdout, done.stderr


def ways_to_run(command: str) -> list[list[str]]:
    """As agents do: by a shell, by that of a login, or by none."""
    return [["/bin/sh", "-c", command], ["/bin/bash", "-lc", command], shlex.split(command)]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
@pytest.mark.sampled
def test_whatever_is_gone_or_broken_agents_are_told_that_all_is_well(
    machine: Machine, fault: Callable[[Installation], None], tmp_path: Path
) -> None:
    found = Installation(tmp_path / AWKWARD)
    hooks = {agent: hooked(machine, agent, found) for agent in JSON_AGENTS}
    fault(found)
    said = FAULTS[fault]
    for agent, command in hooks.items():
        for words in ways_to_run(command)[:: 1 if agent == "codex" else 3]:
            assert run(words, machine) == (0, b"", b""), words
        state = machine.state(agent)
        if said is not None:
            assert (state.installed, said in state.fault) == ("outdated" if said else "yes", True)


def test_a_hook_goes_on_under_another_version_in_the_interpreters_place(
    machine: Machine, tmp_path: Path
) -> None:
    other = pythons.others()
    if not other:
        pytest.skip("no other version of CPython is here")
    found = Installation(tmp_path / AWKWARD)
    command = hooked(machine, "codex", found)
    data = machine.home / ".local" / "share" / "memtui"
    own = Path(sys.executable)
    for number, python in enumerate([own, *other.values(), own], 1):
        found.python.unlink()
        found.python.symlink_to(python)
        prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": "/"}
        words = ["/bin/sh", "-c", command]
        event = json.dumps({**prompt, "prompt": f"prompt {number} of {len(other) + 2}"}).encode()
        assert run(words, machine, event) == (0, b"", b"")
        assert run(words, machine) == (0, b"", b"")
        assert settle(data / "memory.db", 30.0)
        spool = b"".join(path.read_bytes() for path in data.rglob("*") if path.is_file())
        assert spool.count(b"prompt ") == number


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.sampled
def test_a_hook_runs_from_whatever_directory_by_whatever_shell(
    machine: Machine, name: str, shell: str, tmp_path: Path
) -> None:
    found = Installation(tmp_path / name)
    command = hooked(machine, "claude-code", found)
    found.main.write_text("def run(words):\n    print(words[-1])\n")
    words = [*(["busybox", "sh"] if shell == "busybox" else [shell]), "-c", command]
    assert run(words, machine) == (0, b"claude-code\n", b"")
    assert run(shlex.split(command), machine) == (0, b"claude-code\n", b"")
    shutil.rmtree(found.folder)
    assert run(words, machine) == (0, b"", b"")


def test_what_the_hook_answers_and_its_event_pass_unchanged(machine: Machine, tmp_path: Path) -> None:
    found = Installation(tmp_path / AWKWARD)
    command = hooked(machine, "claude-code", found)
    found.main.write_text("import sys\ndef run(words):\n    sys.stdout.write(sys.stdin.read())\n")
    for words in ways_to_run(command):
        assert run(words, machine) == (0, EVENT, b"")


@pytest.mark.parametrize("agent", JSON_AGENTS)
def test_hooks_of_the_older_form_are_ours_and_outdated(machine: Machine, agent: AgentName) -> None:
    path = machine.file(agent)
    machine.install(agent)
    now = path.read_bytes()
    older = shlex.join(machine.launcher().arguments(agent))
    path.write_text(path.read_text().replace(as_json(machine.launcher().command(agent)), as_json(older)))
    assert set(commands(path)) == {older}
    state = machine.state(agent)
    assert (state.installed, "older form" in state.fault) == ("outdated", True)
    machine.install(agent)
    assert (path.read_bytes(), machine.state(agent).installed) == (now, "yes")
    machine.uninstall(agent)
    assert not path.exists()


def as_json(text: str) -> str:
    """A text as it stands in a JSON file."""
    return json.dumps(text, ensure_ascii=False)


def test_what_a_repository_names_is_not_run(machine: Machine, tmp_path: Path) -> None:
    found = Installation(tmp_path / "theirs")
    ran = tmp_path / "ran"
    found.stand_in(f"touch {ran}")
    surroundings = Surroundings(machine.home, {"PATH": str(machine.path)})
    install("codex", surroundings=surroundings, launcher=found.launcher, project=machine.project)
    states(project=machine.project, surroundings=surroundings)
    assert not ran.exists()
    install("codex", surroundings=surroundings, launcher=found.launcher)
    states(project=machine.project, surroundings=surroundings)
    assert ran.exists()
