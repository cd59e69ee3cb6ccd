"""How one text differs from another, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from memtui.store.curation.word_diff import line_diff

from .content import DIFFERENCE, DIM, Passage, plain

SIGNS = {"same": "  ", "removed": "- ", "added": "+ ", "changed": "~ "}
SIGN_STYLES = {"same": "", "removed": "$text-error", "added": "$text-success", "changed": DIM}


def difference_passages(before: str, after: str, space: int = 0) -> Iterator[Passage]:
    """Yield the lines of both texts, each with a sign; of those that say something else of the same, the
    words that differ. `space` is how many lines stand above the first."""
    for kind, runs in line_diff(before, after):
        # A line that went or came is one for its sign, not for a stroke through all of it.
        words = [
            plain(text, DIFFERENCE[change] if kind == "changed" else SIGN_STYLES[kind])
            for change, text in runs
        ]
        yield Passage(
            Content.assemble(*words),
            mark=Content.styled(SIGNS[kind], SIGN_STYLES[kind]),
            space=space,
        )
        space = 0
