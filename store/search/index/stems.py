"""The stems of a text, as the words index has them. Next to nothing is imported: a hook waits for this."""

from __future__ import annotations

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def stems(db: apsw.Connection, text: str) -> list[tuple[int, int, str]]:
    """Return the stems in a text as (start, end, stem): bytes of its UTF-8."""
    tokenizer = db.fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    result: Any = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None)
    return [(start, end, token) for start, end, token in result]
