"""The layout of JSON lines, table by table: what names a row there, and what stays on this machine; and
reading a line as values of its table's columns, checked and scrubbed.

Export and import both go by it. Columns are those that a table has. What a store has accepted was judged
where it entered, by what stood around it, and stays as it is: of such a line only secrets that are evident
by themselves are taken out. A line of any other file is judged as what `mem add` is given."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as BadBase64
from collections.abc import Sequence
from contextlib import suppress
from json.encoder import encode_basestring as encoded
from typing import Any, NamedTuple

from ...platform.errors import InvalidRecordError
from ...records import fields
from ...records.dataclasses import dataclass
from ...tables.base import Values, write_json, write_list
from ...text import clean
from ...text.private_tags import holds_tag
from ...text.redaction import is_plain, scrub, scrub_evident
from ..common.upsert import Column

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
    "shared_files": TableLayout(("project", "place", "machine"), stamp=("hlc",), needs="everything"),
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
    "memory_uses": TableLayout(("kind", "record_id"), needs="private"),
    "changes": TableLayout(("id",), needs="everything", by_numbers=True),
    "changed_rows": TableLayout(("change_id", "kind", "record_id"), needs="everything", by_numbers=True),
    "redone_changes": TableLayout(("id",), needs="everything", by_numbers=True),
}
"""The layouts, parents before their children."""

LISTS = fields.LISTS | {"places", "witnesses"}
"""Columns that are arrays of texts in a line."""

BOOLEANS = frozenset(("private", "pinned", "shared", "is_verdict", "automatic", "unreviewed"))
"""Columns that are true or false in a line."""

RECORD_TABLES = {
    "captured_events": {
        "prompt": "prompts",
        "tool": "observations",
        "reply": "observations",
        "report": "observations",
        "compaction": "summaries",
    },
    "memory_uses": {"o": "observations", "p": "prompts", "s": "summaries", "f": "facts", "n": "notes"},
    "vanished": {
        name: name for name in ("sessions", "prompts", "observations", "summaries", "pending_messages")
    },
}
"""The table that a row's `record_id` is of, by the row's kind; a line has the record's uid."""


VERBATIM = frozenset(("uid", "hlc", "editor", "origin", "fingerprint", "content_hash", "superseded_by"))
"""Bookkeeping, in which there is nothing to scrub."""
ID, LONGEST_ID = re.compile(r"[0-9a-f-]{1,64}"), 200
"""An id that says nothing, and the characters of the longest that a file of somebody else's may have."""
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
"""A string of a JSON document."""
AT_ONCE = 1 << 19
"""How many characters of rows are looked at together, with the row that reaches that many."""


