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
from memtui.store.text.plural import count_noun

from ..text.ages import ago, full
from ..text.content import DIM, Passage, joined, plain
from ..text.glyphs import glyph

TOLD: dict[Form, str] = {
    "full": DIM,
    "brief": "",
    "to fit": DIM,
    "repeated": DIM,
    "no room": DIM,
    "out": DIM,
    "in files": DIM,
}
"""How a memory can be told, each with its style."""

NOTHING = (
    "Nothing is remembered of {project} yet, so its sessions start with nothing.\n\n"
    "Hooks (5) record what its agents do. Memories you pin in Search (p) come first. "
    "n shows another project."
)
UNTOLD = (
    "A session is given nothing: all is left out, or nothing fits into the budget. "
    "Space ticks a memory, + makes the budget larger."
)

HOW = "An agent's hooks ask for a context when a session starts; 5 shows which are hooked up."
NOTHING_LOGGED = (
    "No session of {whose} was given anything yet. "
    + HOW
    + " f shows the sessions of all projects."
)
NOTHING_AT_ALL = f"No session was given anything yet. {HOW}"
GONE = "hidden or deleted since"


def project_name(project: str) -> str:
    """Return what a project is called; the empty project has a name, too."""
    return project or "work outside of any project"


def saved_status(found: Preview, is_saved: bool, can_save: bool, now: int) -> Content:
    """Whether what is shown is what sessions are given, and the keys that make it so."""
    if not is_saved:
        if not can_save:
            return plain("changed · u undoes", DIM)
        return Content.assemble(("not saved", "bold $text-warning"), (" · s saves", DIM))
    if found.saved_at is None:
        return plain("default", DIM)
    return plain(f"profile saved {ago(found.saved_at, now)}".rstrip(), DIM)


def left_over(found: Preview) -> str:
    """Return how many memories aren't included in full, and why, in few words."""
    many = Counter(part.form for part in found.items)
    words: dict[Form, str] = {
        "to fit": "in brief to fit",
        "repeated": "already covered",
        "no room": "doesn't fit",
        "out": "left out",
    }
    parts = [f"{many[how]:,} {word}" for how, word in words.items() if many[how]]
    by_file = Counter(file_name(item) for item in found.items if item.file)
    parts += [f"{count:,} already told by {name}" for name, count in by_file.items()]
    return " · ".join(parts)


def file_name(item: PreviewItem) -> str:
    """Return the name of the agent's own file that tells a memory already."""
    return PurePath(item.file).name


OCCASIONS = {
    "resume": "being resumed",
    "clear": "being cleared",
    "compact": "being compacted",
    "prompt": "a prompt",
    "file": "a file that was read or edited",
}
"""What a session was given something at, where that is not its start."""


def memories(item: NamedLogEntry) -> str:
    """`6 memories`."""
    return count_noun(len(item.given.refs), "memories")


def log_passages(item: NamedLogEntry, now: int) -> Iterator[Passage]:
    """Yield which session was given how much and when, and the title of each memory of it."""
    entry = item.given
    yield Passage(plain(item.title or entry.session or "unnamed", "bold"))
    yield Passage(plain(joined(ago(entry.at, now), full(entry.at))), "Given", space=1)
    if words := OCCASIONS.get(entry.occasion):
        yield Passage(plain(words), "At")
    yield Passage(plain(entry.agent), "Agent")
    yield Passage(plain(entry.session), "Session")
    if entry.project:
        yield Passage(plain(entry.project), "Project")
    yield Passage(plain(f"{entry.tokens:,} tokens, {memories(item)}"), "In all")
    for place, ref in enumerate(entry.refs):
        space = 0 if place else 1
        if (name := item.names.get(ref)) is None:
            yield Passage(plain(GONE, DIM), ref, Content("  "), space)
        else:
            mark = glyph(name.type).content + " "
            yield Passage(plain(name.title or "untitled"), ref, mark, space)
