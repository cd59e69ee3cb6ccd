"""A session in full: an entry with the memories made of it, and words found in all entries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from textual.content import Content

from memtui.store import ListRow, NotFoundError, Query, Record, Session, Store
from memtui.store.capture.conversation_entries import Entry, times, use_markdown
from memtui.store.platform.translation import _
from memtui.store.search.narrowing import hold, words_of
from memtui.store.text.plural import count_noun

from ..memory import Detail
from ..parts.document_view import Told, stepped
from ..protocol import ReadingMode, browser
from ..text.ages import full
from ..text.content import DIM, Passage, apart, joined, plain
from ..text.markdown.blocks import document
from ..text.markdown.code import unnamed
from ..text.records import Surroundings, record_passages
from .conversation import ConversationView

NO_MEMORY = _("No memory was made of it.")


@dataclass(frozen=True, slots=True)
class EntryRecords:
    """The memories that were made of an entry: each with its row and what is told beside it."""

    records: Sequence[tuple[Record, ListRow, Surroundings]]
    session: Session


def entry_records(store: Store, session_id: int, entry: Entry, *, has_marks: bool) -> EntryRecords:
    """Return the memories that were made of an entry, those that are gone left out."""
    records = []
    for ref in entry.refs:
        try:
            record = store.record(ref)
            beside = Surroundings.of(store, record, has_marks=has_marks)
            records.append((record, store.list_row(record), beside))
        except NotFoundError:
            continue
    return EntryRecords(records, store.sessions.get(session_id))


class EntryDetail(Detail):
    """Shows an entry; `row` is that of its first memory, None where it has none."""

    _key = ""

    def show_entry(self, entry: Entry, made: EntryRecords) -> None:
        """Show an entry whole; the same one again stays scrolled."""
        is_same, self._key = self._key == entry.key, entry.key
        self.row = made.records[0][1] if made.records else None
        now, read_only = browser(self).now(), browser(self).read_only

        def render(reading: ReadingMode) -> list[Passage]:
            # Of an edit one wants to see what it did, before what is remembered of it.
            is_edit = bool(entry.path and entry.uses)
            passages = list(_edits(entry, reading)) if is_edit else []
            for record, row, beside in made.records:
                told = record_passages(
                    record, row, made.session, Query(), now,
                    read_only=read_only, beside=beside, reading=reading,
                )  # fmt: skip
                passages += apart(told, 2 if passages else 0)
            if not is_edit:
                passages += _told(entry, reading, has_memory=bool(made.records))
            return passages

        self.show_document(render, hold=is_same)


def _edits(entry: Entry, reading: ReadingMode) -> Iterator[Passage]:
    """All edits of a file in a turn, each as a diff."""
    yield Passage(plain(entry.path, "bold"))
    is_file = entry.key == entry.path
    told = joined(full(entry.at), times(entry).strip(" ()"), "" if entry.refs or is_file else NO_MEMORY)
    yield Passage(plain(told, DIM))
    whole = replace(reading, unfolded=True)
    for use in entry.uses:
        passages = document(use_markdown(use), Query(), whole)
        # The path stands above all of them.
        yield from apart([replace(one, content=unnamed(one.content)) for one in passages])


def _told(entry: Entry, reading: ReadingMode, *, has_memory: bool) -> Iterator[Passage]:
    """What the transcript tells of an entry beside its memories."""
    if not has_memory:
        yield Passage(plain(entry.title, "bold"))
        yield Passage(plain(joined(full(entry.at), NO_MEMORY), DIM))
        if entry.text:
            yield from apart(document(entry.text, Query(), reading))
    elif entry.kind == "reply" and entry.text:
        yield Passage(Content.styled(_("As it was said"), "bold $text-accent"), space=1)
        yield from apart(document(entry.text, Query(), reading))
    for at, use in enumerate(entry.uses):
        if has_memory and not at:
            yield Passage(Content.styled(_("In the transcript"), "bold $text-accent"), space=1)
        whole = replace(reading, unfolded=True)
        yield from apart(document(use_markdown(use), Query(), whole))


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
            [at for at, entry in enumerate(entries) if hold(wanted, entry.title, entry.text)]
            if wanted
            else []
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
