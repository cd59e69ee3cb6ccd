"""`mem timeline` and `mem show`."""

from datetime import datetime, timedelta

import pytest

from ..runner import Mem, filling

NOON = datetime(2026, 2, 18, 12, 0)


def at(minutes: float) -> str:
    return (NOON + timedelta(minutes=minutes)).isoformat()


@filling
def filled(mem: Mem) -> None:
    mem.ok("prompt", "why?", "--session", "c-1", "--at", at(-10))
    mem.ok("add", "The anchor", "--session", "c-1", "--at", at(0))
    mem.ok("add", "Elsewhere", "--session", "c-2", "--at", at(5))
    mem.ok("add", "Other project", "--session", "c-3", "--project", "other", "--at", at(6))
    mem.ok("summary", "--session", "c-1", "--request", "Login fails", "--at", at(20))
    mem.ok("add", "An hour later", "--session", "c-1", "--at", at(60))


@pytest.mark.parametrize(
    ("flags", "refs"),
    [
        ((), ["p1", "1", "s1"]),
        (("--window", "15m"), ["p1", "1"]),
        (("--window", "15"), ["p1", "1"]),
        (("--window", "2h"), ["p1", "1", "s1", "4"]),
        (("--scope", "project"), ["p1", "1", "2", "s1"]),
        (("--scope", "all"), ["p1", "1", "2", "3", "s1"]),
    ],
)
def test_it_shows_what_lies_around_in_time_order(
    filled: Mem, flags: tuple[str, ...], refs: list[str]
) -> None:
    entries = filled.json("timeline", "1", *flags)
    assert [entry["ref"] for entry in entries] == refs
    assert [entry["ref"] for entry in entries if entry["anchor"]] == ["1"]


def test_any_record_can_be_the_anchor(filled: Mem) -> None:
    uid = filled.json("show", "s1")[0]["uid"]
    for anchor in ("s1", uid):
        anchors = [entry["ref"] for entry in filled.json("timeline", anchor) if entry["anchor"]]
        assert anchors == ["s1"]


def test_a_pipe_gets_a_line_an_entry(filled: Mem) -> None:
    assert filled.ok("timeline", "1").splitlines() == [
        "\t2026-02-18 11:50\tp1\tprompt\twhy?\tatlas",
        ">\t2026-02-18 12:00\t1\tnote\tThe anchor\tatlas",
        "\t2026-02-18 12:20\ts1\tsummary\tLogin fails\tatlas",
    ]


def test_it_says_when_there_is_more(filled: Mem) -> None:
    result = filled("timeline", "1", "--scope", "all", "-n", "2")
    assert "There is more" in result.stderr
    assert ">\t" in result.stdout


def test_wrong_usage_of_the_timeline(filled: Mem) -> None:
    assert "is not a span" in filled.refused("timeline", "1", "--window", "soon", code=2)
    assert "is not one of" in filled.refused("timeline", "1", "--scope", "here", code=2)
    assert "There is no observation 99" in filled.refused("timeline", "99")


def test_show_gives_records_in_full_in_the_order_asked_for(filled: Mem) -> None:
    shown = filled.json("show", "s1", "1", "p1")
    assert [record["ref"] for record in shown] == ["s1", "1", "p1"]
    assert [shown[0]["request"], shown[1]["title"], shown[2]["text"]] == [
        "Login fails", "The anchor", "why?",
    ]  # fmt: skip


def test_show_of_a_session_is_what_session_show_prints(filled: Mem) -> None:
    assert filled.json("show", "p1", "@1")[1] == filled.json("session", "show", "@1")
    assert filled.ok("show", "@1") == filled.ok("session", "show", "@1")
    assert filled.ok("show", "@1", "p1").startswith("session @1\n")


def test_show_is_a_block_of_lines_for_each_record(mem: Mem) -> None:
    mem.ok("add", "Title", "--narrative", "one\ntwo", "--fact", "a", "--fact", "b", "--private")
    lines = mem.ok("show", "1").splitlines()
    assert lines[0] == "observation 1"
    assert "private: yes" in lines
    story = lines.index("narrative:")
    assert lines[story : story + 3] == ["narrative:", "    one", "    two"]
    facts = lines.index("facts:")
    assert lines[facts : facts + 3] == ["facts:", "    a", "    b"]
    assert not any(line.startswith(("hlc", "subtitle", "tags")) for line in lines)
    assert any(line.startswith("created at: ") for line in lines)
    assert not any("_" in line.split(":")[0] for line in lines)


@pytest.mark.parametrize("id", ["99", "p99", "s99", "f99", "n99", "@99", "x", "", "9" * 40, "²"])
@pytest.mark.sampled
def test_an_unknown_id_is_refused(filled: Mem, id: str) -> None:
    assert filled.refused("show", "1", id).startswith("There is no ")


def test_show_takes_what_leads_to_one_and_lists_several(mem: Mem) -> None:
    mem.ok("add", "Mended", "--modified", "src/token.py")
    assert "title: Mended" in mem.ok("show", "token.py")
    mem.ok("add", "Tested", "--modified", "src/token.py")
    assert mem.refused("show", "src/token.py").splitlines() == [
        "src/token.py names several. Give the id of one:", "  2  Tested", "  1  Mended",
    ]  # fmt: skip
    assert "There is no memory nothing.py" in mem.refused("show", "nothing.py")
