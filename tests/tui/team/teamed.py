"""A memory that is in a team, by the rows that its meetings would have written: no server is there."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from memtui.store import Store
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.team import membership
from memtui.store.leaves.team.membership import Team
from memtui.store.records.kinds import TABLES, kind_of
from tests.tui.browser import NOW, WIDE, app, opened
from tests.tui.patience import idle

WHERE = "host=db.example.org dbname=memories"
TEAM = Team("crew", "crew", WHERE, "me", "writer", membership.NONE_HERE, "off", None, None, "")


def join(store: Store, role: str = "writer", trouble: str | None = None) -> None:
    """Be in the team `crew` as `me`, who met it three minutes ago."""
    membership.join(store, TEAM)
    store.db.execute("UPDATE team SET role = ?, trouble = ?, met_at = ?", (role, trouble, NOW - 180_000))
    machines = Machines(store)
    machines.meet(TEAM.peer, "crew")
    machines.finish(TEAM.peer, "01990000-met", 1 << 40)


def bring(store: Store, author: str, refs: Sequence[str]) -> None:
    """Have memories be what a member of the team shared."""
    for record in map(store.any_record, refs):
        store.db.execute(
            "INSERT INTO team_rows VALUES (?, ?, ?, ?, 'project', 'here', ?, ?, '')",
            (
                TABLES[kind_of(record)],
                record.uid,
                author,
                getattr(record, "project", ""),
                f"{record.hlc} {record.editor}",
                author == TEAM.member,
            ),
        )


@asynccontextmanager
async def in_team(path: Path, size: tuple[int, int] = WIDE) -> AsyncIterator[Pilot[Any]]:
    """The browser, once it has looked whether the memory is in a team."""
    async with opened(path, size=size) as pilot:
        app(pilot).ingest()
        await idle(pilot)
        yield pilot
