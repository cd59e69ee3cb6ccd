"""Tables on narrow terminals: what a row is about stays, counts go first."""

import pytest

from tests.store.cli.runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    """A session, two memories of it and a fact."""
    mem.ok("session", "start", "c-1", "--project", "payments-api", "--title", "Why totals differ")
    mem.ok("add", "Totals were rounded twice", "--session", "c-1", "--type", "bugfix")
    mem.ok("fact", "add", "Money is never a float", "--project", "payments-api")


@pytest.mark.parametrize(
    ("command", "about", "gone"),
    [
        ("session list", "Why totals differ", "observations"),
        ("search rounded", "Totals were rounded twice", "project"),
        ("timeline 1", "Totals were rounded twice", "project"),
        ("fact list", "Money is never a float", "sources"),
    ],
)
@pytest.mark.sampled
def test_counts_make_room_for_what_a_row_is_about(filled: Mem, command: str, about: str, gone: str) -> None:
    narrow = filled.on_terminal(*command.split(), COLUMNS="60")
    assert about in narrow
    assert gone not in narrow.splitlines()[0]
    wide = filled.on_terminal(*command.split(), COLUMNS="140")
    assert about in wide and gone in wide.splitlines()[0]


def test_the_counts_of_an_import_have_heads_in_a_pipe_too(mem: Mem) -> None:
    mem.ok("add", "Totals were rounded twice")
    export = mem.folder / "all.jsonl"
    mem.ok("export", "jsonl", str(export))
    lines = mem.ok("import", str(export), "--dry-run").splitlines()
    assert lines[0].split("\t")[:3] == ["kind", "read", "new"]


def test_a_session_without_words_is_untitled(mem: Mem) -> None:
    mem.ok("session", "start", "c-1")
    assert mem.ok("session", "list").split("\t")[5] == "untitled"
