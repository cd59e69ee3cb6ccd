"""The bounds of the journal: how long and how much of it is kept, and what was dropped."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import apsw

from ...config import HistorySettings, history_settings
from ...platform.clock import DAY_MS
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...text.plural import count_noun

DROPPED = "journal_dropped"
"""The row of `meta` that says what was dropped."""

MEASURED_EVERY = 20
"""The journal is measured at each so manieth change, and at large ones."""

LARGE = 1 << 20

OLD = "SELECT id FROM changes WHERE part_of IS NULL AND at < ?1 AND id < ?2"
TOO_MUCH = """
SELECT max(id) FROM (
    SELECT id, sum(length(changeset) + coalesce(length(undo_changeset), 0) + coalesce((
        SELECT sum(length(undo_changeset) + length(redo_changeset))
        FROM redone_changes WHERE change_id = changes.id
    ), 0)) OVER (ORDER BY id DESC) AS bytes
    FROM changes
) WHERE bytes > ?1
"""
NEWEST = "SELECT coalesce(part_of, id), length(changeset) FROM changes ORDER BY id DESC LIMIT 1"
DROP = """
DELETE FROM changes WHERE coalesce(part_of, id) IN (SELECT value FROM json_each(?)) RETURNING at
"""


def keep_within_bounds(db: apsw.Connection, now: int) -> None:
    """Drop the oldest actions of the journal where it is older or larger than `[history]` of the
    configuration says, and note it. The newest action stays. Inside a transaction."""
    newest: Any = db.execute(NEWEST).fetchone()
    if newest is None:
        return
    first, size = newest
    settings = HistorySettings()
    with suppress(ConfigurationError):
        settings = history_settings()
    gone: set[int] = set()
    before = now - settings.days * DAY_MS
    oldest: Any = db.execute("SELECT at FROM changes ORDER BY id LIMIT 1").get
    if oldest < before:
        gone.update(number for (number,) in db.execute(OLD, (before, first)))
    if first % MEASURED_EVERY == 0 or size > LARGE:
        last = db.execute(TOO_MUCH, (settings.megabytes * 1_000_000,)).get
        if last is not None:
            sql = "SELECT id FROM changes WHERE part_of IS NULL AND id <= ?1 AND id < ?2"
            gone |= {number for (number,) in db.execute(sql, (last, first))}
    if not gone:
        return
    rows: list[Any] = db.execute(DROP, (json.dumps(sorted(gone)),)).fetchall()
    times = [int(at) for (at,) in rows]
    known = _noted(db)
    noted = {
        "changes": known.get("changes", 0) + len(gone),
        "until": max([known.get("until", 0), *times]),
    }
    db.execute(
        "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (DROPPED, json.dumps(noted)),
    )


def dropped(db: apsw.Connection) -> str:
    """Return a sentence on the changes that are no longer kept; "" where all are."""
    noted = _noted(db)
    if not noted:
        return ""
    day = datetime.fromtimestamp(noted["until"] / 1000, UTC).date().isoformat()
    changes = count_noun(noted["changes"], "changes")
    return _(
        "{changes} up to {day} no longer kept: see [history] in config.toml.",
        changes=changes,
        day=day,
    )


def dropped_until(db: apsw.Connection) -> int:
    """Return the time (ms) of the newest change that is no longer kept; 0 where all are."""
    return _noted(db).get("until", 0)


def _noted(db: apsw.Connection) -> dict[str, int]:
    text = db.execute("SELECT value FROM meta WHERE key = ?", (DROPPED,)).get
    try:
        result = json.loads(str(text)) if text else {}
    except ValueError:
        return {}
    return result if isinstance(result, dict) and result.keys() >= {"changes", "until"} else {}
