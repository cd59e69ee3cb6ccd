"""Memories that may be merged: the list of them; field by field, side by side or one below the other, with
the values chosen of them; and the form in which the result is edited before anything is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region

from memtui.store import SHOWN_KINDS, AnyRecord, MergePlan, StoreError
from memtui.store.curation.word_diff import word_diff
from memtui.store.maintain.duplicates.candidates import MergeCandidate
from memtui.store.platform.translation import _
from memtui.store.records.fields import editable, heading
from memtui.store.text.plural import count_noun

from ..editing.form import FormScreen
from ..keys.bindings import hidden, key
from ..lists.paged_list import PagedList
from ..parts.text_view import TextView
from ..protocol import browser
from ..text.content import DIM, edges, fit, joined, plain

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark


class CandidateList(PagedList[MergeCandidate]):
    """Each with why it is offered, on two lines."""

    may_have_marks = True

    BINDINGS: ClassVar[list[BindingType]] = [
        key("enter", "select", "Compare", "Go to its fields side by side", "merge.open", display="⏎"),
    ]

    def __init__(self) -> None:
        super().__init__(key=lambda candidate: candidate.refs, row_height=2)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.count > 0 if action == "select" else super().check_action(action, parameters)

    def mark_of(self, item: MergeCandidate) -> TeamMark | None:
        """Return the mark of the first that is a teammate's."""
        known = browser(self).team_marks
        marks = [mark for ref in item.refs if (mark := known.of(self.app, ref))]
        return next((mark for mark in marks if mark.author), None)

    def render_row(self, item: MergeCandidate, width: int, selected: bool) -> list[Content]:
        title = plain(item.title or _("untitled"), "bold" if selected else "")
        alike = f"{item.similarity:.0f}%"
        what = count_noun(len(item.refs), "memories")
        if item.is_conflict:
            what, alike = _(item.why), _("conflict")
        elif item.is_replacement:
            what = _("may replace it: {reason}", reason=_(item.why))
        content = plain(joined(what, item.project), DIM)
        return [fit(title, width), edges(content, plain(alike, DIM), width)]


class ResultForm(FormScreen):
    """It gives `` in any case; `fields` are those that were changed, and kept."""

    CSS_PATH = "../editing/form.tcss"

    def __init__(self, kind: str, values: dict[str, Any], ref: str, record: AnyRecord) -> None:
        super().__init__(kind, values, ref, record)
        self.fields: dict[str, Any] = {}

    def on_mount(self) -> None:
        self.box.border_title = _("what they become")
        self.box.border_subtitle = _("^s keeps it for the merge · ⇥ next field · esc leaves")

    def action_save(self) -> None:
        """Keep what was changed for the merge."""
        try:
            self.fields = self.changed()
        except StoreError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.dismiss("")


ALL, EDITED = "all", "edited"
CONFIDENCE = "confidence"


@dataclass(slots=True)
class FieldChoice:
    """A field and the values that it can have. An option is a label with a value: the ref of the first
    memory that has it, `all` for the items of all, or `edited`; `chosen` is the index of one."""

    name: str
    values: tuple[Any, ...]
    """The values of the memories, in their order."""
    options: list[tuple[str, Any]] = field(default_factory=list)
    chosen: int = 0

    @property
    def label(self) -> str:
        """Where the chosen value is from."""
        return self.options[self.chosen][0]

    @property
    def value(self) -> Any:
        """The chosen value."""
        return self.options[self.chosen][1]

    @property
    def is_open(self) -> bool:
        """Whether there is anything to choose."""
        return len(self.options) > 1

    def takes(self, place: int) -> bool:
        """Whether the value of the memory at this place is in the chosen one."""
        value = self.values[place]
        return bool(value) if self.label == ALL else (bool(value) and value == self.value)

    def step(self, places: int) -> None:
        """Choose the next value (1) or the one before (-1), round and round."""
        self.chosen = (self.chosen + places) % len(self.options)


