"""What is told of a turn on one line beside a hit's title."""

from __future__ import annotations

from ...records import Hit, Snippet
from ...text.truncation import shortened

ASKED, CAME_OF_IT = 24, 100
"""Characters of what was asked in a turn, and of what came of it, beside a passage."""
BEFORE_A_MATCH = 12
"""Characters of a passage that stand between the question and its first match, so that this is in view."""


def in_turn(hit: Hit, passage: Snippet) -> Snippet:
    """Return a passage of a hit with what else its turn says: behind a prompt what came of it, before
    anything else what was asked."""
    if hit.turn is None:
        return passage
    if hit.kind == "prompt":
        verdict = shortened(" ".join(hit.turn.verdict.split()), CAME_OF_IT)
        return Snippet(f"{passage.text} → {verdict}".strip(), passage.spans) if verdict else passage
    asked = " ".join(hit.turn.question.split())
    asked = shortened(asked, _room(ASKED, asked))
    passage = _near_its_match(passage)
    lead = f"{asked} › " if asked and passage.text else asked
    spans = tuple((start + len(lead), end + len(lead)) for start, end in passage.spans)
    return Snippet(lead + passage.text, spans)


def _near_its_match(passage: Snippet) -> Snippet:
    first = passage.spans[0][0] if passage.spans else 0
    cut = first - _room(BEFORE_A_MATCH, passage.text)
    if cut <= 1:
        return passage
    cut = max(cut, passage.text.find(" ", cut, first) + 1)
    spans = tuple((start - cut + 1, end - cut + 1) for start, end in passage.spans)
    return Snippet("…" + passage.text[cut:], spans)


def _room(characters: int, text: str) -> int:
    # Chinese characters are twice as wide.
    return characters if text.isascii() else characters // 2
