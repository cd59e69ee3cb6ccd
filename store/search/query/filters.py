"""A query's filters as SQL over documents. Only constants become SQL; values are bound."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import apsw

from ...platform.leaves import offers
from ...records.dataclasses import dataclass, replace
from ...records.kinds import ANY_UNTOLD, LETTERS, NOISE, PENDING, TOLD, WAS_BROKEN, visible
from ..index import documents
from ..index.documents import SHAPES
from .language import Filter, Query, amounts

Condition = tuple[str, list[object]]

LABELLED = "d.id IN (SELECT document_id FROM labels WHERE "
HIDDEN_LABELLED = (
    "EXISTS (SELECT 1 FROM memory_labels WHERE memory_kind = d.kind AND record_id = d.record_id AND "
)
TAGGED = "SELECT session_id FROM session_tags WHERE value COLLATE NOCASE IN ({})"
HERE = "."
"""The project of the current directory, as a value."""
IN_PROJECT_HERE = f"project:{HERE}"
"""The query for all of it."""
NONE = "@0"
"""A session that there is not."""
ME = "me"
"""Whoever uses the store, as an author."""
HIDDEN_STATES = {"private", "deleted", "noise"}
REPORTED = "(d.kind, d.record_id) IN (SELECT kind, record_id FROM reported_memories{})"
STATES = {
    "pinned": "d.pinned = 1",
    "private": "d.private = 1",
    "deleted": "d.deleted_at IS NOT NULL",
    # By its index: there are few, and a walk over all documents would look for them.
    "automatic": "d.session_id IN (SELECT id FROM sessions WHERE automatic = 1)",
    "superseded": (
        "(d.kind = 'f' AND d.record_id IN (SELECT id FROM facts WHERE superseded_by IS NOT NULL))"
    ),
    "noise": f"(d.type = '{NOISE}' AND {visible('d')})",
    "stale": "d.changed_in > 0",
    "reported": REPORTED.format(""),
    "wrong": REPORTED.format(" WHERE verdict = 'wrong'"),
    "pending": PENDING.format(kind="d.kind", number="d.record_id"),
    "broken": f"(d.kind = 'f' AND d.record_id IN (SELECT id FROM facts WHERE {WAS_BROKEN}))",
}


@dataclass(frozen=True, slots=True)
class Where:
    """The source of documents, the conditions on it (alias `d`), and their values."""

    source: str
    sql: str
    values: tuple[object, ...]
    pinned_first: bool = False
    oldest_first: bool = False
    most_told_first: bool = False
    numbers: Condition | None = None
    """Rows of project, kind, type, agent and number that add up to the same documents, as SQL to stand
    after FROM, and its values; None where the store keeps no numbers of what narrows them."""

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows the documents."""
        return self.sql == "true" and self.source == "documents"


def where(db: apsw.Connection, query: Query) -> Where:
    """Return a query's filters, flags and dates as SQL, to stand after `FROM {source} d WHERE`.

    Documents have no hidden rows; only `is:private`, `is:deleted` and `is:noise` read those. Of a query
    for what is like a memory only those pass that were looked up.
    """
    hidden = bool(query.flags & HIDDEN_STATES)
    asked = [_resolved(db, item) for item in query.filters]
    filters = asked if hidden else [_as_stored(db, entry) for entry in asked]
    conditions = [_condition(one, hidden) for one in filters]
    if query.since is not None:
        conditions.append(("d.created_at >= ?", [query.since]))
    if query.until is not None:
        conditions.append(("d.created_at < ?", [query.until]))
    conditions += [(_state((flag,), hidden), []) for flag in sorted(query.flags)]
    conditions += map(_kinds, _fields(query))
    if query.similar:
        near = query.neighbours.scored if query.neighbours else ()
        ids = json.dumps([number for number, _ in near])
        conditions.append(("d.id IN (SELECT value FROM json_each(?))", [ids]))
    leaves_out = query.for_agents and bool(db.execute(ANY_UNTOLD).get)
    if leaves_out:
        conditions.append((TOLD, []))
    return Where(
        "hidden_documents" if hidden else "documents",
        " AND ".join(sql for sql, _ in conditions) or "true",
        tuple(value for _, values in conditions for value in values),
        query.sort == "pinned",
        query.sort == "oldest",
        query.sort == "told",
        None if hidden or leaves_out else _numbers(query, filters),
    )


