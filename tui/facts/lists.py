"""Facts, each whole on a few lines, and notes, one a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from memtui.store import Fact, FactKind, Note, taker_of
from memtui.store.aio import AsyncStore
from memtui.store.context.broken_rules import broken_by
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..lists.columns import Column, ColumnList
from ..lists.paged_list import PagedList
from ..lists.provider import FoundRows, Provider
from ..text.ages import WIDTH as AGE
from ..text.ages import age
from ..text.content import DIM, GAP, fit, joined, plain, right_aligned, wrap_text
from ..text.glyphs import pin
from ..text.records import source_label

STYLES: dict[FactKind, str] = {
    "W": "$text-primary", "B": "$text-secondary", "O": "$text-warning", "S": "$text-success",
}  # fmt: skip
"""Of the sign for each kind."""
SIGNS: dict[FactKind, str] = {"W": "⊕", "B": "⌂", "O": "≈", "S": "∑"}
"""What stands before a fact by its kind; the tabs above the list say which is which."""
UNKNOWN = "·"
"""The sign for a kind that another program made up."""
KIND = 2
"""Cells of the sign and the gap behind it."""
LINES = 6
"""The most lines that a fact takes, the one of what is known about it among them."""
CONFIDENCE = 4


@dataclass(frozen=True, slots=True)
class FactProvider:
    """The facts of a kind that name an entity, or of all where these are None, newest first."""

    store: AsyncStore
    kind: FactKind | None = None
    entity: str | None = None

    async def count(self) -> int:
        return await self.store.run(lambda store: store.facts.count(self.kind, entity=self.entity))

    async def page(self, start: int, length: int) -> Sequence[Fact]:
        return await self.store.run(
            lambda store: store.facts.list(self.kind, limit=length, offset=start, entity=self.entity)
        )

    async def position(self, item: Fact) -> int | None:
        """Return the index of a fact."""
        return await self.store.run(lambda store: store.facts.position(item, self.kind, self.entity))


def fact_provider(
    store: AsyncStore, kind: FactKind | None, entity: str | None, words: str
) -> Provider[Fact]:
    """Return the provider of the facts of a kind that name an entity and hold some words."""
    if not words:
        return FactProvider(store, kind, entity)

    async def find() -> tuple[Sequence[int], bool]:
        found_ids = await store.run(lambda item: item.list_search.facts(words, kind, entity))
        return found_ids.ids, found_ids.complete

    async def read(ids: Sequence[int]) -> Sequence[Fact]:
        return await store.run(lambda entry: entry.facts.by_ids(ids))

    return FoundRows(find, read, lambda fact: fact.id)


class FactList(PagedList[Fact]):
    """Each fact whole, on as many lines as it needs; below it whose it is, who said it, on what it rests
    and how sure it is. Compact, a fact is one line, with how sure it is at the end."""

    may_have_marks = True
    row_height = LINES
    has_heads = True

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda fact: fact.id, id=id)
        self._now = now

    def ref_of(self, item: Fact) -> str | None:
        return f"f{item.id}"

    def count_items(self) -> None:
        """Have the title say how many hold the words sought; how many there are the tabs tell."""
        if self.found_words:
            super().count_items()
        else:
            self.entitle(_("Facts"))

    def lines_for(self, item: Fact) -> int:
        room = self._room(self.row_width)
        return 1 + len(wrapped(plain(item.content), room, _tail(item), LINES - 1)) if room else 1

    def render_heads(self, width: int) -> Content:
        ends = [_("Sure")] if self._is_compact else []
        return self._columns(Content(), Content(_("Fact")), [*map(Content, ends), Content(_("Age"))], width)

    def render_row(self, item: Fact, width: int, selected: bool) -> list[Content]:
        is_past = item.superseded_by is not None
        said = "bold" if selected else DIM if is_past else ""
        most = 1 if self._is_compact else LINES - 1
        sentence = plain(item.content, said)
        first, *others = wrapped(sentence, self._room(width), _tail(item), most)
        sign = plain(
            SIGNS.get(item.kind, UNKNOWN),
            DIM if is_past else STYLES.get(item.kind, "$text-muted"),
        )
        when = Content.styled(age(item.created_at, self._now(), self.as_dates), DIM)
        sure = Content.styled(f"{item.confidence:.0%}", DIM)
        if self._is_compact:
            return [self._columns(sign, first, [sure, when], width)]
        indent = Content(" " * KIND)
        known = indent + fit(plain(_known(item), DIM), width - KIND)
        return [
            self._columns(sign, first, [when], width),
            *(indent + line for line in others),
            known,
        ]

    @property
    def _is_compact(self) -> bool:
        return self.most_lines == 1

    def _room(self, width: int) -> int:
        """The cells of a sentence."""
        ends = AGE + len(GAP) + (CONFIDENCE + len(GAP) if self._is_compact else 0)
        return max(0, width - KIND - ends)

    def _columns(self, sign: Content, sentence: Content, ends: Sequence[Content], width: int) -> Content:
        widths = [CONFIDENCE, AGE][-len(ends) :]
        right = [right_aligned(cell, cells) for cell, cells in zip(ends, widths, strict=True)]
        return fit(sign, KIND) + GAP.join([fit(sentence, self._room(width)), *right])


def _known(fact: Fact) -> str:
    """Whose a fact is, who said it, on what it rests, and how sure it is."""
    taker = taker_of(fact.extra)
    memories = count_noun(len(fact.evidence), "memories") if fact.evidence else ""
    return joined(
        fact.project or _("everywhere"),
        _("said by {taker}", taker=_(taker)) if taker else source_label(fact.source or ""),
        memories,
        _("{confidence} sure", confidence=f"{fact.confidence:.0%}"),
        _(", ").join(fact.entities),
    )


def _tail(fact: Fact) -> Content:
    """What stands behind a fact: that it is pinned, that another one holds in its place, that it was
    broken."""
    if fact.superseded_by is not None:
        return pin(fact) + Content.styled(" " + _("superseded"), "$text-warning")
    if times := len(broken_by(fact)):
        return pin(fact) + Content.styled(" " + _("‼ broken {times}×", times=times), "$text-error")
    return pin(fact)


def wrapped(sentence: Content, room: int, tail: Content, most: int) -> list[Content]:
    """Return a sentence on at most so many lines of `room` cells, `tail` behind it; the last line is cut
    where there is more."""
    if most == 1:
        return [fit(sentence, room, tail).rstrip()]
    whole = [*wrap_text(sentence, room)]
    if tail and whole[-1].cell_length + tail.cell_length > room:
        # A sign may stand on a line of its own.
        whole = [*whole, Content()]
    *lines, last = whole[:most]
    rest = Content(" ").join([last, *whole[most:]])
    return [*(line.rstrip() for line in lines), fit(rest, room, tail).rstrip()]


class NoteList(ColumnList[Note]):
    """By project and path; how a note begins is told where there is room for it."""

    may_have_marks = True
    least = 40

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda note: note.id, id=id)

        def changed(item: Note, _selected: bool) -> Content:
            return Content.styled(age(item.updated_at, now(), self.as_dates), DIM)

        self.columns = (
            Column(_("Project"), lambda item, _selected: plain(item.project or _("everywhere")), 14),
            Column(_("Note"), lambda item, selected: plain(item.path, "bold" if selected else "")),
            Column(_("Begins"), lambda item, _selected: plain(_beginning(item.text), DIM), leaves=1),
            Column(_("Age"), changed, AGE, is_number=True),
        )

    def shared_ref_of(self, item: Note) -> str | None:
        return f"n{item.id}"


def _beginning(text: str) -> str:
    """The first line that says something; the heading only where there is nothing else."""
    lines = [line.strip() for line in text[:2_000].splitlines() if line.strip()]
    said = (line for line in lines if not line.startswith("#"))
    return next(said, lines[0] if lines else "")
