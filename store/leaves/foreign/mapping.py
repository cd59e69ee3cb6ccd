"""How a foreign program's tables map to ours: the declarations that the importer works by."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...formats.common.upsert import Mapped
from ...formats.sqlite.row import ForeignRow
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...tables import observations, prompts, summaries
from ...tables import queue_statements as queue_sql
from ...tables import sessions as sessions_module
from ...tables.base import Values

DROPPED = ("synced_at", "sync_rev")
"""The state of claude-mem's own sync; an upgrade writes it into every row."""


class Target(NamedTuple):
    """What rows become: their name in reports, our table for them, and its INSERT."""

    name: str
    table: str
    insert: str


SESSIONS = Target("sessions", "sessions", sessions_module.INSERT)
PROMPTS = Target("prompts", "prompts", prompts.INSERT)
OBSERVATIONS = Target("observations", "observations", observations.INSERT)
SUMMARIES = Target("summaries", "summaries", summaries.INSERT)
PENDING = Target("pending", "pending_messages", queue_sql.INSERT)


class NamedSession(NamedTuple):
    """The session that a row names: by its native id, by the agent's own id, by its memory id, with the
    agent as the row calls it, each None where it doesn't; and the project of one that is lost."""

    native: str | None
    content: str | None
    memory: str | None
    platform: str | None
    project: str


class Names(NamedTuple):
    """The ids of a foreign session, and its agent."""

    content: str | None
    memory: str | None
    agent: str


Reading = tuple[Target, Callable[[ForeignRow], Mapped]]
"""What a row becomes, and the function that maps it: to all but its session, whose project is the row's
where that is None."""


@dataclass(frozen=True, slots=True)
class SessionSource:
    """A foreign table of sessions. Where a program has several, `prefix` makes their rows' ids
    unique."""

    table: str
    names: Callable[[ForeignRow], Names]
    mapped: Callable[[ForeignRow, Names], Mapped]
    prefix: str = ""


@dataclass(frozen=True, slots=True)
class ChildSource:
    """A foreign table whose rows belong to sessions. Columns that name one: `native` by the row's
    native id, `content` by the agent's own id, `memory` by the memory id; a row of a table that
    `is_session` is of itself; of one whose `session_is_optional` a row that names none is of one of its
    project's. `sessions` is the prefix of the table that `native` names. `kinds` are all that `reading`
    may return; None for a row that becomes nothing."""

    table: str
    kinds: tuple[Target, ...]
    reading: Callable[[ForeignRow], Reading | None]
    native: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    prefix: str = ""
    is_session: bool = False
    sessions: str = ""
    session_is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A foreign program: its name, the agent of sessions that name none, and its tables; `joined` are those
    of which rows are read only with rows of others."""

    name: str
    agent: str
    sessions: tuple[SessionSource, ...]
    children: tuple[ChildSource, ...]
    joined: tuple[str, ...] = ()


def session_values(names: Names, started: int, ended: int | None) -> Values:
    """Return what is told alike of every session: ids, agent, and when it was, ms since the epoch."""
    return {
        "created_at": started,
        "agent": names.agent,
        "content_session_id": names.content,
        "memory_session_id": names.memory,
        "started_at": started,
        "completed_at": ended,
    }


def texts(row: ForeignRow, *names: str) -> Values:
    """Return the texts of columns that have our names, None for empty ones."""
    return {name: row.text(name) for name in names}


def lists(row: ForeignRow, *names: str) -> Values:
    """Return the lists of columns that have our names, as our columns hold them (JSON)."""
    return {name: row.items(name) for name in names}


def always(kind: Target, mapped: Callable[[ForeignRow], Mapped]) -> Callable[..., Reading]:
    """Return the `reading` of a table whose rows are all of one kind."""
    return lambda _row: (kind, mapped)


def record(row: ForeignRow, values: Values, initial: Values | None = None) -> Mapped:
    """Return a row as mapped values: the rest of it in `extra`, and deleted if it is so in its
    source."""
    if row.has("deleted_at_epoch") or row.has("deleted_at"):
        values["deleted_at"] = row.moment("deleted_at")
    return Mapped(
        row.native_id,
        values | {"extra": row.rest(*DROPPED)},
        initial or {},
        is_damaged=row.is_damaged,
    )


def created(row: ForeignRow, time: int | None) -> int:
    """Return when a row was made, ms since the epoch; 0, with a warning, where that is unknown."""
    if time is None:
        row.warn(_("its time is unknown; it stands at the beginning of time"))
    return time or 0


def one_of(row: ForeignRow, name: str, choices: dict[str, str], otherwise: str) -> str:
    """Translate a column's word into ours. An unknown one counts a warning and stays in `extra`."""
    written = row.text(name)
    if written is not None and written not in choices:
        row.warn(
            _(
                "{name} is {written!r}, which is unknown; taken as {otherwise}",
                name=name,
                written=written[:40],
                otherwise=otherwise,
            )
        )
        row.keep(name, written)
    return choices.get(written or "", otherwise)