def _numbers(query: Query, filters: Sequence[Filter]) -> Condition | None:
    """Return what adds up to the documents that pass, where their counts tell it."""
    if query.flags or query.similar or any(_fields(query)):
        return None
    if any(item.name not in _COUNTED for item in filters):
        return None
    conditions = [_negated(entry, *_COUNTED[entry.name](entry, False)) for entry in filters]
    rows = documents.counted(query.since, query.until)
    sql = " AND ".join(sql for sql, _ in conditions) or "true"
    return f"(SELECT * FROM {rows} d WHERE {sql})", [one for _, some in conditions for one in some]


def filled(query: Query) -> str:
    """Return the condition that the fields a query looks into hold something; 'true' for all fields.

    What is looked for may stand in the other fields of very many. Of each row of a walk this is
    asked; an index gives it for none.
    """
    conditions = []
    for columns in _fields(query):
        kinds = []
        for kind, shape in SHAPES.items():
            held = " OR ".join(
                f"{column} NOT IN ('', '[]')" for column in shape.columns if column in columns
            )
            if held:
                rows = f"SELECT 1 FROM {shape.table} WHERE id = d.record_id AND ({held})"
                kinds.append(f"(d.kind = '{kind}' AND EXISTS ({rows}))")
        conditions.append(f"({' OR '.join(kinds)})")
    return " AND ".join(conditions) or "true"


def _fields(query: Query) -> Iterator[frozenset[str]]:
    """Of each clause that looks into some fields only: their columns."""
    for clause in query.clauses:
        columns = [term.columns for term in clause if term.columns]
        if len(columns) == len(clause) and not any(term.negated for term in clause):
            yield frozenset[str]().union(*columns)


def _kinds(columns: frozenset[str]) -> Condition:
    """Records of a kind that has one of the columns."""
    kinds = [kind for kind, shape in SHAPES.items() if columns.intersection(shape.columns)]
    return f"d.kind IN ({_marks(tuple(kinds))})", [*kinds]


def _condition(item: Filter, hidden: bool) -> Condition:
    if item.name == "is":
        return _negated(item, _state(item.values, hidden), [])
    if item.name in _BUILDERS:
        sql, values = _BUILDERS[item.name](item, hidden)
    else:
        inner, values = _LABELS[item.name](item)
        sql = f"{HIDDEN_LABELLED if hidden else LABELLED}{inner})"
    return _negated(item, sql, values)


def _negated(item: Filter, sql: str, values: list[object]) -> Condition:
    return (f"NOT coalesce({sql}, false)" if item.negated else sql), values


def _state(values: tuple[str, ...], hidden: bool) -> str:
    """Documents have no columns that say they are private or deleted; only they can be stale."""
    has = STATES.keys() - ({"stale"} if hidden else HIDDEN_STATES)
    return f"({' OR '.join(STATES[value] for value in values if value in has) or 'false'})"


def _marks(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))


def _column(column: str) -> Callable[[Filter, bool], Condition]:
    """A document's own property. Of documents the values are as they are stored, for an index to be
    of use; hidden ones have none."""

    def condition(item: Filter, hidden: bool) -> Condition:
        collation = " COLLATE NOCASE" if hidden else ""
        return f"d.{column}{collation} IN ({_marks(item.values)})", list(item.values)

    return condition


