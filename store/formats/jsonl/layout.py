"""The layout of JSON lines, table by table: what names a row there, and what stays on this machine.

Export and import both go by it. Columns are those that a table has.
"""

from __future__ import annotations

from typing import NamedTuple

from ...records import fields
from ...records.dataclasses import dataclass

FORMAT = "memtui"
VERSION = 1
SELECTION = "selection"
"""The key of the first line that is true where the file holds chosen memories only."""


class Parent(NamedTuple):
    """A column that names a row of another table: a line has its uid, under `key`."""

    column: str
    key: str
    table: str


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The layout of one table's lines.

    `order` is the primary key, in whose order rows are written. `natural` are other keys by which a
    row here may be known to be the same, each unique in its table. `stamp` are the columns that
    order two versions. `omitted` are columns that mean something on this machine only, or are
    derived from others. `needs`: exported only with private rows, or only with everything. Every
    row names its `parent`, and some name `links`. `by_numbers`: its rows name records by number,
    and so are imported only where each has kept its own.
    """

    order: tuple[str, ...]
    natural: tuple[tuple[str, ...], ...] = ()
    stamp: tuple[str, ...] = ()
    omitted: frozenset[str] = frozenset()
    needs: str = ""
    parent: Parent | None = None
    links: tuple[Parent, ...] = ()
    by_numbers: bool = False

    @property
    def references(self) -> tuple[Parent, ...]:
        """All columns that name rows of other tables."""
        return (self.parent, *self.links) if self.parent else self.links

    @property
    def has_versions(self) -> bool:
        """Whether its rows have a uid, and versions of which one is the newest."""
        return self.order == ("id",) and bool(self.stamp)


OWNER = Parent("session_id", "session", "sessions")
MADE = (
    Parent("observation_id", "observation", "observations"),
    Parent("summary_id", "summary", "summaries"),
)
CLOCK = ("hlc", "editor")
FROM = ("source", "native_id")
LEASE = frozenset(("lease_owner", "lease_until", "not_before"))

TABLES: dict[str, TableLayout] = {
    "sessions": TableLayout(("id",), (("content_session_id", "agent"), FROM), CLOCK),
    "prompts": TableLayout(("id",), (FROM,), CLOCK, parent=OWNER),
    "observations": TableLayout(("id",), (("event_id",), FROM), CLOCK, parent=OWNER),
    "summaries": TableLayout(("id",), (FROM,), CLOCK, parent=OWNER),
    "facts": TableLayout(
        ("id",), (FROM, ("project", "kind", "statement")), CLOCK, omitted=frozenset(("statement",))
    ),
    "fact_sources": TableLayout(("id",), parent=Parent("fact_id", "fact", "facts")),
    "notes": TableLayout(("id",), (("project", "path"), FROM), CLOCK),
    "pending_messages": TableLayout(
        ("id",), (("event_id",), FROM), ("updated_at",), omitted=LEASE, parent=OWNER, links=MADE
    ),
    "captured_events": TableLayout(("session_id", "kind", "key"), parent=OWNER),
    "vanished": TableLayout(("kind", "record_id")),
    "source_marks": TableLayout(("mark",)),
    "token_usage": TableLayout(("session_id", "message"), parent=OWNER),
    "subagents": TableLayout(("agent", "id")),
    "transcript_records": TableLayout(("id",)),
    "agent_days": TableLayout(("agent", "day")),
    "project_places": TableLayout(("kind", "place")),
    "project_aliases": TableLayout(("name",)),
    "saved_searches": TableLayout(("name",), stamp=("updated_at",)),
    "retention_policies": TableLayout(("project",), stamp=("updated_at",)),
    "purged": TableLayout(("uid",)),
    "renamed_records": TableLayout(("uid",)),
    "merged_records": TableLayout(("uid",)),
    "not_duplicates": TableLayout(("uid", "other_uid")),
    "reports": TableLayout(("uid", "agent"), stamp=("at",)),
    "observer_days": TableLayout(("day", "model")),
    "recent_searches": TableLayout(("text",), needs="private"),
    "context_profiles": TableLayout(("project",), by_numbers=True),
    "given_contexts": TableLayout(("id",), needs="private", by_numbers=True),
    "changes": TableLayout(("id",), needs="everything", by_numbers=True),
    "changed_rows": TableLayout(("change_id", "kind", "record_id"), needs="everything", by_numbers=True),
    "redone_changes": TableLayout(("id",), needs="everything", by_numbers=True),
}
"""The layouts, parents before their children."""

LISTS = fields.LISTS | {"places", "witnesses"}
"""Columns that are arrays of texts in a line."""

BOOLEANS = frozenset(("private", "pinned", "shared", "is_verdict", "automatic"))
"""Columns that are true or false in a line."""

RECORD_TABLES = {
    "captured_events": {
        "prompt": "prompts",
        "tool": "observations",
        "reply": "observations",
        "report": "observations",
        "compaction": "summaries",
    },
    "vanished": {
        name: name for name in ("sessions", "prompts", "observations", "summaries", "pending_messages")
    },
}
"""The table that a row's `record_id` is of, by the row's kind; a line has the record's uid."""
