"""The demo memory: three weeks of a developer's made-up work, to look around in before one has any.

Beside this file lies one JSONL file for each project, a record a line, with the keyword arguments
of the record's own `add`. `is` names the kind. A session begins at `at` (UTC) of a `day` before
today, or some `minutes_ago`, and is followed by what belongs to it; `after` and `lasts` are seconds
from its beginning. An observation's `key` is what a fact's `evidence` calls it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

from ...records.dataclasses import dataclass
from ...records.events import Event, Usage
from ...records.rows import Observation
from ...store import Store
from ..ingest.pipeline import update_session

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000


def fill(store: Store, *, now: int) -> None:
    """Write the demo as it stands at `now`, ms since the epoch, UTC: nothing is later than that.

    One transaction. The same records with the same ids each time, in a store that was empty.
    """
    uids: dict[str, str] = {}
    with store.transaction():
        for line in sorted(_lines(now), key=lambda line: line.at):
            _write(store, line, uids)


@dataclass(frozen=True, slots=True)
class _Line:
    """A record still to be written, and the session line it stands under."""

    kind: str
    at: int
    values: dict[str, Any]
    session: dict[str, Any]


def _lines(now: int) -> Iterator[_Line]:
    # In one order everywhere: of records of the same moment, that decides which comes first.
    for file in sorted(resources.files(__name__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".jsonl"):
            yield from _lines_of(file.read_text(encoding="utf-8").splitlines(), now)


def _lines_of(texts: list[str], now: int) -> Iterator[_Line]:
    session: dict[str, Any] = {}
    begin = 0
    for values in map(json.loads, texts):
        kind = values.pop("is")
        if kind == "session":
            session, begin = values, _beginning(values, now)
        yield _Line(kind, begin + values.pop("after", 0) * SECOND, values, session)


def _beginning(session: dict[str, Any], now: int) -> int:
    if "minutes_ago" in session:
        return now - int(session.pop("minutes_ago")) * MINUTE
    hours, minutes, seconds = map(int, session.pop("at").split(":"))
    midnight = now - now % DAY + int(session.pop("day")) * DAY
    return midnight + (hours * 60 + minutes) * MINUTE + seconds * SECOND


MODELS = {
    "claude-code": "claude-sonnet-4-5",
    "codex": "gpt-5.1-codex",
    "gemini": "gemini-2.5-pro",
    "opencode": "claude-haiku-4-5",
    "cursor": "gpt-5.1",
}
"""The model with which each agent worked."""
BY_RULES = '{"observer": "rules"}'


def _write(store: Store, line: _Line, uids: dict[str, str]) -> None:
    values, session = line.values, line.session["id"]
    match line.kind:
        case "session":
            # What stands under it is written by its line too.
            own = dict(values)
            lasts = own.pop("lasts", None)
            ended = None if lasts is None else line.at + lasts * SECOND
            store.sessions.start(own.pop("id"), at=line.at, completed_at=ended, **own)
        case "prompt":
            store.prompts.add(session, **values, at=line.at)
        case "observation":
            key = values.pop("key", None)
            observation = store.observations.add(session, **values, at=line.at)
            _spend(store, line, observation)
            if key is not None:
                uids[key] = observation.uid
        case "summary":
            # As of every session that agents' hooks tell: brief and detailed are levels of one.
            store.summaries.add(session, **values, extra=BY_RULES, at=line.at)
        case "fact":
            evidence = [uids[key] for key in values.pop("evidence", ())]
            project = line.session["project"]
            store.facts.add(**values, project=project, evidence=evidence, at=line.at)
        case "note":
            store.notes.upsert(**values, project=line.session["project"], at=line.at)
        case kind:
            raise ValueError(f"The demo knows no {kind!r}.")


def _spend(store: Store, line: _Line, observation: Observation) -> None:
    """Count what the model's answer took that this was found out by."""
    spent, agent = observation.discovery_tokens, line.session["agent"]
    event = Event(
        kind="usage",
        agent=agent,
        session=line.session["id"],
        key=f"answer-{observation.id}",
        model=MODELS.get(agent, ""),
        usage=Usage(spent * 2, spent, spent * 60, spent * 5),
    )
    update_session(store, store.sessions.get(line.session["id"]), event, line.at)
