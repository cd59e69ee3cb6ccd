"""Which facts may hold in the place of another one: those that are most like it, by words and meaning."""

from __future__ import annotations

from ..database.transaction import snapshot
from ..embeddings import waiting
from ..kinds import ref
from ..records import Fact
from ..search.filters import where
from ..search.listing import by_ids, document_of
from ..search.meaning import AMONG
from ..search.query import parse
from ..search.ranking.candidates import RankedDocument
from ..search.ranking.fusion import fused
from ..store import Store

HOLDING = "kind:fact -is:superseded"
WORDS, LETTERS = 32, 3
"""A fact is looked for by so many of its words, of so many letters or more."""


def likely_successors(store: Store, old: Fact, limit: int) -> list[Fact]:
    """Return other facts that hold and are most like one, the likest first: those that share its words,
    and, where vectors are kept, those that are near to it in meaning."""
    words = [word for word in old.content.split() if len(word) >= LETTERS]
    quoted = [f'"{one}"' for word in words if (one := word.replace('"', ""))][:WORDS]
    hits = store.search(f"{HOLDING} {' OR '.join(quoted)}", limit=limit) if quoted else []
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    found = [
        RankedDocument(hit.row.document_id, hit.score / best, (("words", hit.score / best),))
        for hit in hits
        if hit.row.record_id != old.id
    ]
    with snapshot(store.db):
        if waiting.are_kept(store.db):
            found = _with_near(store, old, found)[:limit]
        rows = by_ids(store.db, [one.id for one in found])
        return store.facts.by_ids(rows[one.id].record_id for one in found if one.id in rows)


def _with_near(store: Store, old: Fact, found: list[RankedDocument]) -> list[RankedDocument]:
    """Return candidates with what is near to a fact in meaning, as a search fuses them."""
    document = document_of(store.db, ref("fact", old.id))
    if document is None:
        return found
    holding = where(store.db, parse(HOLDING))
    return fused(found, store.vectors.meaning.near_document(store.db, document, holding, AMONG))
