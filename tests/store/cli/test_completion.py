"""Completion in a shell: what `mem --install-completion` makes the shell ask, and what it is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def ask(home: Path, **environment: str) -> str:
    """What `mem` answers a shell that completes a line."""
    return subprocess.run(
        [sys.executable, "-m", "memtui.store.cli"],
        env={**os.environ, "HOME": str(home), **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize(
    ("words", "offered"),
    [("mem sear", ["search"]), ("mem fact su", ["supersede"]), ("mem add --ty", ["--type"])],
)
def test_bash_completes_commands_and_options(tmp_path: Path, words: str, offered: list[str]) -> None:
    place = str(words.count(" "))
    told = ask(tmp_path, _MEM_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=place)
    assert told.split() == offered


def test_other_shells_are_told_what_a_command_does_too(tmp_path: Path) -> None:
    told = ask(tmp_path, _MEM_COMPLETE="complete_zsh", _TYPER_COMPLETE_ARGS="mem sear")
    assert '"search":"Search memories' in told


def test_completion_is_installed_by_one_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memtui.store.cli", "--install-completion", "bash"],
        # Which shell runs the tests is of no matter, nor whether one does.
        env={**os.environ, "HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "bash completion installed" in done.stdout
    assert (tmp_path / ".bash_completions").is_dir() and (tmp_path / ".bashrc").exists()
