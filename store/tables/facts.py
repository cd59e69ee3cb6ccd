"""Facts: what is held true, with its confidence and evidence; facts whose `fact_key` is equal are one.
They are listed and counted by what they name and by whose statement they are.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import apsw

from ..database.transaction import in_snapshot
from ..platform.clock import common_columns, now_ms
from ..platform.errors import InvalidRecordError
from ..platform.translation import _
from ..records.dataclasses import replace
from ..records.kinds import VISIBLE, visible
from ..records.rows import SHOWN_KINDS, Fact, FactKind, FactSource, Session, Speaker
from .base import Table, Values, insert, matching, new_columns, read_object, write_list, write_text
from .fact_sources import (
    FactSources,
    fact_columns,
    implied_source,
    local_source,
    merge_repeated,
    session_source,
    with_speaker,
)
from .merges import fact_merged_into, has_said
from .new_rows import insert_statement

Found = list[Fact]
Assertions = list[FactSource]
Counted = list[tuple[str, int]]

INSERT = insert_statement("facts", new_columns(Fact))

_ENDS = " .。!！;；"


class Facts(Table[Fact]):
    """The facts table."""

    record = Fact
    name = "facts"
    asked = 10_000
    """So many of the newest facts of a kind or a project are asked what they name."""

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
        session: Session | None = None,
        speaker: Speaker | None = None,
        witness: str | None = None,
        **origin: Any,
    ) -> Fact:
        """Store a fact: `kind` W(orld), B(iographical), O(pinion) or S(ummary), `confidence` 0 to
        1, `evidence` uids. Facts of one kind and project whose `fact_key` is equal are
        one: adding it again adds a source, and private it stays. What `speaker` says of it in one
        `session` is one source, whose witness is that session, or `witness`; unless it names its
        evidence or places, which are its witnesses then."""
        if kind not in SHOWN_KINDS:
            raise InvalidRecordError(
                "A fact's kind is {names}, not {kind!r}.",
                names=_(", ").join(SHOWN_KINDS.values()),
                kind=kind,
            )
        if not 0 <= confidence <= 1:
            raise InvalidRecordError(
                "A fact's confidence lies between 0 and 1, not {confidence}.", confidence=confidence
            )
        statement = (write_text(content) or "").strip()
        if not statement:
            raise InvalidRecordError("A fact needs content, and this one is empty.")
        asserted: dict[str, Any] = {
            "confidence": confidence,
            "entities": tuple(entities),
            "evidence": tuple(evidence),
            "places": tuple(sources),
        }

        def assertion(fact_uid: str, at: int, extra: str | None) -> FactSource:
            if session is None:
                return local_source(fact_uid, at=at, extra=extra, **asserted)
            if witness is None and (asserted["evidence"] or asserted["places"]):
                named = local_source(fact_uid, at=at, extra=extra, **asserted)
                return replace(named, session=session.content_session_id)
            return session_source(fact_uid, session, at=at, extra=extra, witness=witness, **asserted)

        origin["extra"] = with_speaker(origin.get("extra"), speaker)
        with self.transaction:
            if known := self.stating(statement, kind, write_text(project) or ""):
                if private and not known.private:
                    known = self.set_column(known, "private", True)
                moment = now_ms() if at is None else at
                return self.add_source(known, assertion(known.uid, moment, origin["extra"]))
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
            uid, moment = str(values["uid"]), int(values["created_at"])
            return self.create(values, assertion(uid, moment, values["extra"]))

    def create(self, values: Values, assertion: FactSource) -> Fact:
        """Store a new fact, by its columns, and its first assertion."""
        with self.transaction:
            number = insert(self.db, INSERT, {"superseded_by": None} | values)
            key = fact_key(str(values["content"]))
            self.db.execute("UPDATE facts SET statement = ? WHERE id = ?", (key, number))
            self.sources.upsert(number, assertion)
            return self.get(number)

    def add_source(self, fact: Fact, assertion: FactSource) -> Fact:
        """Add an assertion to a fact, or change it, and return the fact; its confidence, entities, evidence
        and sources follow."""
        with self.transaction:
            rows = self.sources.of(fact.id)
            before = rows or [implied_source(fact)]
            known = next((source for source in before if _identity(source) == _identity(assertion)), None)
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
        """Add an assertion as another store has it, and return the fact. The fact's own row is no
        assertion then: it was made of those of the other store, which are added one by one."""
        with self.transaction:
            before = self.sources.of(fact.id)
            if assertion in before:
                return fact
            self.sources.upsert(fact.id, assertion)
            return self._follow(fact, before or [implied_source(fact)])

    def reword(self, fact: Fact, content: str, kind: FactKind, fingerprint: str) -> Fact:
        """Change the content (of this fingerprint) and the kind of a fact, as its source now words it;
        return the fact."""
        with self.transaction:
            self.db.execute(
                "UPDATE facts SET content = ?, kind = ?, statement = ?, fingerprint = ?, "
                "updated_at = ?, hlc = hlc + 1 WHERE id = ?",
                (write_text(content), kind, fact_key(content), fingerprint, now_ms(), fact.id),
            )
            return self.get(fact.id)

    def move(self, fact: Fact, project: str) -> Fact:
        """Move a fact to another project ("" for all) and return the fact that holds there. Where the same
        is held there already, that fact gains the sources of this one, which is deleted."""
        project = write_text(project) or ""
        with self.transaction:
            if fact.project == project:
                return fact
            self.transaction.check_person()
            known = self.find(fact.content, fact.kind, project)
            if known is None:
                return self.set_column(fact, "project", project)
            self.set_column(fact, "deleted_at", now_ms())
            return self.take_over(fact, known)

    def note_may_replace(self, new: Fact, old: Fact) -> None:
        """Note that a fact may have taken the place of an earlier one, which still holds."""
        noted = read_object(new.extra)
        uids = [*(noted.get(MAY_REPLACE) or ()), old.uid]
        extra = noted | {MAY_REPLACE: [*dict.fromkeys(uids)]}
        self.write_columns([new.id], {"extra": json.dumps(extra, ensure_ascii=False)})

    def noted_replacements(self, project: str | None = None) -> list[tuple[int, int]]:
        """Return the ids of visible facts that hold, each with that of one which it may have replaced
        and which holds too."""
        return [(new, old) for new, old in self.db.execute(NOTED_REPLACEMENTS, (project, project))]

    def successor(self, fact: Fact) -> Fact | None:
        """Return the fact that supersedes one, deleted or not; None for none, or one that was purged."""
        facts = self.where("uid = ?", (fact.superseded_by,)) if fact.superseded_by else []
        return facts[0] if facts else None

    def superseded(self, fact: Fact) -> Found:
        """Return the visible facts that a fact supersedes, the newest first."""
        order = "ORDER BY created_at DESC, id DESC"
        return self.where(f"superseded_by = ? AND {VISIBLE} {order}", (fact.uid,))

    def leads_to(self, fact: Fact, other: Fact) -> bool:
        """Return whether a fact is another one, or is superseded by it, be it by way of others."""
        passed: set[str] = set()
        at: Fact | None = fact
        while at is not None and at.uid not in passed:
            if at.uid == other.uid:
                return True
            passed.add(at.uid)
            at = self.successor(at)
        return False

    def take_over(self, gone: Fact, staying: Fact) -> Fact:
        """Give a fact the sources of another one that says the same and is to go, and have the facts
        that `gone` superseded be superseded by it; return it. A fact that would supersede itself by
        that holds again. Inside a transaction."""
        for assertion in self.sources_of(gone):
            self.sources.remove(gone.id, assertion)
            staying = self.add_source(staying, assertion)
        for fact in self.where("superseded_by = ?", (gone.uid,)):
            holds = self.leads_to(staying, fact)
            self.write_columns([fact.id], {"superseded_by": None if holds else staying.uid})
        return staying

    def remove_source(self, fact: Fact, assertion: FactSource) -> Fact:
        """Remove an assertion from a fact whose place now says something else; return the fact."""
        with self.transaction:
            before = self.sources_of(fact)
            self.sources.remove(fact.id, assertion)
            return self._follow(fact, before)

    @in_snapshot
    def sources_of(self, fact: Fact) -> Assertions:
        """Return the assertions of a fact, the earliest first; at least one."""
        return self.sources.of(fact.id) or [implied_source(fact)]

    def find(self, content: str, kind: FactKind, project: str, *, deleted: bool = False) -> Fact | None:
        """Return the fact of this kind and project whose `fact_key` is that of `content`, None when
        there is none. With `deleted`, one that was deleted."""
        self._key_all()
        state = "IS NOT NULL" if deleted else "IS NULL"
        facts = self.where(
            f"statement = ? AND kind = ? AND project = ? AND deleted_at {state} ORDER BY id LIMIT 1",
            (fact_key(content), kind, project),
        )
        return facts[0] if facts else None

    def stating(self, content: str, kind: FactKind, project: str) -> Fact | None:
        """Return the fact that `find` returns; where there is none, the one into which a fact that said so
        was merged, or None."""
        if known := self.find(content, kind, project):
            return known
        number = fact_merged_into(self.db, kind, fact_key(content), project)
        return None if number is None else self.get(number)

    def has_said(self, fact: Fact, content: str, kind: FactKind) -> bool:
        """Return whether a fact says this, or said it before another was merged with it."""
        key = fact_key(content)
        is_said = (fact.kind, fact_key(fact.content)) == (kind, key)
        return is_said or has_said(self.db, fact.uid, kind, key)

    def list(
        self,
        kind: FactKind | None = None,
        project: str | None = None,
        limit: int = 50,
        offset: int = 0,
        entity: str | None = None,
        speaker: Speaker | None = None,
        *,
        is_current: bool = False,
    ) -> Found:
        """Return a page of the visible facts, the newest first: of a `kind`, of a `project`, that
        name an `entity`, that a `speaker` stated, that nothing supersedes (`is_current`), or all."""
        values: Values = {"kind": kind, "project": project, "entity": entity, "speaker": speaker}
        values |= {"limit": limit, "offset": offset}
        # One index orders the facts of a project; those of another kind are left out on the way.
        condition = matching(project=project, **{"kind" if project is None else "+kind": kind})
        if entity is not None:
            many = int(self.db.execute(NAMED, values).get or 0) >= MANY
            condition += f" AND {WALKED_NAMING if many else NAMING}"
        if is_current:
            condition += " AND superseded_by IS NULL"
        if speaker is not None:
            condition += f" AND {STATED_BY} = :speaker"
        return self.where(f"{condition} {NEWEST_FIRST}", values)

    def of_session(self, session: Session) -> Found:
        """Return the visible facts that were stated in a session, or rest on what it holds, and that
        nothing supersedes, the newest first."""
        return self.where(f"{OF_SESSION} {NEWEST_FIRST}", {
            "session": session.id, "key": session.content_session_id, "limit": MANY, "offset": 0
        })  # fmt: skip

    @in_snapshot
    def count(
        self,
        kind: FactKind | None = None,
        project: str | None = None,
        entity: str | None = None,
    ) -> int:
        """Return how many facts `list` has in all."""
        values: Values = {"kind": kind, "project": project, "entity": entity}
        if entity is None:
            named = {"kind": kind, "project": project}
            conditions = [f"{name} = :{name}" for name, value in named.items() if value is not None]
            where = " AND ".join(conditions) or "true"
            sql = f"SELECT coalesce(sum(number), 0) FROM fact_counts WHERE {where}"
        else:
            condition = matching(kind=kind, project=project)
            sql = f"SELECT count(*) FROM facts WHERE {condition} AND {NAMING}"
        return int(self.db.execute(sql, values).get)

    @in_snapshot
    def position(self, fact: Fact, kind: FactKind | None = None, entity: str | None = None) -> int:
        """Return how many facts of `list` come before one."""
        naming = "" if entity is None else f" AND {NAMING}"
        sql = (
            f"SELECT count(*) FROM facts WHERE {matching(kind=kind)}{naming} "
            "AND (created_at, id) > (:at, :number)"
        )
        values: Values = {"kind": kind, "entity": entity, "at": fact.created_at, "number": fact.id}
        return int(self.db.execute(sql, values).get)

    @in_snapshot
    def entities(
        self, kind: FactKind | None = None, project: str | None = None, limit: int = 200
    ) -> Counted:
        """Return what visible facts name, with how many facts name it, most first; of a kind or a project
        only the newest `asked` facts are asked."""
        values = {"kind": kind, "project": project, "limit": limit, "asked": self.asked}
        condition = matching("facts", kind=kind, project=project)
        sql = ENTITIES if kind is project is None else ENTITIES_OF.format(condition=condition)
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

    def forget_later_sources(self, at: int) -> None:
        """Delete the assertions that were made after a moment (ms), and bring their facts to what the
        others say. Inside a transaction."""
        sql = "SELECT DISTINCT fact_id FROM fact_sources WHERE told_at > ?"
        rows: list[Any] = self.db.execute(sql, (at,)).fetchall()
        for (number,) in rows:
            before = self.sources.of(number)
            self.db.execute("DELETE FROM fact_sources WHERE fact_id = ? AND told_at > ?", (number, at))
            self._follow(self.get(number), before)

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
                self.set_column(doubled, "deleted_at", now_ms())
            self.db.execute("UPDATE facts SET statement = ? WHERE id = ?", (key, number))


def fact_key(content: str, author: str = "") -> str:
    """Return what facts are compared by: compatible characters, letter case, blanks and the stop at
    the end make no difference; everything else does, accents too, and which teammate shared it."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", content).casefold())
    text = " ".join(folded.split())
    return (f"{author}\n" if author else "") + (text.rstrip(_ENDS) or text)