class Choices:
    """The choices of all fields of a merge."""

    def __init__(self, plan: MergePlan, refs: tuple[str, ...]) -> None:
        """`refs` are those of the plan's records, in their order."""
        self.plan = plan
        self.refs = refs
        self.all = [*self._fields()]

    @property
    def open(self) -> list[FieldChoice]:
        """The fields in which the memories differ."""
        return [choice for choice in self.all if choice.is_open]

    @property
    def values(self) -> dict[str, Any]:
        """All fields as they are chosen."""
        return {
            choice.name: choice.values[0]
            if choice.name == CONFIDENCE and choice.label == ALL
            else choice.value
            for choice in self.all
        }

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that the merge is to give the memory that stays. How sure a fact is follows from its
        sources, unless somebody chose it."""
        return {
            choice.name: choice.value
            for choice in self.all
            if choice.is_open and not (choice.name == CONFIDENCE and choice.label == ALL)
        }

    def prefer(self, place: int) -> None:
        """Choose the values of the memory at a place, in all fields but lists and the confidence."""
        for choice in self.all:
            for number, (label, _value) in enumerate(choice.options):
                if label == self.refs[place] and choice.options[0][0] != ALL:
                    choice.chosen = number

    def edit(self, fields: Mapping[str, Any]) -> None:
        """Set fields to the values that were typed."""
        for choice in self.all:
            if choice.name in fields:
                choice.options = [pair for pair in choice.options if pair[0] != EDITED]
                choice.options.append((EDITED, fields[choice.name]))
                choice.chosen = len(choice.options) - 1

    def _fields(self) -> Iterator[FieldChoice]:
        for name, known in editable(self.plan.kind).items():
            values = tuple(getattr(record, name) for record in self.plan.records)
            choice = FieldChoice(name, values)
            for ref, value in zip(self.refs, values, strict=True):
                if (value or value == 0) and all(value != known for _, known in choice.options):
                    choice.options.append((ref, value))
            if known.is_list and len(choice.options) > 1:
                items = tuple(dict.fromkeys(item for value in values for item in value))
                choice.options.insert(0, (ALL, items))
            elif name == CONFIDENCE and len(choice.options) > 1:
                choice.options.insert(0, (ALL, None))
            if not choice.options:
                choice.options.append((self.refs[0], values[0]))
            yield choice


LABEL = 17
"""Cells of a field's name and of the bar before it."""
LEAST = 28
"""The fewest cells of a column; with fewer, memories stand one below the other."""
GAP = 2
DIFFERS = "$text-accent underline"
"""The style of what another memory doesn't say: an underline too, since not all see colours."""
TAKEN, LEFT = "● ", "○ "
SAME = _("the same in all, or in one only")


class Comparison(TextView, inherit_bindings=False):
    """The fields of memories. The cursor is on a field; ← and → choose among its values."""

    BINDINGS: ClassVar[list[BindingType]] = [
        hidden("down,j", "field(1)", "Field", "To the next field", "merge.field"),
        hidden("up,k", "field(-1)", "Field before", "To the field before", "merge.field-before"),
        key("right", "choose(1)", "Choose", "The next memory's value of this field", "merge.choose",
            display="← →"),
        hidden("left", "choose(-1)", "Choose", "The value of the memory before", "merge.choose-before"),
        hidden("pageup,b", "page_up", "Page up", "A screenful up", "merge.page-up"),
        hidden("pagedown,space", "page_down", "Page down", "A screenful down", "merge.page-down"),
    ]  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.choices: Choices | None = None
        self.heads: Sequence[Sequence[str]] = ()
        self.around: Sequence[Content] = ()
        self.cursor = 0

    def compare(
        self,
        choices: Choices | None,
        heads: Sequence[Sequence[str]] = (),
        around: Sequence[Content] = (),
    ) -> None:
        """Show memories; `heads` say of each what becomes of it, and when and where it was made, and
        `around` are lines of what happened around them."""
        self.choices, self.heads, self.around, self.cursor = choices, heads, around, 0
        self.show(())

    def action_field(self, step: int) -> None:
        """Move the cursor to another field."""
        if self.choices is not None:
            last = len(self.choices.open) - 1
            self.cursor = max(0, min(self.cursor + step, last))
            self.show((), hold=True)
            lines = self.lines_of(range(self.cursor + 1, self.cursor + 2))
            # The first field with what stands above it, so that one sees what is compared.
            start = 0 if self.cursor == 0 else lines.start
            self.scroll_to_region(Region(0, start, 1, lines.stop - start), animate=False)

    def action_choose(self, step: int) -> None:
        """Choose another value of the field under the cursor."""
        if self.choices is not None and self.choices.open:
            self.choices.open[self.cursor].step(step)
            self.show((), hold=True)

    def _wrap_in(self, width: int) -> list[list[Content]]:
        if self.choices is None or width < 8:
            return []
        room = (width - LABEL) // len(self.choices.refs) - GAP
        view = _Columns(self.choices, room) if room >= LEAST else _Stack(self.choices, width)
        blocks = [[*view.head(self.heads)]]
        for place, choice in enumerate(self.choices.open):
            blocks.append([*view.field(choice, is_current=place == self.cursor), Content()])
        blocks.append([*_same(self.choices, width)])
        blocks.append([fit(Content("  ") + line, width) for line in self.around])
        return blocks


class _Columns:
    """A column a memory."""

    def __init__(self, choices: Choices, width: int) -> None:
        self.choices = choices
        self.width = width

    def head(self, heads: Sequence[Sequence[str]]) -> Iterator[Content]:
        """The lines above the fields."""
        names = [_name(*pair) for pair in zip(self.choices.refs, heads, strict=True)]
        yield self._line(Content(" " * LABEL), names)
        for lines in zip_longest(*(_wrap(plain(head[1], DIM), self.width) for head in heads)):
            yield self._line(Content(" " * LABEL), lines)
        yield Content()

    def field(self, choice: FieldChoice, *, is_current: bool) -> Iterator[Content]:
        """The lines of a field."""
        cells = [
            [*_marked(value, choice.takes(place), self.width)]
            for place, value in enumerate(differences(choice))
        ]
        labels = _labels(choice, is_current=is_current)
        for number, parts in enumerate(zip_longest(*cells)):
            yield self._line(labels[0] if number == 0 else labels[1], parts)
        yield from _edited(choice, labels[1], LABEL + len(cells) * (self.width + GAP))

    def _line(self, label: Content, parts: Sequence[Content | None]) -> Content:
        cells = [fit(part or Content(), self.width) for part in parts]
        return label + Content(" " * GAP).join(cells)


