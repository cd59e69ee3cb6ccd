"""Memories into agents' files, and what these say into the memory, from the screen of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.content import Content

from memtui.store import ListRow, Store, ref_of
from memtui.store.files.changing.adopting import Passage as FilePassage
from memtui.store.files.changing.adopting import adopt, passages
from memtui.store.files.changing.promoting import Promotion
from memtui.store.translation import _

from ..lists.pick import Pick
from ..text.content import DIM, Passage, plain
from ..text.paths import short

WHOLE, SECTION, LINE = _("all of it"), _("section"), _("line")


def adoptable(path: Path) -> list[Pick[FilePassage]]:
    """Return what can be adopted of a file: a line as a fact, a section or all of it as a note. Raises
    StoreError where it can't be read."""
    return [
        Pick(
            part.title,
            part,
            note=_kind(part),
            told=_("as a fact") if part.is_line else _("as a note"),
        )
        for part in passages(path)
    ]


def _kind(part: FilePassage) -> str:
    return LINE if part.is_line else SECTION if part.heading else WHOLE


def adopt_passage(store: Store, part: FilePassage) -> str:
    """Make a memory of a passage; return what to say of it."""
    record, is_new = adopt(store, part, "fact" if part.is_line else "note", store.here())
    name = ref_of(record)
    return (
        _("{name} adopted (u takes it back)", name=name)
        if is_new
        else _("{name} says so already.", name=name)
    )


def promote_into(store: Store, ref: str, path: Path) -> str:
    """Put a memory into a file as a bullet, or renew it there; return what to say of it."""
    promoted = Promotion(store).to_file(ref, path)
    name = short(promoted.path)
    if promoted.is_new:
        return _("{ref} promoted to {path} (u takes it back)", ref=ref, path=name)
    return _("{ref} renewed in {path} (u takes it back)", ref=ref, path=name)


def asked(row: ListRow, path: Path) -> Sequence[Passage]:
    """Return the question whether a memory is to stand in a file."""
    return [
        Passage(plain(row.title or row.ref, "bold")),
        Passage(Content.assemble((_("as a bullet of "), DIM), plain(short(path))), space=1),
    ]
