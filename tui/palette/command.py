"""A command of the palette."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual.content import Content

from memtui.store.translation import _

MEMORIES = _("Memories")
"""The group under which memories stand that hold what is typed."""


@dataclass(frozen=True, slots=True)
class Command:
    """A name to be found by, `also` other words for it, what it says of itself, its keys, and what it
    does. `why_not` is what stands in its way now, `` for nothing."""

    id: str
    """Tells it again at the next start; `` for what isn't remembered."""
    name: str
    sentence: str
    group: str
    do: Callable[[], Awaitable[None] | None]
    keys: str = ""
    also: str = ""
    why_not: str = ""
    line: tuple[Content, Content] | None = None
    """What is shown in the place of all this, at the two ends of its row."""
    is_listed: bool = True
    """Whether it shows before anything is typed."""
    by_sentence: bool = True
    """Whether it is found by words of its sentence, and not by its name alone."""
    command: str = ""
    """The `mem` command that does the same, without `mem`; `` for none."""
