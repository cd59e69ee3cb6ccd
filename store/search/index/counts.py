"""How many documents there are: by what they say of themselves and by time, without counting them.

The store keeps the numbers: `document_counts` by project, kind, type and agent,
`span_counts` by these in spans of 2^26 ms, `value_counts` by each alone in the same spans, `time_counts` of
all together in spans of 2^22 ms, and in these `token_counts`, the tokens that it took to discover visible
observations. What a range of time cuts of a span at its ends is counted by an index.
"""

from __future__ import annotations

import apsw

from ...kinds import NOISE, VISIBLE

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


def _rows(since: int | None, until: int | None) -> str:
    bounds = _between("created_at", since, until)
    return f"SELECT {COLUMNS}, number FROM counted_documents WHERE {bounds}"


def _between(column: str, since: int | None, until: int | None) -> str:
    bounds = ((">=", since), ("<", until))
    return " AND ".join(f"{column} {sign} {at}" for sign, at in bounds if at is not None) or "true"


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
