"""What stands before a record: a shape, a letter and a colour for its type, each enough alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from textual.content import Content

from memtui.store import Fact, ListRow
from memtui.store.platform.translation import N_, _

from . import symbols
from .content import DIM, EMPTY, fit, plain
from .symbols import SYMBOLS, WORD
from .type_colours import variable


@dataclass(frozen=True, slots=True)
class Glyph:
    """`symbol` and `letter` are one cell wide; `style` is made of theme variables. `meaning` says what it
    stands for."""

    symbol: str
    letter: str
    style: str
    meaning: str = ""

    @property
    def content(self) -> Content:
        """The symbol in its colour."""
        return Content.styled(self.symbol, self.style)


def _of_type(type: str, letter: str, meaning: str) -> Glyph:
    bold = "bold " if type == "error" else ""
    return Glyph(SYMBOLS[type], letter, f"{bold}${variable(type)}", meaning)


GLYPHS = {
    "decision": _of_type("decision", "D", _("a choice, and why it was made")),
    "bugfix": _of_type("bugfix", "B", _("a bug, and how it was fixed")),
    "feature": _of_type("feature", "F", _("something new that works")),
    "refactor": _of_type("refactor", "R", _("code rewritten that does the same")),
    "discovery": _of_type("discovery", "I", _("how something works, as it was found out")),
    "finding": _of_type("finding", "G", _("what an agent concluded")),
    "answer": _of_type("answer", "A", _("an agent's answer to a question")),
    "plan": _of_type("plan", "L", _("options, or steps to come")),
    "change": _of_type("change", "C", _("any other change")),
    "note": _of_type("note", "N", _("something else worth keeping")),
    "error": _of_type("error", "E", _("something that failed")),
    "prompt": _of_type("prompt", "P", _("what you asked an agent")),
    "summary": _of_type("summary", "S", _("what a session was about, and what came of it")),
    "fact": _of_type("fact", "K", _("one statement that holds")),
}
OTHER = Glyph(symbols.OTHER, "O", DIM, _("a type of another program"))
PINNED = Glyph(symbols.PINNED, "*", "$text-warning", _("pinned: offered first to a new session"))
STALE = Glyph(symbols.STALE, "#", "$text-warning", _("a file of it has changed since"))

_own_colours: set[str] = set()


def colour_types(types: Iterable[str]) -> None:
    """Have types that aren't ours in a colour of their own, which the theme's variables then hold."""
    _own_colours.clear()
    _own_colours.update(types)


def glyph(type: str) -> Glyph:
    """Return the glyph of an observation's type, or of another kind of record; else `OTHER`."""
    if type not in GLYPHS and type in _own_colours:
        return replace(OTHER, style=f"${variable(type)}")
    return GLYPHS.get(type, OTHER)


def badge(type: str, *, with_word: bool) -> Content:
    """Return what tells the type of a record in a row: its glyph, and beside it, in a column, its word."""
    sign = glyph(type)
    return sign.content + " " + fit(plain(_(type), sign.style), WORD) if with_word else sign.content


def legend() -> list[tuple[Content, str]]:
    """Return each glyph in its colour, with the word for it, and what it means."""
    signs = {**GLYPHS, N_("other"): OTHER, N_("pinned"): PINNED, N_("stale"): STALE}
    return [
        (Content.assemble(sign.content, " ", (_(name), sign.style)), sign.meaning)
        for name, sign in signs.items()
    ]


def pin(record: ListRow | Fact) -> Content:
    """Return what stands behind a record's title: that it is pinned, that a file of it has changed since;
    nothing behind another."""
    return signs(record.pinned, isinstance(record, ListRow) and record.stale)


def flags(row: ListRow) -> Content:
    """Return what stands behind the title in a list row: a word for a superseded fact, and the signs."""
    if not row.superseded:
        return pin(row)
    word = _("superseded")
    return Content.styled(f" {word}", "$text-warning") + pin(row)


def signs(is_pinned: bool, is_stale: bool) -> Content:
    """Return the signs of a pinned memory, and of one of which a file has changed since, with a word."""
    changed = EMPTY
    if is_stale:
        word = _("changed")
        changed = Content.assemble(" ", STALE.content, (f" {word}", STALE.style))
    return Content.assemble(changed, " ", PINNED.content) if is_pinned else changed
