"""What undoing or redoing an action did, in sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from ...platform.translation import N_, Phrase, _
from ...records.dataclasses import dataclass
from ...text.plural import count_noun

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    Effect = Literal["restored", "removed", "deleted", "shown", "hidden", "pinned", "unpinned", "changed"]
    """What became of a record. Removed is gone for good, deleted lies in the trash."""

EFFECTS: tuple[Effect, ...] = (
    N_("restored"), N_("removed"), N_("deleted"), N_("shown"), N_("hidden"), N_("pinned"),
    N_("unpinned"), N_("changed"),
)  # fmt: skip
"""In the order in which they are told."""

FIELD = re.compile(r"\{(\w+)\}")

NAMED = 3
"""A sentence names so many records by their titles."""


@dataclass(frozen=True, slots=True)
class Affected:
    """A record that an undo or redo changed: its ref, its title, and what became of it."""

    ref: str
    title: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo or a redo did. `what` is the action it was about, `at` when that was done first
    (ms); `kept` says, sentence by sentence, what could not be taken back, or done again; `rows` is
    how many rows were changed."""

    what: str
    at: int
    records: tuple[Affected, ...] = ()
    kept: tuple[str, ...] = ()
    rows: int = 0
    is_redo: bool = False

    @property
    def is_done(self) -> bool:
        """Whether anything was taken back, or done again."""
        return self.rows > 0

    @property
    def select(self) -> str | None:
        """The ref of the record to show: the first that came back, else the first that is there; None
        where there is none."""
        there = [record for record in self.records if record.effect != "removed"]
        # A session only follows what it holds.
        there.sort(key=lambda item: (item.ref.startswith("@"), EFFECTS.index(item.effect)))
        return there[0].ref if there else None

    @property
    def outcome(self) -> str:
        """What became of the records, by title: "Restored: “Refresh token expired” and 3 more"."""
        sentences = []
        content = [record for record in self.records if not record.ref.startswith("@")] or self.records
        for effect in EFFECTS:
            if items := [item for item in content if item.effect == effect]:
                is_back = effect == "changed" and not self.is_redo
                sentences.append(
                    _("Changed back: {names}", names=_named(items))
                    if is_back
                    else _("{effect}: {names}", effect=_(effect).capitalize(), names=_named(items))
                )
        return _(". ").join(sentences)

    @property
    def sentence(self) -> str:
        """What was undone or redone, and what became of the records; without the stop at its end."""
        return _(". ").join(part for part in (self.what, self.outcome) if part)


def shown(what: str) -> str:
    """Return what the journal says was done in the user's language; what is no source of a sentence, as it
    was written."""
    try:
        return _made(json.loads(what)) if what.startswith("[") else what
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return what


def _made(source: Any) -> str:
    """Return the sentence of a source (see `Phrase`)."""
    if not isinstance(source, list):
        return str(source)
    text, values = source if len(source) > 1 else (source[0], {})
    if isinstance(text, int):
        return count_noun(text, values)
    if isinstance(values, list):
        return _(text).join(map(_made, values))
    parts = {name: _made(value) for name, value in values.items()}
    # A file that was imported may hold any source: no more of `str.format` than its names.
    said = FIELD.sub(lambda field: parts[field[1]], _(text))
    return Phrase.of(said, *source)


def _named(records: Iterable[Affected]) -> str:
    whole = list(records)
    titles = [f"“{one.title}”" if one.title else one.ref for one in whole[:NAMED]]
    names = _(", ").join(titles)
    more = len(whole) - len(titles)
    return _("{items} and {number} more", items=names, number=f"{more:,}") if more else names
