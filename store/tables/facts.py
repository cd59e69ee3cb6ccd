"""Facts: what is held true, with its confidence and evidence; facts whose `fact_key` is equal are
one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from ..clock import common_columns, now_ms
from ..database.transaction import in_snapshot
from ..errors import InvalidRecordError
from ..records import Fact, FactKind, FactSource
from ..records.dataclasses import replace
from .base import Table, Values, insert, matching, new_columns, write_list, write_text
from .fact_sources import FactSources, fact_columns, implied_source, local_source, merge_repeated
from .new_rows import insert_statement

Found = list[Fact]
Assertions = list[FactSource]
Counted = list[tuple[str, int]]

INSERT = insert_statement("facts", new_columns(Fact))

NEWEST_FIRST = "ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset"

NAMING = """
id IN (
    SELECT d.record_id FROM labels l JOIN documents d ON d.id = l.document_id
    WHERE l.kind = 'entity' AND l.value = :entity
)
"""
# The same, asked of each fact of a walk: cheaper where very many name the entity.
WALKED_NAMING = """
EXISTS (
    SELECT 1 FROM documents d CROSS JOIN label_uses u ON u.document_id = d.id
    WHERE d.kind = 'f' AND d.record_id = facts.id
    AND u.label_id = (SELECT id FROM label_names WHERE kind = 'entity' AND value = :entity)
)
"""
MANY = 1_000
"""So many facts that name an entity are not sorted for a page, but found on a walk."""

NAMED = f"""
SELECT count(*) FROM (
    SELECT 1 FROM labels WHERE kind = 'entity' AND value = :entity LIMIT {MANY}
)
"""

# Only facts have labels of this kind.
ENTITIES = """
SELECT n.value, count(*) FROM label_names n CROSS JOIN label_uses u ON u.label_id = n.id
WHERE n.kind = 'entity' GROUP BY n.id ORDER BY 2 DESC, 1 LIMIT :limit
"""
ENTITIES_OF = """
SELECT CAST(value AS TEXT), count(DISTINCT facts.id) FROM facts CROSS JOIN json_each(entities)
WHERE {condition} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit
"""

UNKEYED = "SELECT id, project, kind, content, deleted_at FROM facts WHERE statement IS NULL"

_ENDS = " .。!！;；"


class Facts(Table[Fact]):
    """The facts table."""

    record = Fact
    name = "facts"

    @cached_property
    def sources(self) -> FactSources:
        """The assertions that facts rest on."""
        return FactSources(self.db)

    def add(
        self,
        content: str,
        *,
        kind: FactKind = "O",
        project: str = "",
        entities: Iterable[str] = (),
        confidence: float = 1.0,
        evidence: Iterable[str] = (),
        sources: Iterable[str] = (),
        at: int | None = None,
        private: bool = False,
        **origin: Any,
    ) -> Fact:
        """Store a fact: `kind` W(orld), B(iographical), O(pinion) or S(ummary), `confidence` 0 to
        1, `evidence` uids. Facts of one kind and project whose `fact_key` is equal are
        one: adding it again adds a source, and private it stays."""
        if kind not in ("W", "B", "O", "S"):
            raise InvalidRecordError(f"A fact's kind is W, B, O or S, not {kind!r}.")
        if not 0 <= confidence <= 1:
            raise InvalidRecordError(f"A fact's confidence lies between 0 and 1, not {confidence}.")
        statement = (write_text(content) or "").strip()
        if not statement:
            raise InvalidRecordError("A fact needs content, and this one is empty.")
        asserted: dict[str, Any] = {
            "confidence": confidence,
            "entities": tuple(entities),
            "evidence": tuple(evidence),
            "places": tuple(sources),
        }
        with self.transaction:
            if known := self.find(statement, kind, write_text(project) or ""):
                if private and not known.private:
                    known = self.set_private(known)
                asserted["extra"] = origin.get("extra")
                again = local_source(known.uid, at=now_ms() if at is None else at, **asserted)
                return self.add_source(known, again)
            values: Values = common_columns(self.machine, at=at, private=private, **origin)
            values |= {
                "project": write_text(project),
                "kind": kind,
                "content": statement,
                "entities": write_list(asserted["entities"]),
                "confidence": confidence,
                "evidence": write_list(asserted["evidence"]),
                "sources": write_list(asserted["places"]),
            }
            asserted["extra"] = values["extra"]
            first = local_source(str(values["uid"]), at=int(values["created_at"]), **asserted)
            return self.create(values, first)

    def create(self, values: Values, assertion: FactSource) -> Fact:
        """Store a new fact, by its columns, and its first assertion."""
        with self.transaction:
            number = insert(self.db, INSERT, values)
            key = fact_key(str(values["content"]))
            self.db.execute("UPDATE facts SET statement = ? WHERE id = ?", (key, number))
            self.sources.upsert(number, assertion)
            return self.get(number)

    def add_source(self, fact: Fact, assertion: FactSource) -> Fact:
        """Add an assertion to a fact, or change it; confidence, entities, evidence and sources follow."""
        with self.transaction:
            rows = self.sources.of(fact.id)
            before = rows or [implied_source(fact)]
            known = next((one for one in before if _identity(one) == _identity(assertion)), None)
            if known is not None:
                assertion = replace(assertion, vanished_at=known.vanished_at)
                assertion = assertion if assertion.source else merge_repeated(known, assertion)
            if known == assertion:
                return fact
            if not rows:
                self.sources.upsert(fact.id, before[0])
            self.sources.upsert(fact.id, assertion)
            return self._follow(fact, before)

    def add_foreign_source(self, fact: Fact, assertion: FactSource) -> Fact:
        """Add an assertion as another store has it. The fact's own row is none then: it was made of
        assertions, and those that this store doesn't know yet follow."""
        with self.transaction:
            before = self.sources.of(fact.id)
            if assertion in before:
                return fact
            self.sources.upsert(fact.id, assertion)
            return self._follow(fact, before or [implied_source(fact)])

    def reword(self, fact: Fact, content: str, kind: FactKind) -> Fact:
        """Give a fact other content: its source words it otherwise now."""
        with self.transaction:
            self.db.execute(
                "UPDATE facts SET content = ?, kind = ?, statement = ?, updated_at = ?, "
                "hlc = hlc + 1 WHERE id = ?",
                (write_text(content), kind, fact_key(content), now_ms(), fact.id),
            )
            return self.get(fact.id)

    def remove_source(self, fact: Fact, assertion: FactSource) -> Fact:
        """Take an assertion from a fact: where it stood, something else is said now."""
        with self.transaction:
            before = self.sources_of(fact)
            self.sources.remove(fact.id, assertion)
            return self._follow(fact, before)

    @in_snapshot
    def sources_of(self, fact: Fact) -> Assertions:
        """Return the assertions of a fact, the earliest first; at least one."""
        return self.sources.of(fact.id) or [implied_source(fact)]

    def find(
        self, content: str, kind: FactKind, project: str, *, deleted: bool = False
    ) -> Fact | None:
        """Return the fact of this kind and project whose `fact_key` is that of `content`, None when
        there is none. With `deleted`, one that was deleted."""
        self._key_all()
        state = "IS NOT NULL" if deleted else "IS NULL"
        found = self.where(
            f"statement = ? AND kind = ? AND project = ? AND deleted_at {state} ORDER BY id LIMIT 1",
            (fact_key(content), kind, project),
        )
        return found[0] if found else None

    def list(
        self,
        kind: FactKind | None = None,
        project: str | None = None,
        limit: int = 50,
        offset: int = 0,
        entity: str | None = None,
    ) -> Found:
        """Return a page of the visible facts, the newest first: of a `kind`, of a `project`, that
        name an `entity`, or all."""
        values: Values = {"kind": kind, "project": project, "entity": entity}
        values |= {"limit": limit, "offset": offset}
        # One index orders the facts of a project; those of another kind are left out on the way.
        condition = matching(project=project, **{"kind" if project is None else "+kind": kind})
        if entity is not None:
            many = int(self.db.execute(NAMED, values).get or 0) >= MANY
            condition += f" AND {WALKED_NAMING if many else NAMING}"
        return self.where(f"{condition} {NEWEST_FIRST}", values)

    @in_snapshot
    def count(
        self,
        kind: FactKind | None = None,
        project: str | None = None,
        entity: str | None = None,
    ) -> int:
        """Return how many facts `list` has in all."""
        values: Values = {"kind": kind, "project": project, "entity": entity}
        if kind is None and entity is None:
            condition = "true" if project is None else "project = :project"
            sql = f"SELECT count(*) FROM documents WHERE kind = 'f' AND {condition}"
        else:
            condition = matching(kind=kind, project=project)
            naming = "" if entity is None else f" AND {NAMING}"
            sql = f"SELECT count(*) FROM facts WHERE {condition}{naming}"
        return int(self.db.execute(sql, values).get)

    @in_snapshot
    def entities(
        self, kind: FactKind | None = None, project: str | None = None, limit: int = 200
    ) -> Counted:
        """Return what visible facts name, with how many facts name it, most first."""
        values = {"kind": kind, "project": project, "limit": limit}
        sql = ENTITIES
        if kind is not None or project is not None:
            sql = ENTITIES_OF.format(condition=matching("facts", kind=kind, project=project))
        return [(str(value), int(many)) for value, many in self.db.execute(sql, values)]

    def _follow(self, fact: Fact, before: Iterable[FactSource]) -> Fact:
        """Bring a fact's columns to what its assertions say; those that were edited here stay."""
        old, new = (
            fact_columns(before),
            fact_columns(self.sources.of(fact.id) or [implied_source(fact)]),
        )
        names = ", ".join(new)
        row = self.db.execute(f"SELECT {names} FROM facts WHERE id = ?", (fact.id,)).fetchone()
        present = dict(zip(new, row or (), strict=True))
        changed = {
            name: value
            for name, value in new.items()
            if value != present[name] and old[name] == present[name]
        }
        if changed:
            self.write_columns([fact.id], changed)
        return self.get(fact.id)

    def _key_all(self) -> None:
        """Give every fact that another program, or an earlier version, wrote its key."""
        rows: list[Any] = self.db.execute(UNKEYED).fetchall()
        for number, project, kind, content, deleted_at in rows:
            key = fact_key(content)
            taken = deleted_at is None and self.where(
                "statement = ? AND kind = ? AND project = ? AND deleted_at IS NULL LIMIT 1",
                (key, kind, project),
            )
            if taken:
                # Two facts that were kept apart say the same: the sources of the later one go to the first.
                doubled = self.get(number)
                for assertion in self.sources_of(doubled):
                    self.add_source(taken[0], assertion)
                self.delete(doubled)
            self.db.execute("UPDATE facts SET statement = ? WHERE id = ?", (key, number))


def _identity(assertion: FactSource) -> tuple[str, str]:
    return assertion.source, assertion.native_id


def fact_key(content: str) -> str:
    """Return what facts are compared by: compatible characters, letter case, blanks and the stop at
    the end make no difference; everything else does, accents too."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", content).casefold())
    text = " ".join(folded.split())
    return text.rstrip(_ENDS) or text