class _Stack:
    """A memory below the other."""

    def __init__(self, choices: Choices, width: int) -> None:
        self.choices = choices
        self.width = width
        self.refs = max(map(len, choices.refs)) + 2

    def head(self, heads: Sequence[Sequence[str]]) -> Iterator[Content]:
        """The lines above the fields."""
        for text, head in zip(self.choices.refs, heads, strict=True):
            yield fit(Content("  ").join([_name(text, head), plain(head[1], DIM)]), self.width)
        yield Content()

    def field(self, choice: FieldChoice, *, is_current: bool) -> Iterator[Content]:
        """The lines of a field."""
        labels = _labels(choice, is_current=is_current)
        yield labels[0]
        bar = labels[1].truncate(2)
        for place, value in enumerate(differences(choice)):
            lines = _marked(value, choice.takes(place), self.width - 2 - self.refs)
            for number, line in enumerate(lines):
                ref = plain(self.choices.refs[place] if number == 0 else "", DIM)
                yield bar + fit(ref, self.refs) + line
        yield from _edited(choice, bar, self.width)


def differences(choice: FieldChoice) -> list[Content]:
    """Return the values of the memories, with what sets each apart from the others."""
    if any(isinstance(value, tuple | list) for value in choice.values):
        shared = set.intersection(*(set(value or ()) for value in choice.values))
        return [
            Content("\n").join(plain(item, "" if item in shared else DIFFERS) for item in value or ())
            for value in choice.values
        ]
    texts = [_text(choice, value) for value in choice.values]
    first = next((text for text in texts if text), "")
    other = next((text for text in texts if text and text != first), first)
    contents: list[Content] = []
    for text in texts:
        apart = text != first
        runs = word_diff(first if apart else other, text)
        parts = [
            plain(part, DIFFERS if kind == "added" and first else "", newlines=True)
            for kind, part in runs
            if kind != "removed"
        ]
        contents.append(Content.assemble(*parts))
    return contents


def _text(choice: FieldChoice, value: Any) -> str:
    if choice.name == "kind":
        return _(SHOWN_KINDS.get(value, value))
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)


def _name(ref: str, head: Sequence[str]) -> Content:
    return Content.assemble(plain(ref, "bold"), plain(f"  {head[0]}", DIM))


def _labels(choice: FieldChoice, *, is_current: bool) -> tuple[Content, Content]:
    """The name of a field, and what stands below it."""
    bar = Content.styled("▌ " if is_current else "  ", "$accent")
    name = _(heading(choice.name))
    style = "bold" if is_current else DIM
    content = f" · {_('all')}" if choice.label == ALL else ""
    shown = fit(Content.assemble(plain(name, style), plain(content, DIM)), LABEL - 3)
    return bar + shown + " ", bar + " " * (LABEL - 2)


def _marked(value: Content, is_taken: bool, width: int) -> Iterator[Content]:
    mark = Content.styled(TAKEN, "bold $accent") if is_taken else Content.styled(LEFT, DIM)
    if not value.plain.strip():
        yield Content.styled("  –", DIM)
        return
    for number, line in enumerate(_wrap(value, width - len(TAKEN))):
        yield (Content("  ") if number else mark) + line


def _edited(choice: FieldChoice, before: Content, width: int) -> Iterator[Content]:
    for name, value in choice.options:
        if name == EDITED:
            text = "\n".join(value) if isinstance(value, list | tuple) else _text(choice, value)
            content = plain(text or _("(empty)"), newlines=True)
            lines = _marked(content, choice.label == EDITED, width - before.cell_length - 8)
            for number, line in enumerate(lines):
                shown_text = plain("" if number else _("edited"), DIM)
                yield before + fit(shown_text, 8) + line


def _same(choices: Choices, width: int) -> Iterator[Content]:
    same = [choice for choice in choices.all if not choice.is_open and choice.value]
    if not same:
        return
    yield Content.styled(f"  {SAME}", "bold $text-accent")
    for field_choice in same:
        name = plain(_(heading(field_choice.name)), DIM)
        is_list = isinstance(field_choice.value, list | tuple)
        text = _(", ").join(field_choice.value) if is_list else _text(field_choice, field_choice.value)
        for number, line in enumerate(_wrap(plain(text, DIM), max(8, width - LABEL))):
            yield Content("  ") + fit(Content() if number else name, LABEL - 2) + line


def _wrap(content: Content, width: int) -> list[Content]:
    return [*content.wrap(max(1, width))]
