"""A context in words: how each memory is told, what is saved, what a session was given. Times are
ms since the epoch, UTC.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath

from textual.content import Content

from memtui.store.context.log_entries import NamedLogEntry
from memtui.store.context.preview import Form, Preview, PreviewItem
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ..text.ages import ago, full
from ..text.content import DIM, Passage, joined, plain
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
        "no room": _("doesn't fit"),
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
