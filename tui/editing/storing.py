"""The fields of an edit, how each is shown and what was typed in it; and storing them: where others changed
the memory meanwhile, the user chooses between the two."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any, Literal, cast

from textual.content import Content

from memtui.store import (
    SHOWN_KINDS,
    AnyRecord,
    EditConflictError,
    InvalidRecordError,
    Store,
    StoreError,
    field_values,
    kind_of,
)
from memtui.store.platform.translation import _
from memtui.store.records.fields import FIELDS, editable, heading
from memtui.store.text.display import safe

from ..parts.dialog import QuestionScreen
from ..protocol import browser
from ..text.content import DIM, Passage, plain

if TYPE_CHECKING:
    from textual.app import App


Outcome = AnyRecord | Literal["theirs", "back"]
"""The record as it is stored now, or what the user chose instead."""
MINE = "m"
THEIRS = "t"


class Saving:
    """Gives a record other values. Where it was changed since it was read, both are shown, and nothing
    is written unless the user chooses theirs."""

    def __init__(
        self,
        app: App[Any],
        ref: str,
        fields: Mapping[str, Any],
        record: AnyRecord,
        back: str,
        done: Callable[[Outcome | StoreError], None],
        key: str,
    ) -> None:
        """`record` is as it was read; `back` says where Esc leads; `done` is called once, with what came
        of it: the error where the store refuses it; `key` is what the journal says was pressed."""
        self._app = app
        self._ref = ref
        self._fields = fields
        self._record = record
        self._back = back
        self._done = done
        self._key = key

    def start(self, expected: AnyRecord | None = None) -> None:
        """Store it, if the record is still as it was read, or as `expected`."""
        self._app.run_worker(self._store(expected or self._record), group="write")

    async def _store(self, expected: AnyRecord) -> None:
        def edited(store: Store) -> AnyRecord:
            with store.pressed(self._key):
                return store.edit(self._ref, self._fields, expected=expected)

        try:
            self._done(await browser(self._app).side.run(edited))
        except EditConflictError as error:
            self._ask(cast(AnyRecord, error.present))
        except StoreError as error:
            self._done(error)

    def _ask(self, present: AnyRecord) -> None:
        def answered(answer: str | None) -> None:
            if answer == MINE:
                self.start(present)
            else:
                self._done("theirs" if answer == THEIRS else "back")

        question = QuestionScreen(
            _("changed by others meanwhile"),
            list(both(self._record, present, self._fields)),
            {MINE: _("stores mine"), THEIRS: _("keeps theirs"), "escape": self._back},
        )
        self._app.push_screen(question, answered)


def both(read: AnyRecord, present: AnyRecord, fields: Mapping[str, Any]) -> Iterator[Passage]:
    """Yield what others changed and what is to be stored, field by field, beside what was read."""
    kind = kind_of(present)
    yield Passage(
        plain(
            _(
                "Nothing is saved yet. Mine: the fields that you changed are saved, and everything "
                "else stays as they left it."
            )
        )
    )
    before, after = field_values(read), field_values(present)
    names = [name for name in after if after[name] != before[name] or name in fields]
    for name in names:
        yield Passage(Content.styled(_(heading(name)), "bold $text-accent"), space=1)
        yield Passage(_value(kind, name, before[name], DIM), _("before"))
        if after[name] != before[name]:
            yield Passage(_value(kind, name, after[name]), _("theirs"))
        else:
            yield Passage(Content.styled(_("as before"), DIM), _("theirs"))
        if name in fields:
            yield Passage(_value(kind, name, fields[name]), _("mine"))
        else:
            yield Passage(Content.styled(_("not changed by you: theirs stays"), DIM), _("mine"))
    flags = [
        word
        for name, word in (
            ("pinned", _("pinned")),
            ("private", _("hidden as private")),
            ("deleted_at", _("deleted")),
        )
        if getattr(read, name, None) != getattr(present, name, None)
    ]
    if flags:
        yield Passage(
            plain(_("They changed whether it is {states}.", states=_(" or ").join(flags))), space=1
        )


Shape = Literal["line", "words", "lines", "text"]
"""A text of one line; a list of words on a line, with commas between them; a list of an item a line; a
text of many lines."""
_FIELDS = [field for kind in FIELDS for field in editable(kind).values()]
WORDS = frozenset(field.name for field in _FIELDS if field.form == "words")
COMPLETED = frozenset(field.name for field in _FIELDS if field.label) | {"type", "project", "kind"}
"""The fields that are offered what the store holds in them."""
ONLY_WITH_VALUE = frozenset((("observation", "text"), ("summary", "text")))
"""What other programs fill in, and nobody misses where it is empty."""


def shape(kind: str, name: str) -> Shape:
    """Return how a field is edited."""
    field = editable(kind)[name]
    if field.is_list:
        return "words" if field.form == "words" else "lines"
    return "text" if field.form == "text" else "line"


def fields_of(kind: str, values: dict[str, Any]) -> list[str]:
    """Return the names of the fields of a form, in their order."""
    return [name for name in editable(kind) if (kind, name) not in ONLY_WITH_VALUE or values.get(name)]


def shown(kind: str, name: str, value: Any) -> str:
    """Return a field's value as it is edited."""
    match shape(kind, name):
        case "words":
            return ", ".join(_quoted(safe(item)) for item in value or ())
        case "lines":
            return "\n".join(safe(entry) for entry in value or ())
        case "text":
            return safe(value or "", newlines=True)
    if name == "kind":
        return SHOWN_KINDS.get(value, str(value))
    return f"{value:g}" if isinstance(value, float) else safe(value or "")


def typed(kind: str, name: str, text: str, before: Any) -> Any:
    """Return the value that was typed for a field that held `before`. What nobody touched of a list
    stays as it was, also where it can't be shown as it is."""
    match shape(kind, name):
        case "words":
            return list(_untouched(split_words(text), before))
        case "lines":
            return list(_untouched((word for word in text.split("\n") if word.strip()), before))
    return text


def split_words(text: str) -> Iterator[str]:
    """Yield the words of a line: what stands between its commas, or between quotation marks."""
    try:
        rows = list(csv.reader(StringIO(text, newline=None), skipinitialspace=True))
    except csv.Error as error:
        raise InvalidRecordError("These words can't be told apart ({error}).", error=error) from error
    yield from (name.strip() for row in rows for name in row if name.strip())


def _value(kind: str, name: str, value: Any, style: str = "") -> Content:
    text = shown(kind, name, value) if not isinstance(value, str) or name == "kind" else value
    if not text.strip():
        return Content.styled(_("empty"), DIM)
    return plain(text, style, newlines=True)


def _quoted(word: str) -> str:
    if "," in word or word.startswith('"'):
        return '"' + word.replace('"', '""') + '"'
    return word


def _untouched(items: Iterable[str], before: Iterable[str] | None) -> Iterator[str]:
    known = {safe(text).strip(): text for text in before or ()}
    yield from (known.get(item.strip(), item.strip()) for item in items)
