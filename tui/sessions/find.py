"""Finding words in all that was said and done in a session."""

from __future__ import annotations

from memtui.store.conversation.entries import Entry
from memtui.store.search.finding.words import hold, words_of
from memtui.store.text.plural import count_noun
from memtui.store.translation import _

from ..parts.text_find import Told, stepped
from ..text.content import joined
from .conversation import ConversationView


class InConversation:
    """The titles and texts of a conversation's entries, folded ones too."""

    steps = True

    def __init__(self, view: ConversationView, show: Told) -> None:
        self.widget = view
        self._told = show
        self._before = view.rows[view.cursor] if view.rows else None
        self._found: list[int] = []
        self._at = 0

    def look_for(self, words: str) -> None:
        """Select the first entry that holds what was typed, from the one that was selected on."""
        wanted = words_of(words)
        entries = self.widget.conversation.entries
        self._found = (
            [at for at, entry in enumerate(entries) if hold(wanted, *_texts(entry))] if wanted else []
        )
        self.widget.light(words.strip())
        before = self._before or 0
        self._at = next((at for at, place in enumerate(self._found) if place >= before), 0)
        if not wanted:
            self._told("", False)
        elif not self._found:
            self._told(_("nothing found"), True)
        else:
            self._go("")

    def step(self, steps: int) -> None:
        """Select the next entry that holds it, or the one before, round and round."""
        if many := len(self._found):
            self._at, wrapped = stepped(self._at, steps, many)
            self._go(wrapped)

    def end(self, *, restore: bool) -> None:
        """Leave the selection where it is, or have it where it was."""
        self.widget.light("")
        if restore and self._before is not None:
            self.widget.go_to(self._before)

    def _go(self, wrapped: str) -> None:
        self.widget.go_to(self._found[self._at])
        many = count_noun(len(self._found), "places")
        self._told(joined(_("{place} of {places}", place=f"{self._at + 1:,}", places=many), wrapped), False)


def _texts(entry: Entry) -> tuple[str, str]:
    return entry.title, entry.text
