"""What a conversation is made of: prompts, steps, replies and summaries."""

from __future__ import annotations

from typing import Literal

from ..events import ToolUse
from ..records.dataclasses import dataclass, replace

EntryKind = Literal["prompt", "step", "reply", "summary"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A thing that was said or done. `at` is in ms since the epoch, UTC; `title` is a line, and `text`, of
    what was said, all of it as Markdown. `type` is what lists show it as.

    `refs` are the memories that were made of it, none where it became none. `uses` are the uses of a tool,
    as far as the transcript tells them: one, or all edits of a file in a turn. `path` is the file that an
    edit changed.

    `parent` is the place of the step that started the sub-agent which did it, None for the session's own
    agent; `depth` is how many such there are above it, and `below` how many steps are below this one.
    `key` is the same whenever the conversation is read again.
    """

    key: str
    kind: EntryKind
    at: int
    title: str
    type: str
    text: str = ""
    refs: tuple[str, ...] = ()
    uses: tuple[ToolUse, ...] = ()
    path: str = ""
    times: int = 1
    parent: int | None = None
    depth: int = 0
    below: int = 0


@dataclass(frozen=True, slots=True)
class Conversation:
    """All entries of a session in order, each sub-agent's below the step that started it.

    `source` says in a sentence where what became no memory is read, or why it can't be.
    """

    entries: tuple[Entry, ...]
    source: str = ""

    def with_first(self, entry: Entry) -> Conversation:
        """Return the conversation with another entry at its beginning."""
        moved = (
            item if item.parent is None else replace(item, parent=item.parent + 1) for item in self.entries
        )
        return Conversation((entry, *moved), self.source)

    def place_of(self, ref: str) -> int | None:
        """Return the place of the entry that became this memory."""
        return next((at for at, item in enumerate(self.entries) if ref in item.refs), None)
