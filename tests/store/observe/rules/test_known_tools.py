"""What the outputs of known tools tell of their outcome, and what only looks like it."""

import re

from memtui.store.observe.rules.known_tools.reported_outcome import KNOWN_TOOLS, reported_outcome, singular
from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.rules.tools import parse_tool_use
from memtui.store.records.events import ToolUse
from tests.places import ROOT
from tests.tables import table

from .known_tool_samples import NEAR_MISSES, SAMPLES


@table(("tool", "command", "output", "phrase", "failed"), SAMPLES)
def test_a_tool_tells_its_outcome(
    tool: str, command: str, output: str, phrase: str, failed: bool | None
) -> None:
    told = reported_outcome(parse_tool_use(ToolUse("Bash", {"command": command}, output)))
    assert (told.failed, told.phrase) == (failed, singular(phrase))
    assert tool in {known.name for known in KNOWN_TOOLS}
    made = observation_fields(ToolUse("Bash", {"command": command}, output))
    if failed:
        assert made["type"] == "error"
        assert not made["files_modified"]
    elif output:
        assert made["type"] != "error"


def test_each_known_tool_has_a_sample() -> None:
    assert {tool.name for tool in KNOWN_TOOLS} == {sample[0] for sample in SAMPLES}


@table(("command", "output"), NEAR_MISSES)
def test_a_near_miss_is_no_failure(command: str, output: str) -> None:
    for response in (output, {"stdout": output, "stderr": "", "interrupted": False}):
        use = ToolUse("Bash", {"command": command}, response)
        assert observation_fields(use)["type"] != "error"
    assert not reported_outcome(parse_tool_use(ToolUse("Bash", {"command": command}, output))).failed


def test_the_page_lists_each_known_tool_with_its_commands() -> None:
    page = (ROOT / "docs" / "known-tools.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| ([\w .-]+) \| (`[^|]*(?:\\\|[^|]*)*`) \|$", page, re.MULTILINE))
    expected = {
        tool.name: ", ".join(f"`{command}`" for command in tool.commands).replace("|", "\\|")
        for tool in KNOWN_TOOLS
    }
    assert {name: rows.get(name) for name in expected} == expected


def test_a_sign_holds_its_mark() -> None:
    # A mark that its pattern doesn't need would hide the sign; one that is empty costs a search.
    for tool in KNOWN_TOOLS:
        assert len(tool.signs) == len(set(tool.signs))
        for sign in tool.signs:
            re.compile(sign.pattern)
            assert sign.pattern.startswith("^")
