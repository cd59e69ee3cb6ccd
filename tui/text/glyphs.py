"""Signs of one cell: a shape, a letter and a colour for a record's type, each enough alone; and numbers as
columns of blocks and as bars. The colours are as far apart as fourteen can be, each readable on our
backgrounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store import Fact, ListRow
from memtui.store.platform.translation import N_, _

from . import rows
from .content import DIM, EMPTY, fit, plain
from .rows import SYMBOLS, WORD

if TYPE_CHECKING:
    from textual.theme import Theme


DARK_COLOURS = {
    "decision": "#c086de",
    "bugfix": "#f0a868",
    "feature": "#84b06a",
    "refactor": "#29aea9",
    "discovery": "#6cacfc",
    "finding": "#52daff",
    "answer": "#64e6b9",
    "plan": "#c7d46d",
    "change": "#bd9a34",
    "note": "#a59f95",
    "error": "#f47770",
    "prompt": "#e7e7e8",
    "summary": "#ccc6fe",
    "fact": "#f6b9cd",
}
LIGHT_COLOURS = {
    "decision": "#8636a9",
    "bugfix": "#8f4400",
    "feature": "#2c6900",
    "refactor": "#026863",
    "discovery": "#005abc",
    "finding": "#025b74",
    "answer": "#095733",
    "plan": "#474d06",
    "change": "#705800",
    "note": "#5e5b55",
    "error": "#a8141c",
    "prompt": "#26282b",
    "summary": "#434078",
    "fact": "#7c1f5b",
}
OURS = ("memtui-dark", "memtui-light")
"""The themes that the colours are made for."""


def variable(type: str) -> str:
    """Return the name of the theme variable that holds a type's colour, without the dollar."""
    name = "".join(text if text.isascii() and text.isalnum() else f"_{ord(text):x}" for text in type)
    return f"type-{name}"


def type_variables(theme: Theme, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of all types' colours in a theme; those `chosen` by the user, as #rrggbb, a name
    or a colour of the theme, go before ours. `contrast` makes ours readable in another's theme."""
    colours = DARK_COLOURS if theme.dark else LIGHT_COLOURS
    is_ours = theme.name in OURS
    if not is_ours or chosen:
        generated = theme.to_color_system().generate() | theme.variables
        named = {type: generated.get(text.lstrip("$"), text) for type, text in chosen.items()}
        colours = {**colours, **named}
    return {variable(type): colour for type, colour in colours.items()}


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
OTHER = Glyph(rows.OTHER, "O", DIM, _("a type of another program"))
PINNED = Glyph(rows.PINNED, "*", "$text-warning", _("pinned: offered first to a new session"))
STALE = Glyph(rows.STALE, "#", "$text-warning", _("a file of it has changed since"))
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
    """Return what stands behind the title in a list row: a word for what no longer holds, and the signs."""
    word = f" {_(row.state)}" if row.state else ""
    return Content.styled(word, "$text-warning") + pin(row)


def signs(is_pinned: bool, is_stale: bool) -> Content:
    """Return the signs of a pinned memory, and of one of which a file has changed since, with a word."""
    changed = EMPTY
    if is_stale:
        word = _("changed")
        changed = Content.assemble(" ", STALE.content, (f" {word}", STALE.style))
    return Content.assemble(changed, " ", PINNED.content) if is_pinned else changed


LEVELS = "▂▃▄▅▆▇█"
"""Of what is there, least first."""
NOTHING = "▁"
EIGHTHS = " ▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[int]) -> str:
    """Return a character a number, as high as it is beside the greatest."""
    most = max(values, default=0)
    return "".join(LEVELS[(value - 1) * len(LEVELS) // most] if value > 0 else NOTHING for value in values)


def columns(values: Sequence[int], height: int) -> list[str]:
    """Return lines, the highest first, of a character a number; the greatest fills all of them."""
    most = max(values, default=0)
    filled = [max(1, round(value * height * 8 / most)) if most and value > 0 else 0 for value in values]
    return [
        "".join(EIGHTHS[max(0, min(8, each - line * 8))] for each in filled)
        for line in range(height - 1, -1, -1)
    ]


def bar(value: int, most: int, width: int) -> str:
    """Return `width` cells of a bar as long as a number is beside the greatest, `most`; of what is there
    at least a sliver."""
    # A line leaves room above and below: blocks of rows beneath each other would be one.
    halves = max(1, round(value * width * 2 / most)) if value and most else 0
    return ("━" * (halves // 2) + "╸" * (halves % 2)).ljust(width)[:width]