def _kind(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    # By time, or by the type that all of a kind have: the index by kind is in no order of a list.
    kinds = f"+d.kind IN ({_marks(item.values)})"
    letters = [LETTERS[value] for value in item.values]
    if len(letters) > 1 or letters == [LETTERS["observation"]]:
        return kinds, [*letters]
    return f"(d.type = ? AND {kinds})", [item.values[0], *letters]


def _agent(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    inner = f"SELECT id FROM sessions WHERE agent COLLATE NOCASE IN ({_marks(item.values)})"
    return f"d.session_id IN ({inner})", list(item.values)


def _branch(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    inner = f"SELECT id FROM sessions WHERE branch IN ({_marks(item.values)})"
    return f"d.session_id IN ({inner})", list(item.values)


def _session(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    named, values = _named_sessions(item)
    return f"d.session_id IN ({named})", values


def _parent(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """What the sessions hold that go on from one."""
    from ...tables.families import BELOW

    named, values = _named_sessions(item)
    return f"d.session_id IN ({BELOW.format(f'p.id IN ({named})')})", values


def _named_sessions(item: Filter) -> Condition:
    """Sessions by number (`12` or `@12`), content id, or a start of it of four characters or more."""
    each = (
        "'@' || id = ? OR CAST(id AS TEXT) = ? OR content_session_id = ? COLLATE NOCASE "
        "OR memory_session_id = ? COLLATE NOCASE "
        "OR (length(?) >= 4 AND substr(content_session_id, 1, length(?)) = ? COLLATE NOCASE)"
    )
    inner = " OR ".join([each] * len(item.values))
    values: list[object] = [value for value in item.values for _ in range(7)]
    return f"SELECT id FROM sessions WHERE {inner}", values


def _subagent(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """What a sub-agent did, and the call that started it, by its id or a start of it."""
    did = " OR ".join(["subagent BETWEEN ? AND ? || char(0x10ffff)"] * len(item.values))
    started = " OR ".join(["key BETWEEN ? AND ? || char(0x10ffff)"] * len(item.values))
    sql = (
        f"(d.kind = 'o' AND d.record_id IN (SELECT id FROM observations WHERE {did} UNION ALL "
        f"SELECT record_id FROM captured_events WHERE kind = 'report' AND ({started})))"
    )
    values: list[object] = [value for value in item.values for _ in range(2)]
    return sql, values * 2


def _tool(item: Filter, hidden: bool) -> Condition:
    collation = " COLLATE NOCASE" if hidden else ""
    inner = f"SELECT id FROM observations WHERE tool_name{collation} IN ({_marks(item.values)})"
    return f"(d.kind = 'o' AND d.record_id IN ({inner}))", list(item.values)


def _source(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """Where it was imported from: a source's name, or what it begins with."""
    named = " OR ".join(["source BETWEEN ? AND ? || char(0x10ffff)"] * len(item.values))
    kinds = (
        f"(d.kind = '{kind}' AND d.record_id IN (SELECT id FROM {shape.table} WHERE {named}))"
        for kind, shape in SHAPES.items()
    )
    values: list[object] = [value for value in item.values for _ in range(2)]
    return f"({' OR '.join(kinds)})", values * len(SHAPES)


def _machine(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """Where it was made, by the ids of machines."""
    from ...tables import machines

    made_there = f"origin IN ({_marks(item.values)})"
    inner = f"d.record_id IN (SELECT id FROM {{}} WHERE {made_there})"
    if machines.HERE in item.values:
        # Nearly all may be: they are looked at one by one, those of another machine by an index.
        made_here = f"origin = ({machines.THIS_MACHINE})"
        inner = f"EXISTS (SELECT 1 FROM {{}} WHERE id = d.record_id AND (+{made_there} OR +{made_here}))"
    kinds = (f"(d.kind = '{kind}' AND {inner.format(shape.table)})" for kind, shape in SHAPES.items())
    return f"({' OR '.join(kinds)})", [*item.values] * len(SHAPES)


SHARED = " UNION ALL ".join(
    f"SELECT '{kind}' AS kind, m.id AS record_id, k.author FROM team_rows k JOIN {shape.table} m "
    f"ON m.uid = k.uid WHERE k.kind = '{shape.table}' AND k.state = 'here'"
    for kind, shape in SHAPES.items()
)
"""The memories that the team has, and who shared each."""


def _author(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """Who shared it with the team, by name; `me` is what no teammate did."""
    shared = f"(d.kind, d.record_id) IN (SELECT kind, record_id FROM ({SHARED}) WHERE author IN ({{}}))"
    sql = shared.format(_marks(item.values))
    if ME in item.values:
        theirs = "SELECT 1 FROM team_memories w WHERE w.kind = d.kind AND w.record_id = d.record_id"
        sql = f"({sql} OR NOT EXISTS ({theirs}))"
    return sql, list(item.values)


def _team(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """What the team of this name has."""
    named = f"(SELECT name FROM team WHERE id = 1) COLLATE NOCASE IN ({_marks(item.values)})"
    sql = f"({named} AND (d.kind, d.record_id) IN (SELECT kind, record_id FROM ({SHARED})))"
    return sql, list(item.values)


USED = "(d.kind, d.record_id) IN (SELECT kind, record_id FROM memory_uses WHERE {})"
"""The memories with such counts; of what was never told there may be no row."""


def _told(item: Filter, hidden: bool) -> Condition:  # noqa: ARG001
    """How often agents were told it."""
    conditions: list[str] = []
    values: list[object] = []
    for value in item.values:
        counts = amounts(value)
        within = "told BETWEEN ? AND ?"
        conditions.append(f"NOT {USED.format(f'NOT {within}')}" if 0 in counts else USED.format(within))
        values += counts[0], counts[-1]
    return f"({' OR '.join(conditions)})", values


def _label(item: Filter) -> Condition:
    """A concept, tag or entity, whatever its case (of ASCII letters)."""
    sql = f"kind = ? AND value COLLATE NOCASE IN ({_marks(item.values)})"
    return sql, [item.name, *item.values]


def _tag(item: Filter, hidden: bool) -> Condition:
    """A tag of a memory, or of its session."""
    own, values = _label(item)
    tagged = TAGGED.format(_marks(item.values))
    sql = (
        f"({HIDDEN_LABELLED}{own}) OR d.session_id IN ({tagged}))"
        if hidden
        else f"{LABELLED}{own} UNION ALL SELECT id FROM documents WHERE session_id IN ({tagged}))"
    )
    return sql, [*values, *item.values]


def _file(item: Filter) -> Condition:
    """A part of a path."""
    part = " OR ".join(["value LIKE ? ESCAPE '\\'"] * len(item.values))
    return f"kind = 'file' AND ({part})", [f"%{_escape(value)}%" for value in item.values]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


_LABELS = {"concept": _label, "tag": _label, "entity": _label, "file": _file}

STORED = (
    {
        "type": "SELECT min(type) FROM documents WHERE type {0}",
        "project": "SELECT min(project) FROM documents WHERE project {0}",
        "tool": "SELECT min(tool_name) FROM observations WHERE tool_name {0}",
        "subagent": "SELECT min(subagent) FROM observations WHERE subagent {0}",
        "branch": "SELECT min(branch) FROM sessions WHERE branch {0}",
    }
    | {
        name: f"SELECT min(value) FROM label_names WHERE kind = '{name}' AND value {{0}}"
        for name in _LABELS
    }
    | {
        "tag": "SELECT min(first) FROM (SELECT min(value) AS first FROM label_names "
        "WHERE kind = 'tag' AND value {0} UNION ALL "
        "SELECT min(value) FROM session_tags WHERE is_shown AND value {0})",
        "source": "SELECT min(first) FROM ("
        + " UNION ALL ".join(
            f"SELECT min(source) AS first FROM {shape.table} WHERE source {{0}}"
            for shape in SHAPES.values()
        )
        + ")",
    }
)
"""By the name of a filter whose values an index holds: the first stored value that is `{0}`."""


def spellings(db: apsw.Connection, name: str, value: str, *, begun: bool = False) -> Iterator[str]:
    """Yield the stored values of a filter that differ from a value in their letter case only; with
    `begun` the beginnings of stored values that do.

    Each spelling lies elsewhere in the index. One seek tells the next stored value, and that the next
    spelling that may be stored: a few seeks, however many values there are.
    """
    choices = [sorted(_cases(char)) for char in value]
    wanted: str | None = "".join(choice[0] for choice in choices)
    while wanted is not None:
        result: str | None = db.execute(STORED[name].format(">= ?1"), (wanted,)).get
        if result is None:
            return
        beginning = result[: len(value)] if begun else result
        if beginning == wanted:
            yield beginning
        wanted = _next_spelling(choices, beginning, itself=beginning != wanted)


def _cases(char: str) -> set[str]:
    return {text for text in (char, char.lower(), char.upper()) if len(text) == 1}


def _next_spelling(choices: list[list[str]], bound: str, *, itself: bool) -> str | None:
    """The least spelling from a bound on, or after it; None where all are less."""
    same = 0
    while same < min(len(choices), len(bound)) and bound[same] in choices[same]:
        same += 1
    if same == len(choices) and itself and len(bound) == same:
        return bound
    if same == len(bound) < len(choices):
        return bound + "".join(choice[0] for choice in choices[same:])
    # The last place at which it can become greater.
    for place in range(min(same, len(choices) - 1), -1, -1):
        greater = [text for text in choices[place] if text > bound[place]]
        if greater:
            rest = "".join(choice[0] for choice in choices[place + 1 :])
            return bound[:place] + greater[0] + rest
    return None


def resolved_value(db: apsw.Connection, name: str, value: str) -> str:
    """Return a filter's value, but of `project:.` the project of the current directory."""
    if (name, value) != ("project", HERE):
        return value
    from ...tables.projects import project_here

    return project_here(db)


def _resolved(db: apsw.Connection, item: Filter) -> Filter:
    if item.name == "machine":
        from ...tables import machines

        known = machines.machines_of_memories(db)
        ids = [one for value in item.values for one in machines.named(known, value) or [value]]
        # This machine's id is looked up by the statement.
        ids = [machines.HERE if known.get(one) == machines.HERE else one for one in ids]
        return replace(item, values=tuple(dict.fromkeys(ids)))
    if item.name == "commit":
        numbers = (number for value in item.values for of in offers("commit") for number in of(db, value))
        return replace(item, name="session", values=tuple(f"@{number}" for number in numbers) or (NONE,))
    if item.name != "project" or HERE not in item.values:
        return item
    return replace(item, values=tuple(resolved_value(db, item.name, value) for value in item.values))


def _as_stored(db: apsw.Connection, item: Filter) -> Filter:
    """A filter with its values in all letter cases in which they are stored."""
    if item.name not in STORED or item.name == "file":
        return item
    stored = (spelling for value in item.values for spelling in stored_as(db, item.name, value))
    return replace(item, values=tuple(dict.fromkeys(stored)) or item.values)


def stored_as(db: apsw.Connection, name: str, value: str) -> list[str]:
    """Return a filter's value in all letter cases in which it is stored; where it is in none, so in
    simplified or traditional Chinese."""
    begun = name in ("source", "subagent")
    results = [*spellings(db, name, value, begun=begun)]
    if results or value.isascii():
        return results
    # Only for a query in Chinese: it reads a table.
    from ...text.language.han_forms import other_forms

    return [one for form in other_forms(value) for one in spellings(db, name, form, begun=begun)]


_BUILDERS: dict[str, Callable[[Filter, bool], Condition]] = {
    "type": _column("type"),
    "project": _column("project"),
    "kind": _kind,
    "agent": _agent,
    "branch": _branch,
    "session": _session,
    "parent": _parent,
    "subagent": _subagent,
    "tag": _tag,
    "tool": _tool,
    "source": _source,
    "machine": _machine,
    "author": _author,
    "team": _team,
    "told": _told,
}

_COUNTED: dict[str, Callable[[Filter, bool], Condition]] = {
    "type": _column("type"),
    "project": _column("project"),
    "kind": _kind,
    # As `_agent` has it, by the counts' own column.
    "agent": lambda one, _hidden: (
        f"d.agent COLLATE NOCASE IN ({_marks(one.values)})",
        list(one.values),
    ),
}
"""The filters of what the counts of documents know."""
