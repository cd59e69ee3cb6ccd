"""A search that takes too long is left at what it has found, and says so."""

import pytest

from ..runner import Mem


@pytest.fixture
def hasty(mem: Mem, monkeypatch: pytest.MonkeyPatch) -> Mem:
    """A memory with something to find, and no patience to find it."""
    mem.ok("add", "Fixed the token refresh")
    monkeypatch.setattr("memtui.store.cli.output.hits.PATIENCE", 0)
    return mem


def test_it_says_so_beside_what_it_has_found(hasty: Mem) -> None:
    result = hasty("search", "-redis")
    assert result.exit_code == 0
    assert "Stopped" in result.stderr
    assert "Nothing was found" not in result.stderr
    assert "shows more" not in result.stderr


def test_it_says_so_in_json(hasty: Mem) -> None:
    assert "Stopped" in hasty("search", "token", "--json").stderr
    assert hasty.json("search", "token", "--explain")["partial"] is True


def test_a_search_that_had_its_time_says_nothing_of_it(mem: Mem) -> None:
    mem.ok("add", "Fixed the token refresh")
    assert "Stopped" not in mem("search", "token").stderr
    assert mem.json("search", "token", "--explain")["partial"] is False
