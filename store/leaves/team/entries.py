"""What a team's server is given, and answers."""

from __future__ import annotations

from hashlib import md5
from typing import Any, NamedTuple

from ...records.dataclasses import dataclass

REVIEWS = "reviews"
"""The kind of the server's rows that are reviews."""


class TeamEntry(NamedTuple):
    """A row of the server. `hlc` is None for what is no record, `payload` its line, `words` by
    which it is found, `base` the version that its sender knew there, `unseen` those that it replaced
    without its editor having seen them, parted by commas."""

    kind: str
    uid: str
    project: str
    editor: str
    hlc: int | None
    version: str
    visibility: str
    state: str
    made_at: int
    deleted_at: int | None
    payload: Any
    words: str = "{}"
    base: str = ""
    unseen: str = ""
    author: str = ""
    slot: int = -1
    seq: int = 0


PUSHED = TeamEntry._fields.index("author")
"""The columns of a row that are said by who pushes it come before this one."""
Key = tuple[str, str]
"""What names a row: its kind and uid."""


def slot_of(uid: str) -> int:
    """Return the number of the slot that a row is in."""
    return int(md5(uid.encode(), usedforsecurity=False).hexdigest()[0], 16)


class Verdict(NamedTuple):
    """What became of a pushed row: stored, known, older, or why it was refused; and whose it is."""

    kind: str
    uid: str
    verdict: str
    author: str


@dataclass(frozen=True, slots=True)
class Greeting:
    """How the server knows a store: its member, and that member's role; the newest row of each slot; the
    store's last meeting there; the server's time, ms; and where a replica of it is."""

    member: str
    role: str
    heads: tuple[int, ...]
    meeting: str | None
    now: int
    read_dsn: str


@dataclass(frozen=True, slots=True)
class TeamMember:
    """A member of a team, and how many of their machines and rows it has. Times are ms."""

    name: str
    role: str
    projects: tuple[str, ...] | None
    joined_at: int
    revoked_at: int | None
    machines: int
    met_at: int | None


@dataclass(frozen=True, slots=True)
class Removal:
    """What an administrator took away of what another member shared: deleted, withdrawn or purged."""

    at: int
    member: str
    state: str
    kind: str
    uid: str
    author: str
    project: str


class FoundEntry(NamedTuple):
    """A memory that the server found."""

    kind: str
    uid: str
    author: str
    project: str
    made_at: int
    payload: Any
