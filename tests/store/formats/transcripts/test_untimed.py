"""A record without a time, such as a session's title, was written beside those that have one."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.transcripts.json_records import moment_of
from memtui.store.maintain.importing import run

SESSION = "5e551011-0000-4000-8000-0000000000aa"
TITLED: dict[str, object] = {"type": "custom-title", "customTitle": "Weeks", "sessionId": SESSION}


def typed(at: str) -> dict[str, object]:
    return {
        "type": "user", "uuid": at, "parentUuid": None, "sessionId": SESSION, "cwd": "/srv/weeks",
        "timestamp": at, "message": {"role": "user", "content": "add weeks to the calendar"},
    }  # fmt: skip


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_session_begins_with_what_bears_a_time(store: Store, tmp_path: Path, place: int) -> None:
    records = [typed("2026-07-01T10:00:00Z"), typed("2026-07-01T10:05:00Z")]
    records.insert(place, TITLED)
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + "\n", "utf-8")
    report = run(store, "claude-code", path, None)
    (session,) = store.sessions.where("true")
    assert session.started_at == moment_of("2026-07-01T10:00:00Z")
    assert report.changes == 3
