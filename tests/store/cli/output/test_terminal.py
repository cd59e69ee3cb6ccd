"""On a terminal: tables and colours, and nothing a stored text could do to it."""

import json
import re
import unicodedata

import pytest

from memtui.store import Store

from ....hostile import hostile_texts
from ..runner import Mem, filling

STYLE = re.compile(r"\x1b\[[0-9;]*m")
JOINER = "\u200d"

OWN = [
    "\x1b]0;title\x07", "\x1b]52;c;cm0gLXJm\x07", "\x9b2J", "\u202egpj.exe", "a\x1b[8mb", "\udcff",
    "\x7f\x08", "[red]markup[/red]", "\U000e0041tag", "\u2066iso",
]  # fmt: skip


@filling
def hostile(mem: Mem) -> None:
    with Store.open(mem.db) as store, store.transaction():
        for number, (_, text) in enumerate([("own", text) for text in OWN] + hostile_texts()):
            part = text[:5_000]
            session = store.sessions.start(f"c-{number}-{part}", agent=part, project=part, title=part)
            store.observations.add(
                session, title=f"hit {part}", type=part, narrative=f"hit {part}", facts=[part],
                files_read=[part], at=1_700_000_000_000 + number,
            )  # fmt: skip


def dangers(sent: str) -> set[str]:
    """The characters that a terminal should never have got, but for our own styles."""
    plain = STYLE.sub("", sent)
    return {
        char
        for char in set(plain) - set("\r\n" + JOINER)
        if unicodedata.category(char) in ("Cc", "Cf", "Cs")
    }


@pytest.mark.parametrize(
    "command",
    [
        ("search", "hit", "-n", "500"),
        ("show", *map(str, range(1, 1 + len(OWN) + len(hostile_texts()[:29])))),
        ("timeline", "1", "--scope", "all"),
        ("session", "list"),
        ("session", "show", "@1"),
        ("search", "hit", "-n", "500", "--json"),
    ],
    ids=" ".join,
)
@pytest.mark.sampled
def test_stored_texts_cannot_speak_to_the_terminal(hostile: Mem, command: tuple[str, ...]) -> None:
    sent = hostile.on_terminal(*command)
    assert len(sent) > 300
    assert dangers(sent) == set()


def test_arguments_cannot_speak_to_the_terminal(hostile: Mem) -> None:
    text = "".join(OWN)
    for command in (("show", text), ("search", text, "--explain"), ("--db", text, "stats")):
        assert dangers(hostile.on_terminal(*command)) == set()


def test_json_on_a_terminal_is_the_same_document(hostile: Mem) -> None:
    sent = hostile.on_terminal("search", "hit", "-n", "500", "--json")
    piped = hostile.process("search", "hit", "-n", "500", "--json").stdout
    assert json.loads(sent) == json.loads(piped)


def test_matches_are_lit_and_lines_fit(mem: Mem) -> None:
    mem.ok("add", "token " * 50, "--narrative", "the clock drifted " * 50)
    sent = mem.on_terminal("search", "drifted")
    assert STYLE.search(sent)
    assert "«" not in sent
    assert max(len(line) for line in STYLE.sub("", sent).splitlines()) <= 100


def test_a_hit_without_a_passage_has_no_second_line(mem: Mem) -> None:
    mem.ok("add", "token")
    mem.ok("add", "token of two")
    assert all(line.strip() for line in STYLE.sub("", mem.on_terminal("search", "token")).splitlines())


def test_no_color_is_respected(mem: Mem) -> None:
    mem.ok("add", "token")
    sent = mem.on_terminal("search", "token", NO_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", sent)


def test_a_difference_is_marked_where_there_are_no_colours(mem: Mem) -> None:
    mem.ok("add", "token", "--type", "bugfix")
    mem.ok("edit", "1", "--type", "decision")
    assert "[-bugfix-]" in mem.on_terminal("history", "1", NO_COLOR="1")
    assert "[-bugfix-]" not in mem.on_terminal("history", "1")


def test_what_is_not_well_is_told_in_full_on_a_narrow_terminal(mem: Mem) -> None:
    mem.ok("add", "Title")
    mem.process("hook", "codex", input=b'{"hook_event_name": "Stop"}')
    shown = STYLE.sub("", mem.on_terminal("doctor", COLUMNS="80"))
    assert "mem queue list --status quarantined; then mem queue retry or drop" in " ".join(shown.split())
    assert "…" not in shown
