"""Which facts may hold in the place of another one: those that are most like it, by words and meaning."""

from __future__ import annotations

import json
from typing import Any

from ..database.transaction import snapshot
from ..embeddings import waiting
from ..kinds import ref
from ..records import Fact
from ..search.filters import where
from ..search.meaning import AMONG, Scored, fused
from ..search.query import parse
from ..search.similar import document_of
from ..store import Store

HOLDING = "kind:fact -is:superseded"
WORDS, LETTERS = 32, 3
"""A fact is looked for by so many of its words, of so many letters or more."""
FACTS = """
SELECT d.record_id FROM json_each(?) j CROSS JOIN documents d ON d.id = j.value ORDER BY j.key
"""


def likely_successors(store: Store, old: Fact, limit: int) -> list[Fact]:
    """Return other facts that hold and are most like one, the likest first: those that share its words,
    and, where vectors are kept, those that are near to it in meaning."""
    words = [word for word in old.content.split() if len(word) >= LETTERS]
    quoted = [f'"{one}"' for word in words if (one := word.replace('"', ""))][:WORDS]
    hits = store.search(f"{HOLDING} {' OR '.join(quoted)}", limit=limit) if quoted else []
    scored = [(hit.row.document_id, hit.score) for hit in hits if hit.row.record_id != old.id]
    with snapshot(store.db):
        if waiting.are_kept(store.db):
            scored = _with_near(store, old, scored)[:limit]
        documents = json.dumps([number for number, _ in scored])
        rows: Any = store.db.execute(FACTS, (documents,)).fetchall()
        return store.facts.by_ids(number for (number,) in rows)


def _with_near(store: Store, old: Fact, scored: Scored) -> Scored:
    """Return scored documents with what is near to a fact in meaning, as a search fuses them."""
    document = document_of(store.db, ref("fact", old.id))
    if document is None:
        return scored
    holding = where(store.db, parse(HOLDING))
    return fused(scored, store.vectors.meaning.near_document(store.db, document, holding, AMONG))
