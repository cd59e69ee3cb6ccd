"""On a terminal a change says what was done and what takes it back; in a pipe it prints ids."""

import pytest

from tests.store.cli.runner import Mem

UNDO = "`mem undo` takes it back."


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("add", "Valve"), "Observation 4 added."),
        (("add", "Valve", "--type", "bugfix", "--fact", "a, b"), "Observation 4 added."),
        (("delete", "1", "2", "3"), "3 memories deleted."),
        (("delete", "--query", "pump", "--yes"), "3 memories deleted."),
        (("pin", "1"), "Observation 1 pinned."),
        (("edit", "1", "--title", "Valve"), "Observation 1 edited: title."),
        (("fact", "add", "The valve is open"), "Fact f1 added."),
        (("note", "put", "a.md", "text"), "Note n1 put."),
        (("session", "end", "c-1"), "Session @1 ended."),
    ],
)
def test_a_terminal_is_told_the_outcome(mem: Mem, command: tuple[str, ...], said: str) -> None:
    for _ in range(3):
        mem.ok("add", "A pump", "--session", "c-1")
    assert mem.on_terminal(*command).split() == f"{said} {UNDO}".split()


def test_a_terminal_is_told_that_nothing_changed(mem: Mem) -> None:
    mem.ok("add", "A pump")
    mem.ok("pin", "1")
    assert "Nothing was changed: 1 already pinned." in mem.on_terminal("pin", "1")


def test_a_pipe_is_given_ids(mem: Mem) -> None:
    assert mem.ok("add", "A pump").split() == ["1"]
    assert mem.ok("add", "A valve", "--fact", "it is open").split() == ["2"]
    assert mem.ok("delete", "1", "2").split() == ["1", "2"]
