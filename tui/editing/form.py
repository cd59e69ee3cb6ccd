"""The form: one memory's fields to be corrected, or those of a new one, which is added."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static, TextArea

from memtui.store import (
    SHOWN_KINDS,
    AnyRecord,
    FactKind,
    InvalidRecordError,
    Store,
    StoreError,
    fact_kind,
    field_values,
    kind_of,
    ref,
)
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _
from memtui.store.records.fields import heading, title_of
from memtui.store.text.display import safe

from ..keys.bindings import hidden, key
from ..parts.dialog import Dialog, QuestionScreen
from ..parts.line_input import LineInput, ValuesInUse
from ..protocol import browser
from ..text.content import DIM, Passage, joined, plain
from .storing import COMPLETED, WORDS, Outcome, Saving, Shape, fields_of, shape, shown, typed

FIRST: dict[str, dict[str, Any]] = {
    "observation": {"type": "note"},
    "fact": {"kind": "O", "confidence": 1.0},
    "note": {},
}
"""What a new memory of each kind is offered to begin with."""

BEGUN = {
    "observation": ("title", _("A memory needs a title.")),
    "fact": ("content", _("A fact is one sentence: it needs a content.")),
    "note": ("path", _("A note needs a path, such as MEMORY.md.")),
}
"""The kinds that can be added, the field that each needs, and what is said where it is empty."""


def added(store: Store, kind: str, fields: dict[str, Any]) -> AnyRecord:
    """Store a new memory, as one undo, and return it. Raises InvalidRecordError, and nothing is stored."""
    needed, sentence = BEGUN[kind]
    begin = str(fields.get(needed, "")).strip()
    if not begin:
        raise InvalidRecordError(sentence)
    with store.change() as action:
        record = _added(store, kind, begin, fields)
        action.what = _("{kind} {memory} added", kind=_(kind), memory=ref(kind, record.id))
    return record


def _added(store: Store, kind: str, begin: str, fields: dict[str, Any]) -> AnyRecord:
    project = str(fields.get("project", ""))
    match kind:
        case "observation":
            made = store.observations.add(None, title=begin, project=project or None)
            return store.edit(ref(kind, made.id), fields)
        case "note":
            if any((note.path, note.project) == (begin, project) for note in store.notes.list()):
                raise InvalidRecordError("There is a note {path} already. Edit that one.", path=begin)
            return store.notes.upsert(begin, str(fields.get("text", "")), project=project)
    return store.facts.add(
        begin,
        kind=_letter(str(fields.get("kind", "preference"))),
        project=project,
        entities=fields.get("entities", ()),
        confidence=_share(str(fields.get("confidence", "1"))),
    )


def _letter(word: str) -> FactKind:
    if result := fact_kind(word):
        return result
    raise InvalidRecordError(
        "A kind is {kinds}, not {word!r}.", kinds=", ".join(SHOWN_KINDS.values()), word=word
    )


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InvalidRecordError("Confidence is a number from 0 to 1, not {text!r}.", text=text) from error


KEEP, LEAVE = "s", "d"
UNCHANGED = _("Nothing was changed.")
HINTS: dict[Shape, str] = {"words": _("commas between"), "lines": _("one a line")}


class FieldRow(Horizontal):
    """A label and its field; it is `-current` while the field has the focus."""

    @on(events.DescendantFocus)
    def _enter(self) -> None:
        self.add_class("-current")

    @on(events.DescendantBlur)
    def _leave(self) -> None:
        self.remove_class("-current")


class FormScreen(Dialog[str]):
    """The fields of one kind of memory. It gives what to tell when it was left: `` for nothing."""

    CSS_PATH = "form.tcss"
    BINDINGS = [
        key(
            "ctrl+s",
            "save",
            "Save",
            "Store what was changed, and close",
            "form.save",
            priority=True,
        ),
        key("escape", "leave", "Leave", "Close; asks only if something changed", "form.leave"),
        key("ctrl+t", "tags", "Tags", "To the tags", "form.tags", priority=True),
    ]

    box = getters.query_one(Vertical)
    message = getters.query_one("#message", Static)

    def __init__(
        self, kind: str, values: dict[str, Any], ref: str = "", record: AnyRecord | None = None
    ) -> None:
        """`record` is what is corrected, as it was read, and `ref` how people name it; without it a
        new one is made, of which `values` are offered."""
        super().__init__()
        self.kind = kind
        self._ref = ref
        self._record = record
        self._values = values
        self._names = fields_of(kind, values)
        self._first: dict[str, str] = {}

    @classmethod
    def of(cls, record: AnyRecord, ref: str) -> FormScreen:
        """Return the form that corrects a record."""
        kind = kind_of(record)
        return cls(kind, field_values(record), ref, record)

    @property
    def is_new(self) -> bool:
        """Whether it makes a new memory."""
        return self._record is None

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            kind = _(self.kind)
            box.border_title = (
                _("new {kind}", kind=kind)
                if self.is_new
                else _("edit {kind} {memory}", kind=kind, memory=self._ref)
            )
            tags = _("^t tags") if "tags" in self._names else ""
            box.border_subtitle = joined(_("^s saves"), _("⇥ next field"), tags, _("esc leaves"))
            with VerticalScroll(can_focus=False):
                yield from self._rows()
            yield Static(id="message", markup=False)

    def _rows(self) -> Iterator[FieldRow]:
        side = browser(self).side
        for name in self._names:
            value = shown(self.kind, name, self._values.get(name))
            is_line = shape(self.kind, name) in ("line", "words")
            field = FieldLine(value, name, side) if is_line else FieldText(value, name, side)
            yield FieldRow(Static(plain(_(heading(name))), classes="label"), field)

    def on_mount(self) -> None:
        self._first = {field.field: field.value for field in self._fields()}
        fields = list(self._fields())
        for field in fields:
            if isinstance(field, FieldLine):
                field.cursor_position = len(field.value)
        fields[0].focus()

    def changed(self) -> dict[str, Any]:
        """Return what was changed, by the names of the fields. Raises InvalidRecordError."""
        return {
            field.field: typed(self.kind, field.field, field.value, self._values.get(field.field))
            for field in self._fields()
            if field.value != self._first[field.field] or (self.is_new and field.value.strip())
        }

    def action_tags(self) -> None:
        """To the tags."""
        for field in self._fields():
            if field.field == "tags":
                field.focus()

    def action_save(self) -> None:
        """Store what was changed. What the store refuses is told, and the form stays."""
        try:
            fields = self.changed()
        except StoreError as error:
            self._refused(error)
            return
        if self._record is None:
            self._add(fields)
        elif not fields:
            self.dismiss(UNCHANGED)
        else:
            done = partial(self._saved, fields)
            back = _("back to the form")
            Saving(self.app, self._ref, fields, self._record, back, done, "e").start()

    def _saved(self, fields: dict[str, Any], outcome: Outcome | StoreError) -> None:
        if isinstance(outcome, StoreError):
            self._refused(outcome)
        elif outcome != "back":
            self.dismiss(told(outcome, fields))

    @work(exclusive=True, group="save")
    async def _add(self, fields: dict[str, Any]) -> None:
        def stored(store: Store) -> AnyRecord:
            with store.pressed("n"):
                return added(store, self.kind, fields)

        try:
            record = await browser(self).side.run(stored)
        except StoreError as error:
            self._refused(error)
        else:
            self.dismiss(_("Added: {title} (u undoes)", title=named(record)))

    @property
    def unsaved(self) -> str:
        names = self._names_changed()
        return _("What you changed ({fields})", fields=_(", ").join(names)) if names else ""

    def _names_changed(self) -> list[str]:
        return [
            _(heading(field.field)).lower()
            for field in self._fields()
            if field.value != self._first[field.field]
        ]

    def action_leave(self) -> None:
        """Close; where something was changed, ask."""
        names = self._names_changed()
        if not names:
            self.dismiss("")
            return
        question = QuestionScreen(
            _("not saved yet"),
            [Passage(plain(_("You changed: {fields}.", fields=_(", ").join(names))))],
            {KEEP: _("saves"), LEAVE: _("drops it"), "escape": _("back to the form")},
        )
        self.app.push_screen(question, self._left)

    def _left(self, answer: str | None) -> None:
        if answer == KEEP:
            self.action_save()
        elif answer == LEAVE:
            self.dismiss("")

    def _refused(self, error: StoreError) -> None:
        self._tell(plain(str(error), "$text-error", newlines=True))

    @on(events.DescendantFocus)
    @on(Input.Changed)
    @on(TextArea.Changed)
    def _offer(self) -> None:
        self._show_offers()

    @work(exclusive=True, group="offers")
    async def _show_offers(self) -> None:
        """Say what the field in focus is made of, and what the store holds in it."""
        field = self.focused
        if not isinstance(field, FieldLine | FieldText):
            return
        hint = HINTS.get(shape(self.kind, field.field), "")
        text = field.value if isinstance(field, FieldLine) else field.typed
        used: list[str] = []
        if field.completion is not None and (text or isinstance(field, FieldLine)):
            used = [name for name in await field.completion.offers(text) if name != text]
            if isinstance(field, FieldText) and field.typed == text:
                whole = await field.completion.get_suggestion(text)
                field.suggestion = whole[len(text) :] if whole else ""
        takes = _("→ takes: {values}", values=" · ".join(used)) if used else ""
        self._tell(plain(joined(hint, takes), DIM))

    def _tell(self, content: Content) -> None:
        self.message.update(content)

    def _fields(self) -> Iterator[FieldLine | FieldText]:
        for field in self.query("FieldLine, FieldText"):
            assert isinstance(field, FieldLine | FieldText)
            yield field


def told(outcome: Outcome, fields: dict[str, Any]) -> str:
    """Return what to tell of an edit that is over: stored, or given up for theirs."""
    if isinstance(outcome, str):
        return _("Their version was kept; your changes were not saved.")
    names = _(", ").join(_(heading(name)).lower() for name in fields)
    return _("Saved: {title} · {fields} (u undoes)", title=named(outcome), fields=names)


def named(record: AnyRecord) -> str:
    """Return what a record is called, short enough for a toast."""
    title = safe(title_of(record) or kind_of(record))
    return f"{title[:60]}…" if len(title) > 60 else title


def completion(side: AsyncStore, field: str) -> ValuesInUse | None:
    """Return what completes a field; None for one of free words."""
    if field not in COMPLETED:
        return None
    known = tuple(SHOWN_KINDS.values()) if field == "kind" else ()
    return ValuesInUse(side, field, is_list=field in WORDS, known=known)


class FieldLine(LineInput):
    """A field of one line."""

    BINDINGS = [
        hidden("up", "app.focus_previous", "Up", "To the field above", "field.up"),
        hidden("down,enter", "app.focus_next", "Down", "To the field below", "field.down"),
    ]

    def __init__(self, value: str, field: str, side: AsyncStore) -> None:
        self.completion = completion(side, field)
        super().__init__(
            value,
            suggester=self.completion,
            compact=True,
            select_on_focus=False,
            id=f"field-{field}",
        )
        self.field = field


class FieldText(TextArea):
    """A field of many lines; whatever gets into it is fit for the screen."""

    def __init__(self, value: str, field: str, side: AsyncStore) -> None:
        super().__init__(value, compact=True, highlight_cursor_line=False, id=f"field-{field}")
        self.cursor_blink = False
        self.completion = completion(side, field)
        self.field = field

    @property
    def typed(self) -> str:
        """What stands before the cursor in its line; "" where more stands behind it."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        return line if column == len(line) else ""

    @property
    def value(self) -> str:
        """What stands in it."""
        return self.text

    async def _on_paste(self, event: events.Paste) -> None:
        event.prevent_default()
        event.stop()
        result = self._replace_via_keyboard(safe(event.text, newlines=True), *self.selection)
        if result is not None:
            self.move_cursor(result.end_location)
