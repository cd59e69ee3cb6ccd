"""The manual pages are those of the commands as they are, and read as they should."""

import shutil
import subprocess

import pytest

from docs.man.__main__ import FOLDER, pages
from memtui.store.cli.commands import ALL_COMMANDS


def test_the_pages_are_made_of_what_help_is_made_of() -> None:
    # `make man` writes them.
    assert {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.1")} == pages()


def test_every_command_has_its_section() -> None:
    text = pages()["mem.1"].replace("\\-", "-")
    sections = {line.split()[-1] for line in text.splitlines() if line.startswith(".SS ")}
    assert set(ALL_COMMANDS) <= sections


@pytest.mark.skipif(shutil.which("man") is None, reason="needs man")
def test_the_pages_are_read_without_a_complaint() -> None:
    for name in pages():
        done = subprocess.run(["man", "--warnings", "-l", FOLDER / name], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert "mem" in done.stdout
