"""What of each record is searched, in which part of the index it lies, and how many documents there are,
by what they say of themselves and by time, without counting them.

The store keeps the numbers: `document_counts` by project, kind, type and agent,
`span_counts` by these in spans of 2^26 ms, `value_counts` by each alone in the same spans, `time_counts`
of all together in spans of 2^22 ms, and in these `token_counts`, the tokens that it took to discover
visible observations. What a range of time cuts of a span at its ends is counted by an index.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import apsw

from ...records import fields
from ...records.conforming import as_text
from ...records.dataclasses import dataclass
from ...records.kinds import KINDS, NOISE, TABLES, VISIBLE
from ...tables.lists import read_list
from ...text.language.scripts import SETTLED_HAN
from ...text.late_pattern import late_pattern

SEPARATOR = "\x1f"
"""Parts fields and list items in a joined text; no term can hold it, so none matches across."""

INDEXED_CHARACTERS = 65_536
"""Of one field, only so much is searched: a text of megabytes would hold the write lock for seconds."""

LONGEST_PATTERN = 1_000
"""Characters of a text that LIKE looks for; it takes 50,000 bytes at most."""

_SETTLED = late_pattern(f"[a-z0-9{SETTLED_HAN}]+")


def is_same_when_folded(text: str) -> bool:
    """Whether a folded text holds this one if the text it was made of does, but for ASCII's case."""
    # Most are ASCII, and the pattern takes a millisecond to compile.
    if text.isascii():
        return text.isalnum() and text == text.lower()
    return _SETTLED.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind's searchable columns: its title, its texts, its raw text, its lists.

    A prompt or fact is all title to a reader, but ranks as body: `titled` is false for it. Raw text
    (code, a tool's output) holds many words that it isn't about, so it ranks with the lists.
    """

    table: str
    title: str
    body: tuple[str, ...]
    lists: tuple[str, ...]
    raw: tuple[str, ...] = ()
    titled: bool = True

    @property
    def columns(self) -> tuple[str, ...]:
        """All of them, in the order in which they are joined."""
        return (self.title, *self.body, *self.raw, *self.lists)


def _shape(kind: str) -> Shape:
    parts = {
        part: tuple(field.name for field in fields.FIELDS[kind] if field.part == part)
        for part in ("title", "body", "list", "raw")
    }
    (title,) = parts["title"]
    is_titled = kind in ("observation", "summary")
    return Shape(TABLES[kind], title, parts["body"], parts["list"], parts["raw"], is_titled)


SHAPES = {letter: _shape(kind) for letter, kind in KINDS.items()}

FIELDS: dict[str, frozenset[str]] = {
    **{name: frozenset({name}) for shape in SHAPES.values() for name in shape.columns},
    "files": frozenset(
        field.name for listed in fields.FIELDS.values() for field in listed if field.label == "file"
    ),
    "prompt": frozenset({"text"}),
}
"""What may stand before the colon in `title:word`, and the columns it means."""


class Document(NamedTuple):
    """A document's id, kind and searchable texts by column; a list's items are joined."""

    id: int
    kind: str
    texts: tuple[str, ...]

    def parts(self) -> tuple[str, str, str]:
        """Title, body and lists: the columns of the words index."""
        shape, texts = SHAPES[self.kind], self.texts
        cut = 1 + len(shape.body)
        head = 1 if shape.titled else 0
        return (
            SEPARATOR.join(texts[:head]),
            SEPARATOR.join(texts[head:cut]),
            SEPARATOR.join(texts[cut:]),
        )

    def joined(self, columns: frozenset[str] | None = None) -> str:
        """All texts, or those of some columns, as one that no term matches across."""
        if columns is None:
            return SEPARATOR.join(self.texts)
        named = zip(SHAPES[self.kind].columns, self.texts, strict=True)
        return SEPARATOR.join(text for name, text in named if name in columns)


def fetch(
    db: apsw.Connection, ids: Iterable[int], without: Sequence[str] = (), within: Sequence[str] = ()
) -> Iterator[Document]:
    """The documents with these ids, hidden ones (negative ids) too, in no particular order.

    Most of those that hold one of the texts `without` are left out: SQLite sees them in the title or
    the body in a tenth of the time it takes to read and fold them. So are most of those that don't hold
    all texts `within`. Each of these texts `is_same_when_folded`.
    """
    for kind, numbers in _places(db, ids).items():
        sql = _TEXTS[kind] + "".join(_lacks(SHAPES[kind], place) for place in range(len(without)))
        sql += _may_hold(SHAPES[kind], len(without), len(within)) if within else ""
        values = (
            json.dumps(list(numbers)),
            *without,
            *(f"%{text[:LONGEST_PATTERN]}%" for text in within),
        )
        for record, *texts in db.execute(sql, values):
            yield Document(numbers[record], kind, _texts(SHAPES[kind], texts))


def holding(db: apsw.Connection, ids: Iterable[int], texts: Sequence[str]) -> set[int]:
    """Return those of the documents with these ids that surely hold all texts.

    SQLite sees each in the title, the body or the raw text in a tenth of the time it takes to read and
    fold them. Each of these texts `is_same_when_folded`, and is no longer than LONGEST_PATTERN.
    """
    patterns = [f"%{text}%" for text in texts]
    results: set[int] = set()
    for kind, numbers in _places(db, ids).items():
        shape = SHAPES[kind]
        sql = f"SELECT r.id FROM json_each(?) j CROSS JOIN {shape.table} r ON r.id = j.value WHERE "
        sql += " AND ".join(_holds(shape, place) for place in range(len(texts)))
        results.update(
            numbers[record] for (record,) in db.execute(sql, (json.dumps([*numbers]), *patterns))
        )
    return results


def made_of(number: int, kind: str, values: Mapping[str, Any]) -> Document:
    """The document that a row with these values, by column, will be; a column without is empty."""
    shape = SHAPES[kind]
    return Document(number, kind, _texts(shape, [values.get(column) for column in shape.columns]))


_TEXTS = {
    kind: f"SELECT r.id, {', '.join(f'r.{column}' for column in shape.columns)} "
    f"FROM json_each(?) j CROSS JOIN {shape.table} r ON r.id = j.value"
    for kind, shape in SHAPES.items()
}


BITS = 26
"""A span of `span_counts` has 2^26 ms, 19 hours."""
TIME_BITS = 22
"""A span of `time_counts` has 2^22 ms, 70 minutes."""

COLUMNS = "project, kind, type, agent"
"""What is known of the documents that are counted."""

DIVIDED = "(VALUES ('type'), ('project'), ('agent'))"
NAME_AND_VALUE = "column1, CASE column1 WHEN 'type' THEN type WHEN 'project' THEN project ELSE agent END"
"""To be joined with `span_counts`, and what is selected then: what `value_counts` divides these by."""

_JOINED = "FROM documents d LEFT JOIN sessions s ON s.id = d.session_id"
_OF_DOCUMENTS = f"{_JOINED} WHERE d.id {{chosen}}"
_DIVIDED = f"{_JOINED} CROSS JOIN {DIVIDED} WHERE d.id {{chosen}}"
_MORE = "ON CONFLICT DO UPDATE SET number = number + excluded.number"
_COUNT = (
    "INSERT INTO document_counts "
    f"SELECT d.project, d.kind, d.type, coalesce(s.agent, ''), sum({{number}}) {_OF_DOCUMENTS} "
    f"GROUP BY 1, 2, 3, 4 {_MORE}",
    f"INSERT INTO span_counts SELECT d.created_at >> {BITS}, d.project, d.kind, d.type, "
    f"coalesce(s.agent, ''), sum({{number}}) {_OF_DOCUMENTS} GROUP BY 1, 2, 3, 4, 5 {_MORE}",
    f"INSERT INTO value_counts SELECT d.created_at >> {BITS}, column1, CASE column1 "
    "WHEN 'type' THEN d.type WHEN 'project' THEN d.project ELSE coalesce(s.agent, '') END, "
    f"sum({{number}}) {_DIVIDED} GROUP BY 1, 2, 3 {_MORE}",
    f"INSERT INTO time_counts SELECT created_at >> {TIME_BITS}, sum({{number}}) "
    f"FROM documents WHERE id {{chosen}} GROUP BY 1 {_MORE}",
)
_FACTS = (
    "INSERT INTO fact_counts SELECT project, kind, count(*) FROM facts "
    f"WHERE {VISIBLE} AND id {{chosen}} GROUP BY 1, 2 {_MORE}"
)
_TOKENS = (
    f"INSERT INTO token_counts SELECT created_at >> {TIME_BITS}, total(discovery_tokens) FROM observations "
    f"WHERE {VISIBLE} AND type <> '{NOISE}' AND discovery_tokens <> 0 AND id {{chosen}} GROUP BY 1 "
    "ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens"
)
_TABLES = ("document_counts", "span_counts", "value_counts", "time_counts")
_CHOSEN = "IN (SELECT value FROM json_each(?))"
_GONE = "IN (SELECT id FROM gone_documents)"

ANEW = "; ".join(
    (
        *(f"DELETE FROM {table}" for table in (*_TABLES, "token_counts", "fact_counts", "message_counts")),
        *(one.format(number=1, chosen="IS NOT NULL") for one in _COUNT),
        _FACTS.format(chosen="IS NOT NULL"),
        _TOKENS.format(chosen="IS NOT NULL"),
        "INSERT INTO message_counts SELECT status, count(*) FROM pending_messages GROUP BY status",
    )
)
"""Counts everything anew; with triggers set aside, like the others."""

ADD_FACTS = _FACTS.format(chosen=_CHOSEN)
"""Counts new facts, by their ids as JSON."""

ADD_TOKENS = _TOKENS.format(chosen=_CHOSEN)
"""Counts what it took to discover new observations, by their ids as JSON."""

ADD = tuple(one.format(number=1, chosen=_CHOSEN) for one in _COUNT)
"""Count new documents, by their ids as JSON."""

TAKE_AWAY = "; ".join(
    (
        *(one.format(number=-1, chosen=_GONE) for one in _COUNT),
        *(f"DELETE FROM {table} WHERE number = 0" for table in _TABLES),
    )
)
"""Counts the documents of the table `gone_documents` no more, while they are still there."""

PAIRS = (
    (
        f"SELECT span, {COLUMNS}, number FROM span_counts",
        f"SELECT created_at >> {BITS}, {COLUMNS}, sum(number) FROM counted_documents "
        "GROUP BY 1, 2, 3, 4, 5",
        "1, 2, 3, 4, 5, 6",
    ),
    (
        f"SELECT {COLUMNS}, number FROM document_counts",
        f"SELECT {COLUMNS}, sum(number) FROM span_counts GROUP BY 1, 2, 3, 4",
        "1, 2, 3, 4, 5",
    ),
    (
        "SELECT span, name, value, number FROM value_counts",
        f"SELECT span, {NAME_AND_VALUE}, sum(number) FROM span_counts CROSS JOIN {DIVIDED} "
        "GROUP BY 1, 2, 3",
        "1, 2, 3, 4",
    ),
    (
        "SELECT span, tokens FROM token_counts WHERE tokens <> 0",
        f"SELECT created_at >> {TIME_BITS}, total(discovery_tokens) FROM observations "
        f"WHERE {VISIBLE} AND type <> '{NOISE}' AND discovery_tokens <> 0 GROUP BY 1 "
        "HAVING total(discovery_tokens) <> 0",
        "1, 2",
    ),
    (
        "SELECT span, number FROM time_counts",
        f"SELECT created_at >> {TIME_BITS}, count(*) FROM documents GROUP BY 1",
        "1, 2",
    ),
    (
        "SELECT project, kind, number FROM fact_counts",
        f"SELECT project, kind, count(*) FROM facts WHERE {VISIBLE} GROUP BY 1, 2",
        "1, 2, 3",
    ),
    (
        "SELECT status, number FROM message_counts WHERE number <> 0",
        "SELECT status, count(*) FROM pending_messages GROUP BY status",
        "1, 2",
    ),
    (
        "SELECT id, uses FROM label_names WHERE uses <> 0",
        "SELECT label_id, count(*) FROM label_uses GROUP BY label_id",
        "1, 2",
    ),
)
"""What is kept, what the rows say, and their columns."""

FEW = 1_000
"""So few documents are skipped by an index as fast as by their counts."""

_NUMBER = "SELECT count(*) FROM documents WHERE created_at >= ? AND created_at < ?"
_NUMBER_BY_SPANS = (
    "SELECT (SELECT coalesce(sum(number), 0) FROM time_counts WHERE span >= ? AND span < ?)"
    f" + ({_NUMBER}) + ({_NUMBER})"
)


def counted(since: int | None = None, until: int | None = None) -> str:
    """Return as SQL, to stand after FROM, rows of project, kind, type, agent and a number, which add up to
    the documents from `since` to before `until` (ms), without a bound where these are None."""
    if since is None and until is None:
        return "document_counts"
    first = None if since is None else -(-since >> BITS)
    last = None if until is None else until >> BITS
    if first is not None and last is not None and first >= last:
        return f"({_rows(since, until)})"
    parts = [f"SELECT {COLUMNS}, number FROM span_counts WHERE {_between('span', first, last)}"]
    if first is not None:
        parts.append(_rows(since, first << BITS))
    if last is not None:
        parts.append(_rows(last << BITS, until))
    return f"({' UNION ALL '.join(parts)})"


def number_between(db: apsw.Connection, since: int, until: int) -> int:
    """Return how many documents there are from `since` to before `until` (ms)."""
    first, last = -(-since >> TIME_BITS), until >> TIME_BITS
    if first >= last:
        return int(db.execute(_NUMBER, (since, until)).get)
    values = (first, last, since, first << TIME_BITS, last << TIME_BITS, until)
    return int(db.execute(_NUMBER_BY_SPANS, values).get)


def number_after(db: apsw.Connection, at: int, number: int) -> int:
    """Return how many documents come after a time (ms) and a document's id in the order of both."""
    span = (at >> TIME_BITS) + 1
    later = "SELECT coalesce(sum(number), 0) FROM time_counts WHERE span >= ?"
    same = "SELECT count(*) FROM documents WHERE (created_at, id) > (?, ?) AND created_at < ?"
    values = (at, number, span << TIME_BITS)
    return int(db.execute(later, (span,)).get) + int(db.execute(same, values).get)


def skipped(db: apsw.Connection, number: int) -> tuple[int | None, int]:
    """Return up to where the newest documents can be skipped, to leave out so many of them: a time (ms)
    from which on all are skipped, None for none, and how many are left to be skipped before it."""
    at = None
    if number >= FEW:
        for span, many in db.execute("SELECT span, number FROM time_counts ORDER BY span DESC"):
            if many > number:
                break
            at, number = span << TIME_BITS, number - many
    return at, number


def differences(db: apsw.Connection) -> int:
    """Return how many numbers are kept that aren't those of the rows, or not kept."""
    # What stands on both sides comes twice.
    both = "SELECT * FROM ({}) UNION ALL SELECT * FROM ({})"
    once = f"SELECT * FROM ({both}) GROUP BY {{}} HAVING count(*) = 1"
    sql = f"SELECT count(*) FROM ({once})"
    return sum(int(db.execute(sql.format(*pair)).get) for pair in PAIRS)


def _places(db: apsw.Connection, ids: Iterable[int]) -> dict[str, dict[int, int]]:
    """Return the documents with these ids by kind, each by the id of its record."""
    by_kind: dict[str, dict[int, int]] = {}
    wanted = list(ids)
    for number, kind, record in db.execute(_PLACES, (json.dumps([n for n in wanted if n > 0]),)):
        by_kind.setdefault(kind, {})[record] = number
    for number in wanted:
        if number < 0:
            by_kind.setdefault(_KINDS[-number % 4], {})[-number // 4] = number
    return by_kind


TEXTS = {str, type(None)}
"""The classes of what a text's column may hold."""


def _texts(shape: Shape, values: list[str | None]) -> tuple[str, ...]:
    cut = 1 + len(shape.body) + len(shape.raw)
    if not set(map(type, values)) <= TEXTS:
        values = [as_text(value) for value in values]
    texts = [value or "" for value in values[:cut]]
    texts += [_items(value) if value and value != "[]" else "" for value in values[cut:]]
    if sum(map(len, texts)) > INDEXED_CHARACTERS:
        texts = [text[:INDEXED_CHARACTERS] for text in texts]
    return tuple(texts)


def _items(text: str) -> str:
    """A list column's items, joined; most are what json.dumps writes of plain strings."""
    joined = text[2:-2].replace('", "', SEPARATOR)
    if '"' in joined or "\\" in text or text[:2] + text[-2:] != '[""]':
        return SEPARATOR.join(read_list(text))
    return joined


def _lacks(shape: Shape, place: int) -> str:
    """A condition: that neither title nor body, as far as they are searched, holds a text."""
    columns = (f"substr(r.{name}, 1, {INDEXED_CHARACTERS})" for name in (shape.title, *shape.body))
    return "".join(f" AND ifnull(instr(lower({text}), ?{place + 2}), 0) = 0" for text in columns)


def _holds(shape: Shape, place: int) -> str:
    """A condition: that a column of text, as far as it is searched, holds a text."""
    columns = (
        f"substr(r.{name}, 1, {INDEXED_CHARACTERS})" for name in (shape.title, *shape.body, *shape.raw)
    )
    return f"({' OR '.join(f'{text} LIKE ?{place + 2}' for text in columns)})"


def _may_hold(shape: Shape, place: int, number: int) -> str:
    """A condition: that the columns hold so many texts, or what may only hold them when folded or read as
    JSON."""
    text = f"concat({', '.join(f'r.{column}' for column in shape.columns)})"
    # LIKE, since it takes half the time of what else tells.
    all_of_them = " AND ".join(f"{text} LIKE ?{place + each + 2}" for each in range(number))
    return f" AND ({all_of_them} OR length({text}) <> octet_length({text}) OR {text} LIKE '%\\%')"


_KINDS = tuple(SHAPES)
_PLACES = "SELECT d.id, d.kind, d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value"


def _rows(since: int | None, until: int | None) -> str:
    bounds = _between("created_at", since, until)
    return f"SELECT {COLUMNS}, number FROM counted_documents WHERE {bounds}"


def _between(column: str, since: int | None, until: int | None) -> str:
    bounds = ((">=", since), ("<", until))
    return " AND ".join(f"{column} {sign} {at}" for sign, at in bounds if at is not None) or "true"
