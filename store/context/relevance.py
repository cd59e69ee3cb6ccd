"""Which memories a prompt is about."""

from __future__ import annotations

import re

from ..store import Store

MOST = 8
WORDS = 64


def about(store: Store, project: str, prompt: str) -> list[str]:
    """Return the refs of a project's memories that a prompt is about, best first; no prompts."""
    words = re.findall(r"\w+", prompt)[:WORDS]
    if not words:
        return []
    named = project.replace('"', " ")
    # Plain words in lower case: nothing of a prompt is an operator, and any of its words will do.
    query = f'project:"{named}" {" ".join(words).lower()}'
    rows = [hit.row for hit in store.search(query, limit=3 * MOST, related=True)]
    shown = [row for row in rows if row.kind != "prompt"]
    return [row.ref for row in shown[:MOST]]