class Columns:
    """A table's columns, and how a line becomes values of them; `is_accepted`: of a store's own lines."""

    def __init__(
        self, table: str, lines: TableLayout, columns: list[Column], *, is_accepted: bool = False
    ) -> None:
        self.table = table
        self.is_accepted = is_accepted
        self.lines = lines
        self.all = columns
        self.kept = [column for column in self.all if column.name not in lines.omitted]
        links = {parent.column for parent in lines.references}
        if table in RECORD_TABLES:
            links.add("record_id")
        self.own = [column for column in self.kept if column.name not in links]
        self.by_name = {column.name: column for column in self.own}
        self.defaults = {column.name: column.default for column in self.own}
        self.required = [it.name for it in self.own if it.default is None and not it.optional]
        self.textual = [name for name in self.by_name if name not in VERBATIM]
        self.keys = {column.name for column in self.own} | {"record"}
        self.keys |= {parent.key for parent in lines.references}

    def read(self, record: dict[str, Any], *, is_plain: bool = False) -> tuple[Values, bool]:
        """Return the values of a row without its links, and whether something was taken out of its texts;
        of one that `is_plain` nothing is. Raises InvalidRecordError."""
        for name in () if self.is_accepted else VERBATIM:
            id = record.get(name)
            if isinstance(id, str) and not ID.fullmatch(id) and (len(id) > LONGEST_ID or scrub(id) != id):
                raise InvalidRecordError("has a {name!r} that is not an id", name=name)
        for name in self.required:
            if record.get(name) is None:
                raise InvalidRecordError("has no {name!r}", name=name)
        scrubbing = not is_plain and self._is_doubtful(record)
        values: Values = self.defaults.copy()
        for name, value in record.items():
            if value is None or (column := self.by_name.get(name)) is None:
                continue
            if type(value) is str and column.kind == "TEXT" and not scrubbing:
                values[name] = value
            else:
                values[name] = self._value(column, value, scrubbing=scrubbing)
        return values, scrubbing and any(
            type(values.get(name)) is str
            and values[name]
            != (json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value)
            for name, value in record.items()
        )

    def plain(self, records: Sequence[dict[str, Any]]) -> list[bool]:
        """Return of each row that a store judged whether it holds neither a tag nor an evident secret: one
        look at many mostly shows that, and else one at each half of them."""
        texts = ["\n\n".join(self._texts(record)) for record in records]
        results: list[bool] = []
        start = size = 0
        for place, text in enumerate(texts, 1):
            size += len(text)
            if size >= AT_ONCE or place == len(texts):
                results += _plain(texts[start:place])
                start, size = place, 0
        return results

    def _texts(self, record: dict[str, Any]) -> list[str]:
        """Return the texts of a row, those within a JSON document too."""
        texts: list[str] = []
        for name in self.textual:
            value = record.get(name)
            if type(value) is str:
                texts.append(value)
                if "\\" in value and (name == "extra" or name in LISTS):
                    texts += map(_unescaped, STRING.findall(value))
            elif type(value) is list and value:
                # Its items may make a secret together.
                texts += map(str, value) if self.is_accepted else [json.dumps(value, ensure_ascii=False)]
        return texts

    def _is_doubtful(self, record: dict[str, Any]) -> bool:
        """Return whether a text may hold what may not be stored. Most rows can't: one look is enough."""
        texts = self._texts(record)
        if not self.is_accepted:
            return not is_plain(*texts)
        whole = "\n\n".join(texts)
        return clean(whole) != whole or scrub_evident(whole) != whole

    def _value(self, column: Column, value: Any, *, scrubbing: bool) -> Any:
        if isinstance(value, list) and column.name in LISTS:
            if not all(isinstance(item, str) for item in value):
                raise InvalidRecordError("has something else than texts in {name!r}", name=column.name)
            if scrubbing and not self.is_accepted:
                return write_list(value)
            text = f"[{', '.join(map(encoded, value))}]"
            return self._scrubbed(column.name, text) if scrubbing else text
        if column.kind == "BLOB":
            return _bytes(column.name, value)
        wanted = str if column.kind == "TEXT" else int if column.kind == "INTEGER" else (int, float)
        if not isinstance(value, wanted):
            raise InvalidRecordError("has a {name!r} of the wrong kind", name=column.name)
        if isinstance(value, int) and abs(value) >= 1 << 63:
            raise InvalidRecordError("has a {name!r} that is too large", name=column.name)
        if isinstance(value, str) and scrubbing:
            return self._scrubbed(column.name, value)
        return value

    def _scrubbed(self, name: str, text: str) -> str:
        if name in VERBATIM:
            return clean(text)
        is_json = name == "extra" or name in LISTS
        if self.is_accepted:
            return STRING.sub(_without_evident, text) if is_json else scrub_evident(clean(text))
        return write_json(text) if is_json else scrub(text)


def _plain(texts: Sequence[str]) -> list[bool]:
    whole = "\n\n".join(texts)
    # A rule that fails with one text is told of its row.
    with suppress(Exception):
        if clean(whole) == whole and not holds_tag(whole) and scrub_evident(whole) == whole:
            return [True] * len(texts)
    half = len(texts) // 2
    return [*_plain(texts[:half]), *_plain(texts[half:])] if half else [False]


def _unescaped(string: str) -> str:
    try:
        return str(json.loads(string, strict=False))
    except ValueError:
        # It isn't JSON, which whoever reads the row says.
        return "\0"


def _without_evident(string: re.Match[str]) -> str:
    text = json.loads(string[0], strict=False)
    kept = scrub_evident(clean(text))
    return string[0] if kept == text else json.dumps(kept, ensure_ascii=False)


def _bytes(name: str, value: Any) -> bytes:
    try:
        return b64decode(value, validate=True)
    except (BadBase64, TypeError, ValueError) as error:
        raise InvalidRecordError("has a {name!r} that is not base64", name=name) from error
