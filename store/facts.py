"""Facts: what is held true, with its confidence and evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .errors import InvalidRecordError
from .records import Fact, FactKind
from .rows import common, insert, write_list, write_text
from .table import Table
from .unit import reads

Found = list[Fact]

INSERT = """
INSERT INTO facts (
    uid, created_at, updated_at, deleted_at, private, pinned, origin, editor, hlc,
    source, native_id, fingerprint, extra,
    project, kind, content, entities, confidence, evidence, sources
) VALUES (
    :uid, :created_at, :updated_at, :deleted_at, :private, :pinned, :origin, :editor, :hlc,
    :source, :native_id, :fingerprint, :extra,
    :project, :kind, :content, :entities, :confidence, :evidence, :sources
) RETURNING id
"""

VISIBLE = """
private = 0 AND deleted_at IS NULL
AND kind = coalesce(:kind, kind) AND project = coalesce(:project, project)
"""


class Facts(Table[Fact]):
    """The facts table."""

    record = Fact
    name = "facts"
    letter = "f"

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
        **origin: Any,
    ) -> Fact:
        """Store a fact: `kind` W(orld), B(iographical), O(pinion) or S(ummary), `confidence` 0 to
        1, `evidence` uids. The same statement of the same kind and project is one fact."""
        if kind not in ("W", "B", "O", "S"):
            raise InvalidRecordError(f"A fact's kind is W, B, O or S, not {kind!r}.")
        if not 0 <= confidence <= 1:
            raise InvalidRecordError(f"A fact's confidence lies between 0 and 1, not {confidence}.")
        statement = (write_text(content) or "").strip()
        if not statement:
            raise InvalidRecordError("A fact needs content, and this one is empty.")
        with self.unit:
            known = self.where(
                "project = ? AND kind = ? AND content = ? AND deleted_at IS NULL",
                (write_text(project), kind, statement),
            )
            if known:
                return known[0]
            values = common(self.machine, at=at, **origin)
            values |= {
                "project": write_text(project),
                "kind": kind,
                "content": statement,
                "entities": write_list(entities),
                "confidence": confidence,
                "evidence": write_list(evidence),
                "sources": write_list(sources),
            }
            return self.get(insert(self.db, INSERT, values))

    def list(
        self,
        kind: FactKind | None = None,
        project: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> Found:
        """Visible facts, the newest first."""
        values = {"kind": kind, "project": project, "limit": limit, "offset": offset}
        return self.where(
            f"{VISIBLE} ORDER BY created_at DESC, id DESC LIMIT :limit OFFSET :offset", values
        )

    @reads
    def count(self, kind: FactKind | None = None, project: str | None = None) -> int:
        """How many facts `list` has in all."""
        sql = f"SELECT count(*) FROM facts WHERE {VISIBLE}"
        return int(self.db.execute(sql, {"kind": kind, "project": project}).get)
