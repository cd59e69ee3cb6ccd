"""A command imports what it needs to answer, and no more: start-up is most of what most commands take."""

import sys

import pytest

from memtui.store import Store

from .runner import Mem, filling

LATE = {
    "typer", "rich", "dataclasses", "inspect", "ast", "hashlib", "tempfile", "shutil", "subprocess",
    "threading", "logging", "concurrent", "random", "argparse", "difflib", "platformdirs",
    "importlib.metadata",
    "zoneinfo", "tomllib", "statistics", "memtui.store.links.editor",
    "memtui.store.text.secrets.search", "memtui.store.leaves.embeddings.searching",
    "memtui.store.links.git", "memtui.store.search.related.second_tier",
    "memtui.store.search.typos",
    "memtui.store.maintain", "memtui.store.observe",
}  # fmt: skip
"""What is slow to import, or needed by few commands."""
OF_PYTHON = {"ast"} if sys.version_info >= (3, 14) else set()
"""What typing imports for a NamedTuple."""
MORE = 10 if sys.version_info >= (3, 13) else 0
"""How many more modules Python's own have become."""

READING = {
    "search token": 171,
    "search token clock --json": 176,
    "search token --facets": 176,
    "show 1": 176,
    "timeline 1": 161,
    "session list": 191,
    "session show 1": 161,
    "fact list": 161,
    "note list": 151,
    "project list": 181,
    "stats": 186,
    "trash list": 166,
    "tail --no-follow": 166,
    "history": 176,
}
"""Commands that read, and how many modules each may import."""


@filling
def filled(mem: Mem) -> None:
    with Store.open(mem.db) as store:
        # More than a page: to fill one that has room, a search looks for what is related.
        for number in range(25):
            store.observations.add("c-1", title=f"Token and clock {number}", project="atlas")


def imported(mem: Mem, *arguments: str) -> set[str]:
    """The modules that a command imports which Python itself doesn't."""
    bare = mem.process_of("-X", "importtime", "-c", "pass")
    done = mem.process_of("-X", "importtime", "-m", "memtui.store.cli", *arguments)
    assert done.returncode == 0, done.stderr
    of_command, of_python = (
        {line.rpartition("|")[2].strip() for line in one.stderr.decode().splitlines() if "|" in line}
        for one in (done, bare)
    )
    return of_command - of_python


@pytest.mark.parametrize("line", READING)
@pytest.mark.sampled
def test_what_reads_imports_little(filled: Mem, line: str) -> None:
    found = imported(filled, *line.split())
    assert found & (LATE - OF_PYTHON) == set()
    assert len(found) <= READING[line] + MORE


@pytest.mark.sampled
def test_a_brief_imports_no_editor_and_no_web_addresses(filled: Mem) -> None:
    assert not imported(filled, "handoff", "1") & {"memtui.store.links.editor", "memtui.store.links.files"}


def test_the_version_is_said_without_anything(mem: Mem) -> None:
    found = imported(mem, "--version")
    assert {one for one in found if one.startswith("memtui")} == {
        "memtui", "memtui.store", "memtui.store.cli", "memtui.store.platform",
        "memtui.store.platform.version",
    }  # fmt: skip
    assert not found & {"re", "typing", "pathlib", "apsw", *LATE}


def test_the_help_needs_typer_and_no_memory(mem: Mem) -> None:
    found = imported(mem, "--help")
    assert not found & {
        "apsw",
        "rich",
        "memtui.store.store",
        "memtui.store.text.redaction",
        "memtui.store.tables.base",
    }
    assert len(found) <= 140 + MORE


def test_a_process_ends_at_once_only_where_all_was_written(filled: Mem) -> None:
    start = "import sys; sys.argv[1:] = ['show', '1']; from memtui.store.cli import main; main(); "
    code = start + "print('went on')"
    assert b"went on" not in filled.process_of("-c", code).stdout
    closed = "import os, sys; os.close(1); " + code
    assert filled.process_of("-c", closed).returncode != 0
