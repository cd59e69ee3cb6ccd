"""A context in words: how each memory is told, whether it is saved, and what is left over."""

from __future__ import annotations

from collections import Counter

from textual.content import Content

from store.context.composing import Composition, Told

from .ages import ago
from .text import DIM, plain

TOLD: dict[Told, str] = {
    "full": DIM,
    "brief": "",
    "to fit": "$text-warning",
    "no room": "$text-warning",
    "out": DIM,
}
"""How a memory can be told, each with its style."""

NOTHING = (
    "Nothing is remembered of {project} yet, so its sessions start with nothing.\n\n"
    "What its agents do comes in by their hooks (5). What you pin in Search (p) is told first. "
    "n shows another project."
)
UNTOLD = (
    "A session is given nothing: all is left out, or nothing fits into the budget. "
    "Space ticks a memory, + makes the budget larger."
)


def project_name(project: str) -> str:
    """What a project is called; what belongs to none has a name, too."""
    return project or "work outside of any project"


def standing(found: Composition, is_saved: bool, can_save: bool, now: int) -> Content:
    """Whether what is shown is what sessions are given, and the keys that make it so."""
    if not is_saved:
        keys = " · s saves" if can_save else " · u undoes"
        return Content.assemble(("not saved", "bold $text-warning"), (keys, DIM))
    if found.saved_at is None:
        return plain("as usual", DIM)
    return plain(f"profile saved {ago(found.saved_at, now)}".rstrip(), DIM)


def left_over(found: Composition) -> str:
    """What isn't told in full, in few words."""
    many = Counter(part.told for part in found.parts)
    words: dict[Told, str] = {
        "to fit": "in brief to fit",
        "no room": "without room",
        "out": "left out",
    }
    return " · ".join(f"{many[how]:,} {word}" for how, word in words.items() if many[how])
