"""`mem add --stdin`."""

import json

import pytest

from memtui.store.cli.commands.add import LINES_IN_A_TRANSACTION

from ..runner import Mem


def test_each_line_is_an_observation(mem: Mem) -> None:
    lines = [
        {"title": "First", "facts": ["a", "b"], "created_at": 1_700_000_000_000},
        {"title": "第二", "session": "c-1", "project": "payments", "private": True},
    ]
    input = "\n".join(json.dumps(line) for line in lines)
    first, second = mem.json("add", "--stdin", input=input)
    assert (first["title"], first["facts"], first["created_at"], first["project"]) == (
        "First", ["a", "b"], 1_700_000_000_000, "atlas",
    )  # fmt: skip
    assert (second["title"], second["project"], second["private"]) == ("第二", "payments", True)


@pytest.mark.parametrize("more", [{}, {"extra": "{}"}, {"title": "a \N{SNOWMAN} canary"}])
@pytest.mark.parametrize("private", [{}, {"private": False}, {"private": True}])
def test_private_is_said_for_all_lines(mem: Mem, private: dict[str, bool], more: dict[str, str]) -> None:
    line = json.dumps({"title": "canary"} | private | more)
    mem.ok("add", "--stdin", "--private", input=line)
    mem.ok("add", "--stdin", input=line)
    told = [1] if private.get("private") else []
    assert len(mem.json("search", "canary")) == 1 - len(told)
    assert len(mem.json("search", "is:private")) == 1 + len(told)


def test_the_ids_are_printed_a_line_each(mem: Mem) -> None:
    assert mem.ok("add", "--stdin", input='{"title": "a"}\n\n{"title": "b"}\n') == "1\n2"


def test_any_number_of_lines(mem: Mem) -> None:
    many = 2 * LINES_IN_A_TRANSACTION + 3
    input = "".join(json.dumps({"title": f"memory {number}"}) + "\n" for number in range(many))
    assert len(mem.ok("add", "--stdin", input=input).splitlines()) == many
    assert mem.json("stats")["observations"] == many


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("nonsense", "It is not valid JSON"),
        ("[" * 100_000, "It is not valid JSON"),
        ('["title"]', "It is not a JSON object."),
        ('{"type": "note"}', "It has no 'title'."),
        ('{"title": null}', "It has no 'title'."),
        ('{"title": 7}', "'title' has to be a text."),
        ('{"title": "a", "colour": "red"}', "An observation has no 'colour' that can be set."),
        ('{"title": "a", "facts": "one"}', "'facts' has to be a list of texts."),
        ('{"title": "a", "facts": [1]}', "'facts' has to be a list of texts."),
        ('{"title": "a", "private": 1}', "'private' has to be true or false."),
        ('{"title": "a", "prompt_number": true}', "'prompt_number' has to be a whole number."),
        ('{"title": "a", "created_at": 1e300}', "'created_at' has to be a whole number."),
        ('{"title": "a", "session_id": 77}', "There is no session 77."),
        ('{"title": "a", "extra": "no json"}', "This is not JSON"),
        (b'{"title": "\xff"}', "It is not UTF-8."),
    ],
)
def test_a_bad_line_is_reported_by_number_and_the_good_ones_are_stored(
    mem: Mem, line: str | bytes, reason: str
) -> None:
    bad = line.encode() if isinstance(line, str) else line
    result = mem("add", "--stdin", input=b'{"title": "a"}\n' + bad + b'\n{"title": "b"}\n')
    assert result.exit_code == 1
    assert result.stderr.startswith(f"line 2: {reason}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == "1\n2\n"


def test_flags_stand_for_what_a_line_leaves_out(mem: Mem) -> None:
    input = '{"title": "a"}\n{"title": "b", "type": "decision", "project": "other"}\n'
    first, second = mem.json(
        "add", "--stdin", "--type", "bugfix", "--project", "payments", "--tag", "x", input=input
    )
    assert (first["type"], first["project"], first["tags"]) == ("bugfix", "payments", ["x"])
    assert (second["type"], second["project"], second["tags"]) == ("decision", "other", ["x"])


def test_lone_surrogates_in_a_line_are_replaced(mem: Mem) -> None:
    (record,) = mem.json("add", "--stdin", input=r'{"title": "a\ud800b"}')
    assert record["title"] == "a\ufffdb"


def test_no_lines_are_no_failure(mem: Mem) -> None:
    assert mem.json("add", "--stdin", input="") == []


def test_a_mark_of_byte_order_before_the_lines_is_no_part_of_them(mem: Mem) -> None:
    mem.ok("add", "--stdin", input='\ufeff{"title": "First"}\n{"title": "Second"}\n')
    assert {hit["title"] for hit in mem.json("search", "kind:observation")} == {"First", "Second"}
