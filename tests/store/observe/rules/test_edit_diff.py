"""What is kept of an edit: its new lines before its old ones, and how a conflict was resolved."""

import pytest

from memtui.store.observe.rules.command_output import EXCERPT
from memtui.store.observe.rules.observation import ObservationFields, observation_fields
from memtui.store.records.events import ToolUse
from memtui.store.text.markup import parts
from tests.tables import table


def edited(before: str, after: str) -> ObservationFields:
    given = {"file_path": "app/queue.py", "old_string": before, "new_string": after}
    return observation_fields(ToolUse("Edit", given, {"filePath": "app/queue.py"}))


@table(
    ("before", "after", "title"),
    [
        ("a = 1", "a = 1\n\n# The port is that of the proxy.\nb = 2", "“The port is that of the proxy.”"),
        ("def f():\n    go()", "def f():\n    go()\n    # Once more.\n    go()", "f, “Once more.”"),
        ("a = 1\nfold(b)", "a = 1", "“- fold(b)”"),
        ("x", "x\nexport {\n  shareLink,\n}", "“shareLink”"),
        ("x", "x\nexport {\n}", ""),
        ("x", "def g():\n    return 'x'", "g"),
        ("x", "# where it is kept, and not here.\n# The port is that of the proxy.", "“The port is that of the proxy.”"),
        ("旧", "新的端口是八千零八十", "“新的端口是八千零八十”"),
    ],
)  # fmt: skip
def test_an_edit_is_told_apart_by_a_name_or_the_line_that_says_most(
    before: str, after: str, title: str
) -> None:
    assert edited(before, after)["title"] == f"Edited app/queue.py{': ' if title else ''}{title}"


def test_a_long_path_keeps_its_end_in_a_title() -> None:
    for folder, sign in (
        ("/home/dev/.cache/agents/5e551011/" + "deep/" * 12, "/"),
        (r"C:\Users\d" * 9, "\\"),
    ):
        given = {"file_path": f"{folder}{sign}notes{sign}plan.md", "content": "text"}
        title = observation_fields(ToolUse("Write", given))["title"]
        assert title.endswith(f"{sign}notes{sign}plan.md")
        assert len(title) < 80


def test_many_removed_lines_leave_room_for_the_new_one() -> None:
    before = "".join(f"old_setting_{number} = {number} * 1000\n" for number in range(120))
    told = edited(before, "settings = load('queue.toml')\n")["narrative"] or ""
    assert "+ settings = load('queue.toml')" in told and "- old_setting_0 = 0" in told
    assert "(118 more removed)" in told and "old_setting_60" not in told


def test_new_lines_that_say_most_are_kept_of_a_long_edit() -> None:
    lines = [f"    total_{number} = weigh(parts, number, total)" for number in range(120)]
    lines[70] = "    # Retries are capped, since the broker drops the fourth."
    told = edited("pass\n", "\n".join(lines))["narrative"] or ""
    assert "Retries are capped" in told and "total_60" not in told
    assert len(told) <= EXCERPT


CONFLICT = "a = 1\n<<<<<<< HEAD\nport = 8080\n=======\nport = 9090\n>>>>>>> main\nz = 2"


@pytest.mark.parametrize(
    ("after", "how"),
    [
        ("a = 1\nport = 8080\nz = 2", ["kept HEAD, dropped main: port = 8080"]),
        ("a = 1\nport = 9090\nz = 2", ["kept main, dropped HEAD: port = 9090"]),
        ("a = 1\nport = 8080\nport = 9090\nz = 2", ["kept both sides: port = 8080 port = 9090"]),
        # By other lines, which the diff tells, or not resolved.
        ("a = 1\nport = 7070\nz = 2", []),
        (CONFLICT.replace("8080", "8081"), []),
    ],
)
def test_how_a_conflict_was_resolved_is_a_fact(after: str, how: list[str]) -> None:
    facts = edited(CONFLICT, after)["facts"]
    assert [one for one in facts if "conflict" in one] == [f"conflict resolved: {one}" for one in how]


@pytest.mark.parametrize("row", ["x = weigh(parts)\n" * 400, "x" * 5_000])
def test_each_line_of_a_cut_diff_is_known_for_one_of_a_diff(row: str) -> None:
    told = edited(row, "")["narrative"] or ""
    assert [language for _, language in parts(told)] == ["diff"]
    told = edited("", row)["narrative"] or ""
    assert [language for _, language in parts(told)] == ["diff"]
