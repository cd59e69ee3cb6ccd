"""How each table reads as JSON lines: what names a row there, and what stays on this machine.

The exporter and the importer of `jsonl` both go by it. Columns are those that a table has.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

FORMAT = "memtui"
VERSION = 1


class Parent(NamedTuple):
    """A column that names a row of another table: a line has its uid, under `key`."""

    column: str
    key: str
    table: str


@dataclass(frozen=True, slots=True)
class Lines:
    """One table's lines.

    `order` is the primary key, in the order of which rows are written. `natural` are other keys
    by which a row here may be known to be the same, each unique in its table. `stamp` are the
    columns that tell the newer of two versions. `unkept` are columns that mean something on this
    machine only, or are made of others. `needs`: goes out with private rows, or with everything.
    Every row names its `parent`, and some name `links`. `by_numbers`: its rows speak of records by
    their numbers, and so come along only where each has kept its own.
    """

    order: tuple[str, ...]
    natural: tuple[tuple[str, ...], ...] = ()
    stamp: tuple[str, ...] = ()
    unkept: frozenset[str] = frozenset()
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
        """Whether its rows have an identity, and versions of which one is the newest."""
        return self.order == ("id",) and bool(self.stamp)


OWNER = Parent("session_id", "session", "sessions")
MADE = (
    Parent("observation_id", "observation", "observations"),
    Parent("summary_id", "summary", "summaries"),
)
CLOCK = ("hlc", "editor")
FROM = ("source", "native_id")
LEASE = frozenset(("lease_owner", "lease_until", "not_before"))

TABLES: dict[str, Lines] = {
    "sessions": Lines(("id",), (("content_session_id", "agent"), FROM), CLOCK),
    "prompts": Lines(("id",), (FROM,), CLOCK, parent=OWNER),
    "observations": Lines(("id",), (("event_id",), FROM), CLOCK, parent=OWNER),
    "summaries": Lines(("id",), (FROM,), CLOCK, parent=OWNER),
    "facts": Lines(
        ("id",), (FROM, ("project", "kind", "statement")), CLOCK, unkept=frozenset(("statement",))
    ),
    "fact_sources": Lines(("id",), parent=Parent("fact_id", "fact", "facts")),
    "notes": Lines(("id",), (("project", "path"), FROM), CLOCK),
    "pending_messages": Lines(
        ("id",), (("event_id",), FROM), ("updated_at",), unkept=LEASE, parent=OWNER, links=MADE
    ),
    "captured_events": Lines(("session_id", "kind", "key"), parent=OWNER),
    "vanished": Lines(("kind", "record_id")),
    "source_marks": Lines(("mark",)),
    "token_usage": Lines(("session_id", "message"), parent=OWNER),
    "subagents": Lines(("agent", "id")),
    "transcript_records": Lines(("id",)),
    "agent_days": Lines(("agent", "day")),
    "project_places": Lines(("kind", "place")),
    "project_aliases": Lines(("name",)),
    "saved_searches": Lines(("name",), stamp=("updated_at",)),
    "retention_policies": Lines(("project",), stamp=("updated_at",)),
    "purged": Lines(("uid",)),
    "observer_days": Lines(("day", "model")),
    "recent_searches": Lines(("text",), needs="private"),
    "context_profiles": Lines(("project",), by_numbers=True),
    "given_contexts": Lines(("id",), needs="private", by_numbers=True),
    "changes": Lines(("id",), needs="everything", by_numbers=True),
}
"""Parents stand before their children."""

STAYING = {
    "meta": "which machine and which tokenizer this is",
    "schema_versions": "when this file was upgraded",
    "spool_segments": "how far this machine's spool is read",
    "directories": "which directories this machine keeps in step",
    "synced_files": "how far this machine's directories are read",
    "synced_records": "what this machine's directories were told",
    "transcripts": "how far this machine's transcripts are read; read again, they tell nothing new",
    "quarantine": "what this machine's hooks told and could not be stored; `mem queue` shows it",
    "hook_runs": "how long this machine's hooks took",
    "documents": "derived", "unindexed": "derived", "label_names": "derived",
    "label_uses": "derived", "spellings": "derived", "words": "derived", "grams": "derived",
}  # fmt: skip
"""The tables that no line holds, and why."""

LISTS = frozenset(
    ("facts", "concepts", "files_read", "files_modified", "files_edited", "tags", "entities",
     "evidence", "sources", "places", "witnesses")
)  # fmt: skip
"""Columns that are arrays of texts in a line."""

TRUTHS = frozenset(("private", "pinned", "shared", "is_verdict"))
"""Columns that are true or false in a line."""

RECORD_OF = {
    "captured_events": {"prompt": "prompts", "tool": "observations", "compaction": "summaries"},
    "vanished": {
        name: name
        for name in ("sessions", "prompts", "observations", "summaries", "pending_messages")
    },
}
"""Which table the `record_id` of a row is of, by its kind: a line has the record's uid."""
