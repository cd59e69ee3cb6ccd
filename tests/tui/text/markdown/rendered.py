"""Texts rendered in tests, and read as lines."""

from textual.content import Content

from memtui.store import Query
from memtui.tui.parts.text_view import wrap
from memtui.tui.protocol import ReadingMode
from memtui.tui.text.markdown.blocks import document
from memtui.tui.text.markdown.code import RENDERED

WIDTH = 60


def rendered(text: str, *, width: int = WIDTH, mode: ReadingMode = RENDERED) -> list[Content]:
    """The lines of a text."""
    passages = document(text, Query(), mode)
    return [line for lines in wrap(passages, width) for line in lines]


def shown(text: str, *, width: int = WIDTH, mode: ReadingMode = RENDERED) -> str:
    """The lines of a text, without their styles and what is blank at their ends."""
    return "\n".join(line.plain.rstrip() for line in rendered(text, width=width, mode=mode))


def styled(text: str, part: str) -> str:
    """The styles of a part of a text, one after another."""
    for line in rendered(text):
        if (at := line.plain.find(part)) >= 0:
            return " ".join(
                str(span.style) for span in line.spans if span.start <= at and at + len(part) <= span.end
            )
    raise AssertionError(f"{part!r} isn't shown")
