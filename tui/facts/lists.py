"""Facts, each whole on a few lines, and notes, one a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from textual.content import Content

from memtui.store import Fact, FactKind, Note
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
"""Of the sign for each kind."""
SIGNS: dict[FactKind, str] = {"W": "⊕", "B": "⌂", "O": "≈", "S": "∑"}
"""What stands before a fact by its kind; the tabs above the list say which is which."""
UNKNOWN = "·"
"""The sign for a kind that another program made up."""
KIND_GAP = Content(" ")
LINES = 5
"""The most lines that a fact takes."""
CONFIDENCE, EVIDENCE, PROJECT = 4, 4, 14
WITH_NAMES, WITH_PROJECT, WITH_EVIDENCE, WITH_AGE = 110, 86, 60, 44
"""Cells from which on there is room for what a fact names, for its project, for what it rests on, for its
age."""


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
        found_ids = await store.run(lambda item: item.finding.facts(words, kind, entity))
        return found_ids.ids, found_ids.complete

    async def read(ids: Sequence[int]) -> Sequence[Fact]:
        return await store.run(lambda entry: entry.facts.by_ids(ids))

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
        return len(wrapped(plain(item.content), room, _tail(item), self.most_lines)) if room else 1

    def render_heads(self, width: int) -> Content:
        return Widths.of(width).row("", Content("Fact"), "Names", "Project", "From", "Sure", "Age")

    def render_row(self, item: Fact, width: int, selected: bool) -> list[Content]:
        is_past = item.superseded_by is not None
        widths = Widths.of(width)
        said = "bold" if selected else DIM if is_past else ""
        first, *others = wrapped(
            plain(item.content, said), widths.sentence, _tail(item), self.most_lines
        )
        kind = plain(
            SIGNS.get(item.kind, UNKNOWN),
            DIM if is_past else STYLES.get(item.kind, "$text-muted"),
        )
        row = widths.row(
            kind,
            first,
            plain(", ".join(item.entities), DIM),
            plain(item.project or "everywhere", DIM),
            plain(f"{len(item.evidence):,}" if item.evidence else "", DIM),
            Content.styled(f"{item.confidence:.0%}", DIM),
            Content.styled(age(item.created_at, self._now(), self.as_dates), DIM),
        )
        return [row, *(Content(" " * widths.before) + line for line in others)]


def _tail(fact: Fact) -> Content:
    """What stands behind a fact: that it is pinned, that another one holds in its place."""
    past = Content.styled(" superseded", "$text-warning")
    return pin(fact) + past if fact.superseded_by is not None else pin(fact)


@dataclass(frozen=True, slots=True)
class Widths:
    """The cells of the columns of a list of facts; 0 for those that have none."""

    kind: int
    sentence: int
    names: int
    project: int
    evidence: int
    confidence: int
    age: int

    @classmethod
    @cache
    def of(cls, width: int) -> Widths:
        """Return the widths where a row has so many cells in all."""
        names = width // 6 if width >= WITH_NAMES else 0
        project = PROJECT if width >= WITH_PROJECT else 0
        evidence = EVIDENCE if width >= WITH_EVIDENCE else 0
        age = AGE if width >= WITH_AGE else 0
        others = (names, project, evidence, CONFIDENCE, age)
        taken = len(KIND_GAP) + 1 + sum(part + len(GAP) for part in others if part)
        return cls(1, max(0, width - taken), *others)

    @property
    def before(self) -> int:
        """The cells before the sentence."""
        return self.kind + len(KIND_GAP)

    def row(self, *cells: Content | str) -> Content:
        """Return a line of the cells of all columns, in order; the last three stand at the right ends."""
        widths = (
            self.sentence, self.names, self.project, self.evidence, self.confidence, self.age,
        )  # fmt: skip
        kind, *contents = [Content(cell) if isinstance(cell, str) else cell for cell in cells]
        *left, evidence, sure, when = zip(contents, widths, strict=True)
        results = [fit(cell, width) for cell, width in left if width]
        results += [right_aligned(cell, width) for cell, width in (evidence, sure, when) if width]
        return fit(kind, self.kind) + KIND_GAP + GAP.join(results)


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
