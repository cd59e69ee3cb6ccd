"""How many tool uses a second the rules observe, of every sort and of many lengths, on one core."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from bench.report import Section, middle, ms, times
from memtui.store.observe.rules.facts import extract
from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.summaries.lines import read_reply
from memtui.store.observe.summaries.summary import Turn, summarize
from memtui.store.records.events import ToolUse

ROUNDS = 7
PROMISED = 2_000
"""Tool uses a second."""
EXAMPLES = Path(__file__).parents[1] / "tests" / "store" / "observe" / "rules" / "examples.jsonl"
LINES = "\n".join(
    f"src/module_{number}.py:{number}:5: E501 line too long, or a call of refresh_token(session)"
    for number in range(600)
)
CODE = "\n".join(
    f"def function_{number}(value: int) -> int:\n    return value + {number}\n" for number in range(1_500)
)
REPLY = "## Changes\n" + "\n".join(f"- Added the function `f{n}` to `a.py`" for n in range(60))


def measure() -> list[Section]:
    """The table of uses, and of what is done once a turn."""
    return [uses(), texts()]


def uses() -> Section:
    """Each sort of tool use: those of the examples, and with as much as agents tell."""
    rows = []
    for name, tools in samples().items():
        each = middle(times(partial(observed, tools), ROUNDS)) / len(tools)
        second = 1_000 / each
        rows.append(
            (name, f"{len(tools)}", f"{each * 1_000:.0f}", f"{second:,.0f}", f"{second / PROMISED:.1f}")
        )
    return Section(
        "The rules observer",
        f"From a tool use to its observation, on one core; promised are {PROMISED:,} a second of what "
        "agents do, of which the examples are a fair mix; below are the largest of each sort.",
        ("tool uses", "how many", "µs each", "a second", "times what is promised"),
        rows,
    )


def observed(tools: list[ToolUse]) -> list[str]:
    """The titles of these."""
    return [observation_fields(tool, "/home/dev/atlas")["title"] for tool in tools]


def texts() -> Section:
    """A reply of sixty lines to a summary, and to facts."""
    prose = "We looked at it. " * 40 + REPLY
    asked = ["Fix it"] * 20
    return Section(
        "Summaries and facts by rules",
        "What is done once a turn, of a reply of 60 bullets. Milliseconds.",
        ("what", "ms"),
        [
            (
                "a session's summaries",
                ms(middle(times(lambda: summarize(asked, [], [Turn(1, read_reply(prose))]), ROUNDS))),
            ),
            ("the facts of a text", ms(middle(times(partial(extract, prose), ROUNDS)))),
        ],
    )


def samples() -> dict[str, list[ToolUse]]:
    """Tool uses by what they are."""
    rows: list[dict[str, Any]] = [json.loads(line) for line in EXAMPLES.read_text("utf-8").splitlines()]
    edited = {"old_string": CODE[:4_000], "new_string": CODE[2_000:6_000], "file_path": "a.py"}
    return {
        "the examples of the tests": [
            ToolUse(row["tool"], row["given"], row["answer"], row.get("failed", False)) for row in rows
        ],
        "a file of 64 KB that is read": [ToolUse("Read", {"file_path": "a.py"}, CODE[:65_536])] * 20,
        "an edit of 100 lines": [ToolUse("Edit", edited, {"originalFile": CODE[:65_536]})] * 20,
        "an output of 50 KB": [ToolUse("Bash", {"command": "make lint", "description": "Lint"}, LINES)]
        * 20,
        "a command of 4 KB": [ToolUse("Bash", {"command": "make a && " * 400 + "make b"}, "ok")] * 20,
    }
