"""A query's filters as SQL over documents. Only constants become SQL; values are bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..kinds import LETTERS, NOISE, visible
from ..records.dataclasses import dataclass
from .documents import SHAPES
from .query import Filter, Query

Condition = tuple[str, list[object]]

LABELLED = "d.id IN (SELECT document_id FROM labels WHERE "
HIDDEN_LABELLED = (
    "EXISTS (SELECT 1 FROM memory_labels "
    "WHERE memory_kind = d.kind AND record_id = d.record_id AND "
)
HIDDEN_STATES = {"private", "deleted", "noise"}
STATES = {
    "pinned": "d.pinned = 1",
    "private": "d.private = 1",
    "deleted": "d.deleted_at IS NOT NULL",
    "noise": f"(d.type = '{NOISE}' AND {visible('d')})",
}


@dataclass(frozen=True, slots=True)
class Where:
    """The source of documents, the conditions on it (alias `d`), and their values."""

    source: str
    sql: str
    values: tuple[object, ...]
    pinned_first: bool = False

    @property
    def is_everything(self) -> bool:
        """Whether nothing narrows the documents."""
        return self.sql == "true" and self.source == "documents"


def where(query: Query) -> Where:
    """Return a query's filters, flags and dates as SQL, to stand after `FROM {source} d WHERE`.

    Documents have no hidden rows; only `is:private`, `is:deleted` and `is:noise` read those.
    """
    hidden = bool(query.flags & HIDDEN_STATES)
    conditions = [_condition(one, hidden) for one in query.filters]
    if query.since is not None:
        conditions.append(("d.created_at >= ?", [query.since]))
    if query.until is not None:
        conditions.append(("d.created_at < ?", [query.until]))
    conditions += [(STATES[flag], []) for flag in sorted(query.flags)]
    conditions += map(_kinds, _fields(query))
    return Where(
        "hidden_documents" if hidden else "documents",
        " AND ".join(sql for sql, _ in conditions) or "true",
        tuple(value for _, values in conditions for value in values),
        query.sort == "pinned",
    )


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
                f"{one} NOT IN ('', '[]')" for one in shape.columns if one in columns
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
        if len(columns) == len(clause):
            yield frozenset[str]().union(*columns)


def _kinds(columns: frozenset[str]) -> Condition:
    """Records of a kind that has one of the columns."""
    kinds = [kind for kind, shape in SHAPES.items() if columns.intersection(shape.columns)]
    return f"d.kind IN ({_marks(tuple(kinds))})", [*kinds]


def _condition(one: Filter, hidden: bool) -> Condition:
    if one.name in _LABELS:
        inner, values = _LABELS[one.name](one)
        sql = f"{HIDDEN_LABELLED if hidden else LABELLED}{inner})"
    elif one.name == "is":
        sql, values = _state(one, hidden), []
    else:
        sql, values = _BUILDERS[one.name](one)
    return (f"NOT coalesce({sql}, false)" if one.negated else sql), values


def _state(one: Filter, hidden: bool) -> str:
    """Documents are neither private nor deleted, so they have no columns that say it."""
    states = [STATES[value] for value in one.values if hidden or value == "pinned"]
    return f"({' OR '.join(states) or 'false'})"


def _marks(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))


def _column(column: str) -> Callable[[Filter], Condition]:
    return lambda one: (f"d.{column} IN ({_marks(one.values)})", list(one.values))


def _kind(one: Filter) -> Condition:
    # By time, or by the type that all of a kind have: the index by kind is in no order of a list.
    kinds = f"+d.kind IN ({_marks(one.values)})"
    letters = [LETTERS[value] for value in one.values]
    if len(letters) > 1 or letters == [LETTERS["observation"]]:
        return kinds, [*letters]
    return f"(d.type = ? AND {kinds})", [one.values[0], *letters]


def _agent(one: Filter) -> Condition:
    inner = f"SELECT id FROM sessions WHERE agent IN ({_marks(one.values)})"
    return f"d.session_id IN ({inner})", list(one.values)


def _session(one: Filter) -> Condition:
    """By number (`12` or `@12`), content id, or a start of it of four characters or more."""
    each = (
        "'@' || id = ? OR CAST(id AS TEXT) = ? OR content_session_id = ? OR memory_session_id = ? "
        "OR (length(?) >= 4 AND substr(content_session_id, 1, length(?)) = ?)"
    )
    inner = " OR ".join([each] * len(one.values))
    values: list[object] = [value for value in one.values for _ in range(7)]
    return f"d.session_id IN (SELECT id FROM sessions WHERE {inner})", values


def _tool(one: Filter) -> Condition:
    inner = f"SELECT id FROM observations WHERE tool_name IN ({_marks(one.values)})"
    return f"(d.kind = 'o' AND d.record_id IN ({inner}))", list(one.values)


def _source(one: Filter) -> Condition:
    """Where it was imported from: a source's name, or what it begins with."""
    named = " OR ".join(["source BETWEEN ? AND ? || char(0x10ffff)"] * len(one.values))
    kinds = (
        f"(d.kind = '{kind}' AND d.record_id IN (SELECT id FROM {shape.table} WHERE {named}))"
        for kind, shape in SHAPES.items()
    )
    values: list[object] = [value for value in one.values for _ in range(2)]
    return f"({' OR '.join(kinds)})", values * len(SHAPES)


def _label(one: Filter) -> Condition:
    """A concept, tag or entity, whatever its case (of ASCII letters)."""
    sql = f"kind = ? AND value COLLATE NOCASE IN ({_marks(one.values)})"
    return sql, [one.name, *one.values]


def _file(one: Filter) -> Condition:
    """A part of a path."""
    part = " OR ".join(["value LIKE ? ESCAPE '\\'"] * len(one.values))
    return f"kind = 'file' AND ({part})", [f"%{_escape(value)}%" for value in one.values]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


_BUILDERS: dict[str, Callable[[Filter], Condition]] = {
    "type": _column("type"),
    "project": _column("project"),
    "kind": _kind,
    "agent": _agent,
    "session": _session,
    "tool": _tool,
    "source": _source,
}
_LABELS = {"concept": _label, "tag": _label, "entity": _label, "file": _file}
