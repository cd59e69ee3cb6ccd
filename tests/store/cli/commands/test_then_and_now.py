"""`mem context --session ID --then-and-now`."""

import pytest

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.log import append_log_entry

from ...maintain.test_past import tick
from ..runner import Mem


@pytest.fixture
def given(mem: Mem) -> Mem:
    mem.ok("add", "Lesson one", "--narrative", "The clock drifts.", "--project", "atlas")
    mem.ok("add", "Lesson two", "--narrative", "It lags.", "--project", "atlas")
    tick()
    with Store.open(mem.db) as store:
        store.sessions.start("c-9", agent="codex", project="atlas")
        append_log_entry(store.db, "codex", "c-9", "atlas", compose(store.db, "atlas"))
    tick()
    mem.ok("edit", "1", "--title", "Lesson uno")
    mem.ok("delete", "2")
    mem.ok("add", "Lesson three", "--project", "atlas")
    return mem


def test_it_prints_what_came_what_went_and_what_changed(given: Mem) -> None:
    result = given("context", "--session", "c-9", "--then-and-now")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert any(line.startswith("- - 2 ") and "Lesson two" in line for line in lines)
    assert any(line.startswith("+ - 3 ") and "Lesson three" in line for line in lines)
    assert any(line.startswith("~ - 1 ") and "[-one-]{+uno+}" in line for line in lines)
    assert result.stderr.startswith("codex c-9 at ")


def test_it_is_a_document_too(given: Mem) -> None:
    found = given.json("context", "--session", "c-9", "--then-and-now")
    assert found["is_exact"] is True and found["notes"] == []
    assert found["then"]["refs"] == found["logged"]["refs"] == ["2", "1"]
    assert found["now"]["refs"] == ["3", "1"]
    assert "Lesson two" in found["then"]["text"]


def test_both_options_belong_together(given: Mem) -> None:
    for line in (["--then-and-now"], ["--session", "c-9"]):
        assert "go together" in given.refused("context", *line, code=2)
    assert "was given at its start" in given.refused("context", "--session", "c-8", "--then-and-now")
