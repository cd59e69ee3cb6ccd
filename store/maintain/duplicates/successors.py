"""Which facts may hold in the place of another one: those that are most like it, by words and meaning."""

from __future__ import annotations

from ...database.transaction import snapshot
from ...embeddings import waiting
from ...kinds import ref
from ...records import Fact
from ...search.listing.rows import by_ids, document_of
from ...search.query.filters import where
from ...search.query.language import parse
from ...search.related.meaning import AMONG
from ...search.related.ranking.fusion import Parts, mix_meaning
from ...store import Store

HOLDING = "kind:fact -is:superseded"
WORDS, LETTERS = 32, 3
"""A fact is looked for by so many of its words, of so many letters or more."""


def likely_successors(store: Store, old: Fact, limit: int) -> list[Fact]:
    """Return other facts that hold and are most like one, the likest first: those that share its words,
    and, where vectors are kept, those that are near to it in meaning."""
    words = [word for word in old.content.split() if len(word) >= LETTERS]
    quoted = [f'"{text}"' for word in words if (text := word.replace('"', ""))][:WORDS]
    listed = store.search(f"{HOLDING} {' OR '.join(quoted)}", limit=limit) if quoted else []
    hits = [hit for hit in listed if hit.row.record_id != old.id]
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    results: Parts = {
        hit.row.document_id: {"words": hit.score / best} for hit in hits if hit.row.record_id != old.id
    }
    with snapshot(store.db):
        if waiting.are_kept(store.db):
            _add_near(store, old, results)
        likest = sorted(results, key=lambda number: (-sum(results[number].values()), -number))[:limit]
        rows = by_ids(store.db, likest)
        return store.facts.by_ids(rows[value].record_id for value in likest if value in rows)


def _add_near(store: Store, old: Fact, found: Parts) -> None:
    """Add what is near to a fact in meaning, as a search does."""
    document = document_of(store.db, ref("fact", old.id))
    if document is not None:
        holding = where(store.db, parse(HOLDING))
        mix_meaning(found, store.vectors.meaning.near_document(store.db, document, holding, AMONG))
