"""What readers tell, for tests to look at; transcripts kept beside the repository; records gone bad."""

import copy
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from memtui.store.formats.transcripts.reader import LineReader
from memtui.store.records.events import Event
from tests.places import TRANSCRIPTS

Records = Sequence[dict[str, Any]]

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -1, 1 << 63, float("inf"), float("nan")])
    | st.sampled_from(["", "{", "[1]", '{"output": 1}', "2026-02-30T00:00:00Z", "\ud800"])
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)


def told(reader: type[LineReader], records: Records, path: Path, cuts: Sequence[int] = ()) -> list[Event]:
    """All events of these records, and what is pending in the end.

    After each of the `cuts` another reader goes on, with the state of the one before as JSON.
    """
    state: dict[str, Any] = {}
    found: list[Event] = []
    for start, end in zip([0, *cuts], [*cuts, len(records)], strict=True):
        current = reader(path, copy.deepcopy(state))
        for record in records[start:end]:
            found += current.events(record)
        state = json.loads(json.dumps(current.state))
        list(current.pending())
        assert current.state == state, "to tell what is pending changes nothing"
    return [*found, *reader(path, state).pending()]


def told_of_bad(reader: type[LineReader], records: Records, path: Path) -> list[Event]:
    """All events of records that may be bad: a ValueError costs that record alone."""
    current = reader(path, {})
    found: list[Event] = []
    for record in records:
        try:
            found += current.events(record)
        except ValueError as error:
            assert str(error)
    json.dumps(current.state)
    return [*found, *current.pending()]


def of(kind: str, events: Sequence[Event]) -> list[Event]:
    """The events of a kind; of replies those that end a turn."""
    return [event for event in events if event.kind == kind and event.is_final]


def remarks(events: Sequence[Event]) -> list[str]:
    """What was said between tool calls."""
    return [event.text for event in events if not event.is_final]


def said(kind: str, events: Sequence[Event]) -> list[str]:
    """The texts of the events of a kind."""
    return [event.text for event in of(kind, events)]


def counted(events: Sequence[Event]) -> dict[str, Any]:
    """What the manifest counts; each key once."""
    tools = {(event.session, event.key or n): event for n, event in enumerate(of("tool", events))}
    usages = {(event.session, event.key or n): event for n, event in enumerate(of("usage", events))}
    return {
        "prompts": len(of("prompt", events)),
        "tool_uses": len(tools),
        "tools": Counter(event.tool.name for event in tools.values() if event.tool),
        "compactions": len(of("compaction", events)),
        "out_tokens": sum(event.usage.output for event in usages.values() if event.usage),
    }


def with_thoughts(path: Path, counts: dict[str, Any]) -> dict[str, Any]:
    """The counts of a file, with what Gemini counts beside what it writes, which costs as much."""
    if not counts.get("format", "").startswith("gemini") or "out_tokens" not in counts:
        return counts
    found = json.loads(path.read_text("utf-8"))["messages"] if path.suffix == ".json" else lines(path)
    thoughts = {one.get("id"): one["tokens"].get("thoughts", 0) for one in found if one.get("tokens")}
    return counts | {"out_tokens": counts["out_tokens"] + sum(thoughts.values())}


def kept(agent: str) -> list[tuple[str, dict[str, Any]]]:
    """The transcripts of an agent that are kept and counted, with their counts."""
    if not (TRANSCRIPTS / "manifest.json").exists():
        return []
    files = json.loads((TRANSCRIPTS / "manifest.json").read_text(encoding="utf-8"))["files"]
    return [
        (file["file"], with_thoughts(TRANSCRIPTS / file["file"], file["counts"]))
        for file in files
        if file["file"].startswith(agent + "/") and file.get("counts")
    ]


def lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def hooks(name: str) -> list[dict[str, Any]]:
    """The payloads of hooks that were recorded beside a transcript."""
    return [line["stdin"] for line in lines(TRANSCRIPTS / "hook-payloads" / name)]


@st.composite
def gone_bad(draw: st.DrawFn, records: Records) -> list[dict[str, Any]]:
    """The records with up to three values replaced by something else, or missing."""
    bad = copy.deepcopy(list(records))
    for _ in range(draw(st.integers(1, 3))):
        place: Any = bad[draw(st.integers(0, len(bad) - 1))]
        while place:
            key = draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
            inner = place[key]
            if isinstance(inner, dict | list) and inner and draw(st.booleans()):
                place = inner
                continue
            if draw(st.booleans()):
                place[key] = draw(junk)
            else:
                del place[key]
            break
    return bad
