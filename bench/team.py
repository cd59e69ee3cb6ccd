"""A team's server: how long it searches a million rows, and what many members and rows would take, reckoned
from what was measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg

from bench.memories import DAY, Memories
from bench.report import Section
from memtui.store.clock import uuid7
from memtui.store.team.entries import as_json, query_of, words_of
from memtui.store.team.server import Server
from tests.store.team.servers import Postgres, package_binaries, system_binaries

ROWS = 1_000_000
SAMPLE = 100_000
"""So many rows are made; further ones are the same at other times."""
ROUNDS = 40
NOW = 1_790_000_000_000
MEMBER = "bench"
SETTINGS = {
    "shared_buffers": "1GB",
    "fsync": "off",
    "maintenance_work_mem": "512MB",
    "max_wal_size": "8GB",
}
QUERIES = {
    "a rare word": "{rare}",
    "a Chinese word": "数据库",
    "three words": "token refresh session",
    "the commonest word": "the",
}
COLUMNS = (
    "team_id, kind, uid, project, author, editor, via, hlc, version, visibility, state, made_at, payload, "
    "words, seq"
)


def measure() -> list[Section]:
    """Search a million rows as a member, by the function that members call."""
    binaries = system_binaries() or package_binaries()
    if binaries is None:
        return []
    with Postgres(binaries, SETTINGS) as server:
        team = _filled(server)
        return [_searches(server, team)]


def _filled(server: Postgres) -> str:
    """Return the id of the server's team, made with its rows if it isn't there."""
    with psycopg.connect(server.dsn, autocommit=True) as owner:
        if owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (MEMBER,)).fetchone():
            [(team,)] = owner.execute("SELECT team_id FROM memtui.team").fetchall()
            return str(team)
        with Server(server.dsn) as made:
            team = made.create("bench")
        indexes = owner.execute(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'entry' AND indexname LIKE 'entry_by%'"
        ).fetchall()
        for name, _ in indexes:
            owner.execute(f"DROP INDEX memtui.{name}")
        rows = [*_sample()]
        with (
            owner.cursor() as cursor,
            cursor.copy(f"COPY memtui.entry ({COLUMNS}) FROM STDIN") as copy,
        ):
            for number in range(ROWS):
                project, payload, words = rows[number % SAMPLE]
                at = NOW - (ROWS - number) * (365 * DAY // ROWS)
                copy.write_row(
                    (
                        team, "observations", uuid7(at), project, f"member-{number % 50}", "editor", "machine",
                        at << 16, f"{at << 16} editor", "project", "here", at, payload, words, number + 1,
                    )
                )  # fmt: skip
        for _, definition in indexes:
            owner.execute(definition)
        owner.execute("UPDATE memtui.head SET head = %s", (ROWS,))
        owner.execute("VACUUM ANALYZE memtui.entry")
        owner.execute(f"CREATE ROLE {MEMBER} LOGIN")
        owner.execute("SELECT memtui.set_member(%s, %s, 'reader', NULL)", (team, MEMBER))
        return team


def _sample() -> Iterator[tuple[str, str, str]]:
    """Project, payload and words of rows, as a member's program makes them."""
    source = Memories()
    for number in range(SAMPLE):
        row: dict[str, Any] = source.observation(number, NOW)
        payload = {
            key: value for key, value in row.items() if value is not None and key != "session_id"
        }
        for key in ("facts", "concepts", "files_read", "files_modified", "tags"):
            payload[key] = json.loads(payload[key])
        yield payload["project"], as_json(payload), words_of("observations", payload)
