"""A query that asks whose files have changed finds what git says now, however it is written."""

import json
import shutil

import pytest

from memtui.store import Store
from tests.store.git.repository import Repository, needs_git
from tests.store.git.test_refresh import remember

from ..runner import Mem

pytestmark = needs_git


@pytest.fixture
def changed(mem: Mem) -> Mem:
    """A memory of a file that has changed since, which nobody has asked about yet."""
    shutil.rmtree(mem.folder.parent / ".git")
    repository = Repository(mem.folder.parent)
    repository.change(0, "a.py")
    with Store.open(mem.db) as store:
        remember(store, repository.root, 1, "a.py")
    repository.change(2, "a.py")
    return mem


@pytest.mark.parametrize("query", ["is:stale", "IS:Stale", "是:过时", "is:陳舊"])
def test_a_search_asks_git_in_every_spelling_of_the_state(changed: Mem, query: str) -> None:
    assert [hit["ref"] for hit in changed.json("search", query)] == ["1"]


def test_so_do_commands_that_do_something_with_what_is_found(changed: Mem) -> None:
    lines = changed.ok("export", "jsonl", "-", "--query", "is:stale").splitlines()
    assert "observations" in [json.loads(line)["table"] for line in lines]


def test_where_nothing_stale_is_asked_for_git_is_not(changed: Mem) -> None:
    assert changed.json("search", "-tag:stale")[0]["stale"] is False
    assert changed.json("search", "-is:stale") == []
