"""--for-agent: the compact text of `memtui.store.context.compact`, from all that tells memories."""

import json

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    """A memory of a session with three observations; the last is private."""
    for title in ("token first", "token second"):
        mem.ok("add", title, "--session", "c-1", "--narrative", "what the text says")
    mem.ok("add", "token hidden", "--session", "c-1", "--private", "--narrative", "secret words")


def test_search_prints_lines_in_a_fence_and_what_was_left_out(filled: Mem) -> None:
    lines = filled.ok("search", "token", "--for-agent", "-n", "1").split("\n")
    assert lines[0].startswith('<memtui-data id="')
    assert lines[1].startswith("2 note 0m: token second")
    assert lines[2] == "</memtui-data>"
    assert "--cursor 1" in lines[3]
    assert "show --for-agent ID`" in lines[3]
    assert "1 note" in filled.ok("search", "token", "--for-agent", "-n", "1", "--cursor", "1")


def test_as_json_nothing_is_null(filled: Mem) -> None:
    for command in (
        ("search", "token"),
        ("show", "1"),
        ("timeline", "1"),
        ("session", "list"),
        ("session", "show", "c-1"),
    ):
        printed = filled.ok(*command, "--for-agent", "--json")
        assert isinstance(json.loads(printed), dict)
        assert "null" not in printed


def test_ids_work_in_every_form_and_command(filled: Mem) -> None:
    for id in ("1", "O1", "#1", "[mem 1: token first]"):
        assert "token first" in filled.ok("show", id)
        assert "token first" in filled.ok("show", id, "--for-agent")
        assert "> " in filled.ok("timeline", id, "--for-agent")
        assert filled.ok("pin", id) == "1"


def test_hidden_memories_are_told_only_when_they_are_asked_for(filled: Mem) -> None:
    for command in (("search", "secret"), ("timeline", "1"), ("session", "show", "c-1")):
        assert "hidden" not in filled(*command, "--for-agent").stdout
    refused = filled("show", "3", "--for-agent")
    assert refused.exit_code == 1
    assert "3 is private" in refused.stdout
    assert "secret words" not in refused.stdout
    assert "secret words" in filled.ok("show", "3", "--for-agent", "--hidden")


def test_show_takes_fields_and_a_limit_of_tokens(filled: Mem) -> None:
    filled.ok("add", "long", "--narrative", "word " * 2_000)
    assert "title" not in filled.ok("show", "1", "--for-agent", "--fields", "narrative")
    cut = filled.ok("show", "4", "--for-agent", "--max-tokens", "100")
    assert "--max-tokens 400" in cut
    assert len(cut) < 1_000
    assert "no field odd" in filled.refused("show", "1", "--for-agent", "--fields", "odd")


def test_so_many_before_and_after(filled: Mem) -> None:
    told = filled.ok("timeline", "2", "--for-agent", "--before", "0")
    assert "token first" not in told
    assert " timeline --for-agent 2`" in told[told.index("earlier: `") :]


def test_options_of_agents_are_refused_without_the_flag(filled: Mem) -> None:
    for command in (
        ("search", "token", "--cursor", "1"),
        ("search", "token", "--for-agent", "--explain"),
        ("show", "1", "--fields", "title"),
        ("show", "1", "--hidden"),
        ("session", "list", "--cursor", "1"),
    ):
        assert "needs" in filled.refused(*command, code=2)


def test_a_wrong_cursor_is_told_with_what_to_do(filled: Mem) -> None:
    assert "Leave it out" in filled.refused("search", "token", "--for-agent", "--cursor", "x")
