"""What is told of a turn on one line beside a hit's title."""

from __future__ import annotations

from ...records import Hit, Snippet
from ...text.truncation import shortened

ASKED, CAME_OF_IT = 36, 100
"""Characters of what was asked in a turn, and of what came of it, beside a passage."""


def in_turn(hit: Hit, passage: Snippet) -> Snippet:
    """Return a passage of a hit with what else its turn says: behind a prompt what came of it, before
    anything else what was asked."""
    if hit.turn is None:
        return passage
    if hit.kind == "prompt":
        verdict = shortened(" ".join(hit.turn.verdict.split()), CAME_OF_IT)
        return Snippet(f"{passage.text} → {verdict}".strip(), passage.spans) if verdict else passage
    asked = shortened(" ".join(hit.turn.question.split()), ASKED)
    lead = f"{asked} › " if asked and passage.text else asked
    spans = tuple((start + len(lead), end + len(lead)) for start, end in passage.spans)
    return Snippet(lead + passage.text, spans)
