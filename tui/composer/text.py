"""A context in words and figures: how each memory is told, what is saved, what a session was given, and how
much of its budget of tokens each section takes. Times are ms since the epoch, UTC."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from memtui.store.context.log_entries import NamedLogEntry
from memtui.store.context.preview import Form, Preview, PreviewItem
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ..text.ages import ago, full
from ..text.content import DIM, Passage, edges, joined, plain
from ..text.glyphs import glyph

TOLD: dict[str, str] = {
    N_("full"): DIM,
    N_("brief"): "",
    N_("to fit"): DIM,
    N_("repeated"): DIM,
    N_("no room"): DIM,
    N_("out"): DIM,
    N_("in files"): DIM,
}
"""How a memory can be told, each with its style."""
NOTHING = _(
    "Nothing is remembered of {project} yet, so its sessions start with nothing.\n\n"
    "Hooks (5) record what its agents do. Memories you pin in Search (p) come first. "
    "n shows another project."
)
UNTOLD = _(
    "A session is given nothing: all is left out, or nothing fits into the budget. "
    "Space ticks a memory, + makes the budget larger."
)
NOTHING_LOGGED = _(
    "No session of {whose} was given anything yet. An agent's hooks ask for a context when a session "
    "starts; 5 shows which are hooked up. f shows the sessions of all projects."
)
NOTHING_AT_ALL = _(
    "No session was given anything yet. An agent's hooks ask for a context when a session starts; 5 shows "
    "which are hooked up."
)
GONE = _("hidden or deleted since")


def project_name(project: str) -> str:
    """Return what a project is called; the empty project has a name, too."""
    return project or _("work outside of any project")


def saved_status(preview: Preview, is_saved: bool, can_save: bool, now: int) -> Content:
    """Whether what is shown is what sessions are given, and the keys that make it so."""
    if not is_saved:
        if not can_save:
            return plain(_("changed · u undoes"), DIM)
        return Content.assemble((_("not saved"), "bold $text-warning"), (" · " + _("s saves"), DIM))
    if preview.saved_at is None:
        return plain(_("default"), DIM)
    return plain(_("profile saved {when}", when=ago(preview.saved_at, now)).rstrip(), DIM)


def left_over(preview: Preview) -> str:
    """Return how many memories aren't included in full, and why, in few words."""
    many = Counter(part.form for part in preview.items)
    words: dict[Form, str] = {
        "to fit": _("in brief to fit"),
        "repeated": _("already covered"),
        "no room": _("over the budget"),
        "out": _("left out"),
    }
    parts = [f"{many[how]:,} {word}" for how, word in words.items() if many[how]]
    by_file = Counter(file_name(item) for item in preview.items if item.file)
    parts += [
        _("{count} already told by {name}", count=f"{count:,}", name=name)
        for name, count in by_file.items()
    ]
    return " · ".join(parts)


def file_name(item: PreviewItem) -> str:
    """Return the name of the agent's own file that tells a memory already."""
    return PurePath(item.file).name


OCCASIONS = {
    N_("resume"): _("being resumed"),
    N_("clear"): _("being cleared"),
    N_("compact"): _("being compacted"),
    N_("prompt"): _("a prompt"),
    N_("file"): _("a file that was read or edited"),
}
"""What a session was given something at, where that is not its start."""


def memories(item: NamedLogEntry) -> str:
    """`6 memories`."""
    return count_noun(len(item.given.refs), "memories")


def log_passages(item: NamedLogEntry, now: int) -> Iterator[Passage]:
    """Yield which session was given how much and when, and the title of each memory of it."""
    entry = item.given
    yield Passage(plain(item.title or entry.session or _("unnamed"), "bold"))
    yield Passage(plain(joined(ago(entry.at, now), full(entry.at))), _("Given"), space=1)
    if words := OCCASIONS.get(entry.occasion):
        yield Passage(plain(words), _("At"))
    yield Passage(plain(entry.agent), _("Agent"))
    yield Passage(plain(entry.session), _("Session"))
    if entry.project:
        yield Passage(plain(entry.project), _("Project"))
    yield Passage(
        plain(_("{tokens} tokens, {memories}", tokens=f"{entry.tokens:,}", memories=memories(item))),
        _("In all"),
    )
    for place, ref in enumerate(entry.refs):
        space = 0 if place else 1
        if (name := item.names.get(ref)) is None:
            yield Passage(plain(GONE, DIM), ref, Content("  "), space)
        else:
            mark = glyph(name.type).content + " "
            yield Passage(plain(name.title or _("untitled")), ref, mark, space)


