"""The lean `mem pick` asks for what the full one does, or leaves it alone."""

from typing import Any

import pytest

from memtui.store.cli import picking
from memtui.store.cli import picking as lean
from memtui.store.cli.picking import PickRequest

from ..runner import Mem

PLAIN = [
    ("pick",),
    ("pick", "token", "refresh", "-redis", "project:x", "-type:note"),
    ("pick", "--height", "15", "-c", "token"),
    ("pick", "token", "--height=40%", "--clipboard", "--tmux"),
    ("pick", "--format", "markdown", "--db", "other.db"),
    ("--db", "other.db", "pick", "--template", "{id} {title}"),
    ("--db=other.db", "--json", "pick", "缓存"),
    ("pick", "--json", "--format", "id"),
    ("pick", "--quote-after", "", "x"),
    ("pick", "--quote-after=-echo 'a", "pick"),
    ("pick", "-c", "--", "word"),
    ("pick", '"a phrase" OR b'),
]
ODD = [
    ("pick", "--help"),
    ("pick", "--formt", "id"),
    ("pick", "--height"),
    ("--as-of", "3d", "pick"),
    ("search", "pick"),
    ("add", "pick", "--type", "note"),
]
WRONG = [
    ("pick", "--format", "xml"),
    ("pick", "--height", "2"),
    ("pick", "--height", "high"),
    ("pick", "--height", "0%"),
    ("pick", "--template", "{nothing}"),
    ("pick", "--template", "{}"),
]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[PickRequest, bool]]:
    """What was to be picked; nobody is asked."""
    found: list[tuple[PickRequest, bool]] = []

    def note(request: PickRequest, *, in_popup: bool = False) -> int:
        found.append((request, in_popup))
        return 0

    for module in (lean, picking, "memtui.store.cli.commands.pick"):
        name = module if isinstance(module, str) else module.__name__
        monkeypatch.setattr(f"{name}.{'pick_memories' if 'commands' in name else 'pick'}", note)
    return found


@pytest.mark.parametrize("arguments", PLAIN, ids=" ".join)
def test_both_ask_for_the_same(
    mem: Mem, asked: list[tuple[PickRequest, bool]], arguments: tuple[str, ...]
) -> None:
    mem.ok(*arguments)
    status = lean.run(list(arguments))
    assert status in (0, None)
    assert status == 0 or "--" in arguments
    assert len(asked) == 1 + (status == 0)
    assert asked[0] == asked[-1]


@pytest.mark.parametrize("arguments", ODD, ids=" ".join)
def test_what_is_unusual_is_left_to_the_full_one(asked: list[Any], arguments: tuple[str, ...]) -> None:
    assert lean.run(list(arguments)) is None
    assert asked == []


@pytest.mark.parametrize("arguments", WRONG, ids=" ".join)
def test_what_is_wrong_is_told_by_the_full_one(
    mem: Mem, asked: list[Any], arguments: tuple[str, ...]
) -> None:
    assert lean.run(list(arguments)) is None
    assert "Usage: mem pick" in mem.refused(*arguments, code=2)
    assert asked == []


def test_a_request_outlasts_the_way_to_the_other_process() -> None:
    request = PickRequest("缓存 \udcff", "a b.db", "json", "{id}\n", "40%", True, "echo '")
    assert PickRequest.of(request.arguments()) == request


@pytest.mark.parametrize(
    ("height", "lines"), [("", 24), ("15", 15), ("99", 24), ("3", 3), ("50%", 12), ("1%", 3), ("100%", 24)]
)
def test_a_height_in_lines_of_a_terminal(height: str, lines: int) -> None:
    assert PickRequest(height=height).lines(24) == lines
