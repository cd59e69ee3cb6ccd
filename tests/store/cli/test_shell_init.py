"""`mem shell-init`: what each shell is told, the key that inserts a picked memory, and what Tab offers."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.terminal import Terminal
from memtui.store import Store
from tests.places import PYTHONPATH

from .runner import Mem

SHELLS = {
    "zsh": ["zsh", "-f", "-i"],
    "bash": ["bash", "--norc", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
LOAD = {
    "zsh": 'eval "$(mem shell-init zsh)"',
    "bash": 'eval "$(mem shell-init bash)"',
    "fish": "mem shell-init fish | source",
}
RAN = "ran"
HOSTILE = [
    f"$(touch {RAN})", f"`touch {RAN}`", f"\\$(touch {RAN})", f"\\`touch {RAN}\\`",
    f"'; touch {RAN}; '", f'"; touch {RAN}; "', f"<(touch {RAN})",
    "[/bold] [red]x", "tab\tand\nline", "\x1b[2J", "e\\", "$HOME", "a:b",
]  # fmt: skip
"""Titles and names that a shell would run, were they more than words to it."""


@pytest.fixture(params=list(SHELLS))
def shell(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if shutil.which(name) is None:
        pytest.skip(f"needs {name}")
    return name


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory with two plain memories, and as many hostile ones as there are."""
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Keys hold the tenant", project="atlas", type="bugfix")
        store.observations.add("c-1", title="Two", project="payments-api", type="decision")
        for text in HOSTILE:
            store.observations.add(f"c{text}", title=text, project=text, type=text)
            store.searches.save(text, text)
        store.searches.save("mine", "type:bugfix")
    return path


@pytest.fixture
def environment(tmp_path: Path, memory: Path) -> dict[str, str]:
    """Where `mem` is this one, and the memory the one above."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "mem"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m memtui.store.cli "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    kept = {name: one for name, one in os.environ.items() if name not in ("COLUMNS", "LINES")}
    return kept | {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": PYTHONPATH,
        "MEMTUI_DB": str(memory),
        "HOME": str(home),
        "MEM_PICK_HEIGHT": "6",
        "PS1": "ready> ",
    }


def test_each_shell_reads_it_without_a_complaint(shell: str, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [SHELLS[shell][0], *SHELLS[shell][1:-1], "-c", LOAD[shell]],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_full_command_prints_the_same_and_refuses_other_shells(mem: Mem) -> None:
    for name in SHELLS:
        script = mem.process("shell-init", name).stdout.decode()
        assert f"mem shell-init {name}" in script
        assert mem.ok("shell-init", name) == script.removesuffix("\n")
    assert "zsh" in mem.refused("shell-init", "ksh", code=2)


def test_the_key_inserts_a_reference_where_the_cursor_is(
    shell: str, environment: dict[str, str], tmp_path: Path
) -> None:
    with Terminal(SHELLS[shell], environment, 100, 30) as terminal:
        terminal.quiet(1.0, 10)
        terminal.send(f"cd {tmp_path}; {LOAD[shell]}\r")
        terminal.quiet(1.0, 10)
        terminal.send('printf "<%s>" "see ')
        terminal.quiet()
        terminal.send("\x07")
        terminal.wait_for("Cancel")
        terminal.send("tenant\r")
        terminal.wait_for("tenant]")
        terminal.quiet()
        terminal.send('" >out\r')
        terminal.quiet(1.0, 10)
    assert (tmp_path / "out").read_text() == "<see [mem 1: Keys hold the tenant]>"


def ask(environment: dict[str, str], line: str) -> list[str]:
    """What a shell is offered for a line, the cursor at its end."""
    asked = {
        "_MEM_COMPLETE": "complete_fish",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "_TYPER_COMPLETE_ARGS": line,
    }
    done = subprocess.run(["mem"], env=environment | asked, capture_output=True, text=True)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("mem show 1", ["1\tKeys hold the tenant"]),
        ("mem timeline 2", ["2\tTwo"]),
        ("mem pin 2", ["2\tTwo"]),
        ("mem session list --project a", ["atlas"]),
        ("mem add x --project pay", ["payments-api"]),
        ("mem add x --type b", ["bugfix"]),
        ("mem search --saved m", ["mine\ttype:bugfix"]),
        ("mem search project:pa", ["project:payments-api"]),
        ("mem search type:dec", ["type:decision"]),
        ("mem pick pro", ["project:"]),
        ("mem pick nothing:x", []),
        ("mem pick --format ma", ["markdown"]),
    ],
)
@pytest.mark.sampled
def test_the_memory_is_asked_for_what_goes_on(
    environment: dict[str, str], line: str, offered: list[str]
) -> None:
    found = ask(environment, line)
    if line in ("mem show 1", "mem timeline 2", "mem pin 2"):
        assert found[-1:] == offered
    else:
        assert found == offered


def test_what_a_line_names_is_the_memory_that_is_asked(environment: dict[str, str], tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with Store.open(other) as store:
        store.observations.add("c-1", title="Elsewhere", project="elsewhere")
    assert ask(environment, f"mem --db {other} show ") == ["1\tElsewhere"]
    assert ask(environment, f"mem search --db {other} project:") == ["project:elsewhere"]


@pytest.mark.parametrize("content", [None, b"", b"no database" * 99], ids=["gone", "empty", "damaged"])
def test_a_memory_that_cannot_be_read_offers_nothing_and_says_nothing(
    environment: dict[str, str], tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "odd.db"
    if content is not None:
        path.write_bytes(content)
    environment["MEMTUI_DB"] = str(path)
    assert ask(environment, "mem show ") == ask(environment, "mem search project:") == []
    assert path.exists() == (content is not None)


LINES = ["mem show ", "mem add x --project ", "mem add x --type ", "mem search --saved "]


def test_no_stored_text_is_run_or_offered_as_more_than_a_word(
    shell: str, environment: dict[str, str], tmp_path: Path
) -> None:
    with Terminal(SHELLS[shell], environment, 100, 30) as terminal:
        terminal.quiet(1.0, 10)
        terminal.send(f"cd {tmp_path}; {LOAD[shell]}\r")
        terminal.quiet(1.0, 10)
        for line in LINES:
            terminal.send(f"{line}\t\t")
            terminal.quiet(1.0, 10)
            terminal.send("\x15\x03\r")
            terminal.quiet(0.5, 5)
    assert not (tmp_path / RAN).exists()
    for line in LINES[1:]:
        values = {one.partition("\t")[0] for one in ask(environment, line)}
        assert values and not values & set(HOSTILE)


def test_where_the_memory_offers_nothing_zsh_lists_files(
    environment: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which("zsh") is None:
        pytest.skip("needs zsh")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "chosen-file").touch()
    (folder / "other-file").touch()
    with Terminal(SHELLS["zsh"], environment, 100, 30) as terminal:
        terminal.quiet(1.0, 10)
        terminal.send(f"cd {folder}; autoload -U compinit; compinit -u; {LOAD['zsh']}\r")
        terminal.quiet(1.0, 10)
        terminal.send("mem export \t\t")
        terminal.wait_for("other-file")
        assert "chosen-file" in terminal.painted()
        assert "no matches found" not in terminal.painted()
        terminal.send("\x15\x03\r")
        terminal.quiet(0.5, 5)
        terminal.send("mem show \t\t")
        terminal.wait_for("-- Keys hold the tenant")