ASKED_FOR = ("Chosen", "Pinned")
"""The sections that are told whatever else is."""
FRAME = N_("Opening")
"""What is told before the first memory, and the names of the sections."""
STYLES = {
    FRAME: "$dim",
    "Chosen": "$secondary",
    "Pinned": "$primary",
    "The last session": "$type-answer",
    "Decisions": "$success",
    "Held true": "$type-fact",
    "Left and done": "$type-summary",
    "Last sessions": "$type-summary",
    "Found and answered": "$type-answer",
    "Notes": "$type-note",
    "Lately": "$type-change",
}
"""The colour of each section in the meter, and of the mark before its name."""
OTHER = "$dim"
MARK = "■"
TAKEN, LEFT = "━", "─"
GAP = 2
SHORTEST = 8
"""Cells of the bar where it stands beside the words."""


@dataclass(frozen=True, slots=True)
class Share:
    """The tokens that a section takes."""

    section: str
    tokens: int

    @property
    def label(self) -> Content:
        """Its mark, its name and its tokens."""
        return Content.assemble(section_mark(self.section), _(self.section), (f" {self.tokens:,}", DIM))


def section_mark(section: str) -> Content:
    """Return the mark of a section in its colour, and a blank."""
    return Content.styled(f"{MARK} ", STYLES.get(section, OTHER))


def tokens_by_section(items: Iterable[PreviewItem]) -> dict[str, int]:
    """Return how many tokens the sections take of which anything is told, in their order."""
    taken: dict[str, int] = {}
    for item in items:
        if item.lines:
            taken[item.section] = taken.get(item.section, 0) + item.tokens
    return taken


def shares(preview: Preview) -> tuple[Share, ...]:
    """Return what each section of a context takes, in order; what is left is the opening's."""
    taken = tokens_by_section(preview.items)
    frame = preview.tokens - sum(taken.values())
    parts = ({FRAME: frame} if frame > 0 else {}) | taken
    return tuple(Share(section, tokens) for section, tokens in parts.items())


def is_missed(item: PreviewItem) -> bool:
    """Whether a memory was chosen or pinned, and has no room."""
    return item.form == "no room" and item.section in ASKED_FOR


def is_over(preview: Preview) -> bool:
    """Whether more is wanted than the budget holds: what was chosen or pinned has no room in it."""
    return preview.tokens > preview.profile.budget or any(map(is_missed, preview.items))


class TokenMeter(Widget):
    """`1,234 of 2,000 tokens` with `left_over` at the right end; a bar of the sections as long as the
    screen is wide, and what each of them takes, where there is room for all of that. On a low screen the
    bar stands beside the words."""

    DEFAULT_CSS = "TokenMeter { height: auto; padding: 0 1; }"

    taken: reactive[int] = reactive(0)
    budget: reactive[int] = reactive(0)
    left_over: reactive[str] = reactive("")
    shares: reactive[tuple[Share, ...]] = reactive(())
    is_over: reactive[bool] = reactive(False)
    """Whether more is wanted than there is room for."""

    def watch_shares(self) -> None:
        # To lay out the whole screen takes long, and is seldom needed.
        if len(list(self._lines(self.size.width))) != self.size.height:
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return len(list(self._lines(width))) or 1

    def render(self) -> Content:
        return Content("\n").join(self._lines(self.size.width))

    def _lines(self, width: int) -> Iterator[Content]:
        if not self.budget:
            return
        style = "bold $text-warning" if self.is_over else "bold"
        words = plain(
            _("{taken} of {budget} tokens", taken=f"{self.taken:,}", budget=f"{self.budget:,}"),
            style,
        )
        is_low = not self.screen.has_class("-tall")
        right = plain(self.left_over, DIM)
        if is_low:
            room = width - words.cell_length - 1
            if room - right.cell_length - GAP < SHORTEST:
                right = Content()
            right = right.pad_left(GAP) if right else right
            yield self._bar(max(0, room - right.cell_length)) + " " + words + right
            return
        yield edges(words, right, width)
        yield self._bar(width)
        legend = Content(" " * GAP).join(share.label for share in self.shares)
        if legend.cell_length <= width:
            yield legend

    def _bar(self, cells: int) -> Content:
        """The sections in order, each as long as the part of the budget that it takes."""
        whole = max(self.budget, self.taken, 1)
        ends = [round(cells * end / whole) for end in accumulate(item.tokens for item in self.shares)]
        parts = [
            (TAKEN * (end - start), STYLES.get(share.section, OTHER))
            for share, start, end in zip(self.shares, [0, *ends], ends, strict=False)
        ]
        filled = ends[-1] if ends else 0
        return Content.assemble(*parts, (LEFT * (cells - filled), "$foreground 30%"))
