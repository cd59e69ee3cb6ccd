"""The preview of a project's context, item by item: its form, its cost, and where it stands in the
text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from ..database.transaction import snapshot
from ..search.listing import Named, named
from ..store import Store
from ..text.tokens import estimate_tokens
from .block import fitted, told
from .candidates import Candidate, candidates
from .profile import Profile, profile_of
from .wrapper import nonce

Form = Literal["full", "brief", "to fit", "no room", "out"]
"""In full; in brief because that was chosen, or so that it fits; not for lack of room; not by choice."""

SAVED_AT = "SELECT updated_at FROM context_profiles WHERE project = ?"
HEAD_LINES = 2
"""The fence's lines before the first piece's."""


@dataclass(frozen=True, slots=True)
class PreviewItem:
    """A memory that a context tells of, or would. `tokens` is what its lines take, or would take as
    they were to be told; `lines` is where they stand in the text, from 0, empty where they don't."""

    ref: str
    section: str
    name: Named
    form: Form
    tokens: int
    has_brief: bool
    lines: range


@dataclass(frozen=True, slots=True)
class Preview:
    """What a session of a project is given by a profile: the text, "" for nothing, and every memory
    that it tells of or could, in order. `saved_at` is when the project's own profile was saved (ms
    since the epoch, UTC), None where it has none."""

    project: str
    profile: Profile
    text: str
    tokens: int
    items: tuple[PreviewItem, ...]
    saved_at: int | None


def preview(
    store: Store, project: str, profile: Profile | None = None, word: str | None = None
) -> Preview:
    """What a session is given by a profile, or where none is named by the project's own.

    The same text as `store.context.block.compose` gives, but for the random word in its tag; `word` takes
    its place, so that a text that is shown again is told anew only where it has changed.
    """
    with snapshot(store.db):
        if profile is None:
            profile = profile_of(store.db, project)
        found = list(candidates(store.db, project, profile.first))
        names = named(store.db, [piece.ref for piece in found])
        saved_at: Any = store.db.execute(SAVED_AT, (project,)).get
    placings = list(fitted(project, found, profile, profile.budget))
    given = told(project, placings, word or nonce())
    parts: list[PreviewItem] = []
    line = HEAD_LINES
    for piece, head, form in placings:
        begin = line + len(head)
        line = begin + len(form)
        parts.append(_part(piece, form, profile, names[piece.ref], range(begin, line)))
    return Preview(project, profile, given.text, given.tokens, tuple(parts), saved_at)


def _part(
    piece: Candidate, form: list[str], profile: Profile, name: Named, lines: range
) -> PreviewItem:
    has_brief = piece.brief != piece.full
    is_brief = has_brief and piece.ref in profile.brief
    how: Form
    if piece.ref in profile.left_out:
        how = "out"
    elif not form:
        how = "no room"
    elif is_brief:
        how = "brief"
    else:
        how = "full" if form == piece.full else "to fit"
    shown = form or (piece.brief if is_brief else piece.full)
    return PreviewItem(
        piece.ref, piece.section, name, how, estimate_tokens("\n".join(shown)), has_brief, lines
    )
