"""Whether a model's tokenizer knows the languages of a memory: one that doesn't makes the same of every
word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import apsw

from ..search.index.documents import fetch
from ..text.language.scripts import SCRIPTS, script_of
from .passages import passages

if TYPE_CHECKING:
    from .embedder import Embedder

SAMPLE = 400
"""Records that are looked at, over the whole memory."""
SPREAD = """
SELECT id FROM documents WHERE id % max(1, (SELECT count(*) FROM documents) / ?) = 0
ORDER BY id DESC LIMIT ?
"""


def unknown_shares(db: apsw.Connection, model: Embedder) -> dict[str, float]:
    """Return for each script of a memory the share of tokens that a model doesn't know; empty where only
    a server or program could tell. Raises ProviderError."""
    ids = [number for (number,) in db.execute(SPREAD, (SAMPLE, SAMPLE))]
    texts: dict[str, list[str]] = {name: [] for name in SCRIPTS}
    for document in fetch(db, ids):
        texts[script_of(document.joined())] += passages(document)
    results = {name: model.unknown_share(some) for name, some in texts.items() if some}
    return {name: share for name, share in results.items() if share is not None}