def rekeyed(db: apsw.Connection, number: int, content: str) -> str:
    """Return the key of a fact, by its id, of another content: a teammate's stays theirs."""
    key: Any = db.execute("SELECT statement FROM facts WHERE id = ?", (number,)).get
    author, is_scoped, _rest = (key or "").partition("\n")
    return fact_key(content, author if is_scoped else "")


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

# Of what a session holds the uids are looked for in the evidence of all facts, which are few.
OF_SESSION = f"""
{VISIBLE} AND superseded_by IS NULL AND id IN (
    SELECT fact_id FROM fact_sources
    WHERE session = :key AND deleted_at IS NULL AND vanished_at IS NULL
    UNION SELECT f.id FROM facts f, json_each(iif(json_valid(f.evidence), f.evidence, '[]')) e
    WHERE e.value IN (
        SELECT uid FROM prompts WHERE session_id = :session
        UNION SELECT uid FROM observations WHERE session_id = :session
        UNION SELECT uid FROM summaries WHERE session_id = :session
    )
)
"""

STATED_BY = "iif(json_valid(extra), json_extract(extra, '$.speaker'), NULL)"

# Only facts have labels of this kind.
ENTITIES = """
SELECT value, uses FROM label_names INDEXED BY label_names_by_uses
WHERE kind = 'entity' ORDER BY uses DESC, value LIMIT :limit
"""
ENTITIES_OF = """
SELECT CAST(value AS TEXT), count(DISTINCT asked.id) FROM (
    SELECT id, entities FROM facts WHERE {condition} ORDER BY created_at DESC, id DESC LIMIT :asked
) asked
CROSS JOIN json_each(iif(json_valid(entities), entities, '[]'))
WHERE value IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT :limit
"""

MAY_REPLACE = "may_replace"
"""The key of `extra` that lists the uids of facts which one may have taken the place of."""
NOTED_REPLACEMENTS = f"""
SELECT new.id, old.id
FROM facts new, json_each(iif(json_valid(new.extra), new.extra, '{{}}'), '$.{MAY_REPLACE}') noted
JOIN facts old ON old.uid = noted.value
WHERE {visible("new")} AND {visible("old")}
    AND new.superseded_by IS NULL AND old.superseded_by IS NULL AND new.project = old.project
    AND (? IS NULL OR new.project = ?)
ORDER BY new.created_at, new.id
"""

UNKEYED = "SELECT id, project, kind, content, deleted_at FROM facts WHERE statement IS NULL"


def _identity(assertion: FactSource) -> tuple[str, str]:
    return assertion.source, assertion.native_id
