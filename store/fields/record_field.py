"""A field of a kind of record: its form, and where it counts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Form = Literal["line", "text", "items", "words", "files", "uids", "kind", "share", "number"]
    """A text of a line or of many; a list of sentences, of words, of paths or of uids; a fact's kind; a
    number from 0 to 1; any other number."""
    Part = Literal["", "title", "body", "raw", "list"]
    """Where in the index it lies; nowhere if it isn't searched. Raw text (code, a tool's output) ranks
    with the lists."""
    Topic = Literal["", "asked", "found", "done", "left", "trouble", "all"]
    """What a field of a summary is about."""

TEXTS = ("line", "text", "items")
"""The forms of fields that say something by themselves."""


class RecordField:
    """A field of a kind. `heading` is what stands above or before it, "" where a reader needs none;
    `label` the kind of label that its items are, by which they are filtered and counted. One that
    `is_further` is told to agents only when they ask for it. `longest` is how many characters of it a
    context or a hand-over tells.

    A `part` or a `label` also stands in the triggers and views of `store/database/schema`.
    """

    __slots__ = (
        "form", "heading", "is_edited", "is_further", "is_needed", "label", "longest", "name", "part",
        "topic",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        form: Form,
        heading: str = "",
        *,
        part: Part = "",
        label: str = "",
        topic: Topic = "",
        longest: int = 0,
        is_edited: bool = True,
        is_needed: bool = False,
        is_further: bool = False,
    ) -> None:
        self.name = name
        self.form = form
        self.heading = heading
        self.part = part
        self.label = label
        self.topic = topic
        self.longest = longest
        self.is_edited = is_edited and not is_further
        self.is_needed = is_needed
        self.is_further = is_further

    @property
    def is_list(self) -> bool:
        """Whether it is a list of texts."""
        return self.form in ("items", "words", "files", "uids")

    @property
    def says(self) -> bool:
        """Whether it says by itself what is remembered, as a project or a number doesn't."""
        return self.form in TEXTS and bool(self.part)
