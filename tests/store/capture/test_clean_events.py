"""No field of an event brings a secret into any column of any table, by either channel."""

from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.accepting import Channel
from memtui.store.capture.ingest.cleaning import TEXTS
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, ToolUse, Usage

from .canaries import HIDDEN, canary

PARTS = [part.format(7) for _, part in HIDDEN.values()]
KINDS = ("session_start", "prompt", "reply", "compaction", "report", "tool", "usage", "session_end")


def cells(store: Store) -> list[tuple[str, str]]:
    """Every value of every table, with the table's name."""
    tables = store.db.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
    )
    return [
        (str(name), value.decode(errors="replace") if isinstance(value, bytes) else str(value))
        for (name,) in tables.fetchall()
        for row in store.db.execute(f'SELECT * FROM "{name}"')
        for value in row
    ]


@pytest.mark.parametrize("channel", ["hook", "transcript"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_secret_in_any_field_is_in_no_column(store: Store, kind: Any, channel: Channel) -> None:
    for number, field in enumerate((*TEXTS, "name", "input", "key of input", "response", "extra", "all")):
        text = canary(7) + field

        def filled(name: str, plain: str, field: str = field, text: str = text) -> str:
            return text if field in (name, "all") else plain

        texts: dict[str, Any] = {name: filled(name, f"{name} {number}") for name in TEXTS}
        given = {"command": f"ls {filled('input', '.')}", filled("key of input", "about"): "listing"}
        tool = ToolUse(filled("name", "Bash"), given, {"stdout": filled("response", "a b c")})
        event = Event(
            kind=kind,
            agent="claude-code",
            at=1_700_000_000_000 + number * 1_000_000,
            tool=tool if kind == "tool" else None,
            usage=Usage(1, 2, 3, 4) if kind == "usage" else None,
            extra={"more": [filled("extra", "words")]},
            **{**texts, "subagent": texts["subagent"] if field == "subagent" else None},
        )
        ingest_event(store, event, channel)
    leaks = {(name, part) for name, value in cells(store) for part in PARTS if part in value}
    assert not leaks
    assert any("seen 00007" in value for _, value in cells(store))
