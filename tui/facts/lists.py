"""Facts, each whole on a few lines, and notes, one a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from textual.content import Content

from memtui.store import FACT_KINDS, Fact, FactKind, Note
from memtui.store.aio import AsyncStore

from ..lists.found import FoundRows
from ..lists.paged_list import PagedList
from ..lists.provider import Provider
from ..text.ages import WIDTH as AGE
from ..text.ages import age
from ..text.content import DIM, GAP, fit, plain, right_aligned
from ..text.glyphs import pin
from ..text.wrapping import wrap_text

STYLES: dict[FactKind, str] = {
    "W": "$text-primary", "B": "$text-secondary", "O": "$text-warning", "S": "$text-success",
}  # fmt: skip
"""Of the word for each kind."""

UNKNOWN = "unknown"
"""The word for a kind that another program made up."""
KIND = max(map(len, FACT_KINDS.values()))

BAR = 5
SUPERSEDED = "superseded"
"""What stands in the place of a confidence where another fact holds; as wide as that."""
LINES = 5
"""The most lines that a fact takes."""
CONFIDENCE, EVIDENCE = BAR + 5, 8
WITH_NAMES, WITH_EVIDENCE, WITH_KIND = 97, 75, 44
"""Cells from which on there is room for what a fact names, for what it rests on, for its kind."""


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
            lambda store: store.facts.list(
                self.kind, limit=length, offset=start, entity=self.entity
            )
        )

    async def position(self, item: Fact) -> int | None:
        """Return the index of a fact."""
        return await self.store.run(
            lambda store: store.facts.position(item, self.kind, self.entity)
        )


def fact_provider(
    store: AsyncStore, kind: FactKind | None, entity: str | None, words: str
) -> Provider[Fact]:
    """Return the provider of the facts of a kind that name an entity and hold some words."""
    if not words:
        return FactProvider(store, kind, entity)

    async def find() -> tuple[Sequence[int], bool]:
        found = await store.run(lambda one: one.finding.facts(words, kind, entity))
        return found.ids, found.complete

    async def read(ids: Sequence[int]) -> Sequence[Fact]:
        return await store.run(lambda one: one.facts.by_ids(ids))

    return FoundRows(find, read, lambda fact: fact.id)


class FactList(PagedList[Fact]):
    """Each fact whole, on as many lines as it needs up to `LINES`. What it names and how much it rests on
    leave where there is no room for them, or where they stand beside the list."""

    row_height = LINES
    has_heads = True

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda fact: fact.id, id=id)
        self._now = now

    def ref_of(self, item: Fact) -> str | None:
        return f"f{item.id}"

    def lines_for(self, item: Fact) -> int:
        room = Widths.of(self.row_width).sentence
        return len(wrapped(plain(item.content), room, pin(item), self.most_lines)) if room else 1

    def render_heads(self, width: int) -> Content:
        return Widths.of(width).row(
            "Kind", Content("Fact"), "Names", "Evidence", "Confidence", "Age"
        )

    def render_row(self, item: Fact, width: int, selected: bool) -> list[Content]:
        is_past = item.superseded_by is not None
        widths = Widths.of(width)
        said = "bold" if selected else DIM if is_past else ""
        first, *others = wrapped(
            plain(item.content, said), widths.sentence, pin(item), self.most_lines
        )
        kind = plain(
            FACT_KINDS.get(item.kind, UNKNOWN),
            DIM if is_past else STYLES.get(item.kind, "$text-muted"),
        )
        sure = (
            Content.styled(SUPERSEDED, "$text-warning") if is_past else confidence(item.confidence)
        )
        row = widths.row(
            kind,
            first,
            plain(", ".join(item.entities), DIM),
            plain(f"{len(item.evidence):,}" if item.evidence else "", DIM),
            sure,
            Content.styled(age(item.created_at, self._now(), self.as_dates), DIM),
        )
        return [row, *(Content(" " * widths.before) + line for line in others)]


@dataclass(frozen=True, slots=True)
class Widths:
    """The cells of the columns of a list of facts; 0 for those that have none."""

    kind: int
    sentence: int
    names: int
    evidence: int
    confidence: int
    age: int

    @classmethod
    @cache
    def of(cls, width: int) -> Widths:
        """Return the widths where a row has so many cells in all."""
        kind = KIND if width >= WITH_KIND else 0
        names = width // 6 if width >= WITH_NAMES else 0
        evidence = EVIDENCE if width >= WITH_EVIDENCE else 0
        age = AGE if width >= WITH_KIND else 0
        taken = sum(part + len(GAP) for part in (kind, names, evidence, age) if part)
        return cls(
            kind, max(0, width - taken - CONFIDENCE - len(GAP)), names, evidence, CONFIDENCE, age
        )

    @property
    def before(self) -> int:
        """The cells before the sentence."""
        return self.kind + len(GAP) if self.kind else 0

    def row(self, *cells: Content | str) -> Content:
        """Return a line of the cells of all columns, in order; the last three stand at the right ends."""
        widths = (self.kind, self.sentence, self.names, self.evidence, self.confidence, self.age)
        contents = [Content(cell) if isinstance(cell, str) else cell for cell in cells]
        *left, evidence, sure, when = zip(contents, widths, strict=True)
        found = [fit(cell, width) for cell, width in left if width]
        found += [right_aligned(cell, width) for cell, width in (evidence, sure, when) if width]
        return GAP.join(found)


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


def confidence(value: float) -> Content:
    """Return a confidence of 0 to 1 as a bar and the percentage."""
    full = round(value * BAR)
    return Content.assemble(
        ("━" * full, "$text-accent"),
        ("╌" * (BAR - full), "$foreground 40%"),
        (f"{value:5.0%}", DIM),
    )


class NoteList(PagedList[Note]):
    """By project and path."""

    has_heads = True

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda note: note.id, id=id)
        self._now = now

    def render_heads(self, width: int) -> Content:
        return _note_row("Project", "Note", "Begins", "Age", width=width)

    def render_row(self, item: Note, width: int, selected: bool) -> list[Content]:
        return [
            _note_row(
                plain(item.project or "everywhere"),
                plain(item.path, "bold" if selected else ""),
                plain(_beginning(item.text), DIM),
                Content.styled(age(item.updated_at, self._now(), self.as_dates), DIM),
                width=width,
            )
        ]


PROJECT = 14
WITH_BEGINNING = 40
"""Cells beside the project and the age from which on there is room for how a note begins."""


def _note_row(*cells: Content | str, width: int) -> Content:
    project, path, begins, when = (
        Content(cell) if isinstance(cell, str) else cell for cell in cells
    )
    room = width - PROJECT - AGE - 2 * len(GAP)
    when = right_aligned(when, AGE)
    if room < WITH_BEGINNING:
        return GAP.join([fit(project, PROJECT), fit(path, room), when])
    half = room // 2
    parts = [fit(project, PROJECT), fit(path, half), fit(begins, room - half - len(GAP)), when]
    return GAP.join(parts)


def _beginning(text: str) -> str:
    """The first line that says something; the heading only where there is nothing else."""
    lines = [line.strip() for line in text[:2_000].splitlines() if line.strip()]
    said = (line for line in lines if not line.startswith("#"))
    return next(said, lines[0] if lines else "")
