"""What a project's context would be, item by item (its form, its cost, and where it stands in the text),
and which memories a prompt is about: as people and tools ask, outside of a hook.
"""

from __future__ import annotations

import re
from typing import Any, Literal, cast

from ..database.transaction import snapshot
from ..platform.paths import current_folder
from ..records.dataclasses import dataclass
from ..search.listing.rows import Named, named
from ..store import Store
from ..text.tokens import estimate_tokens
from .block import rendered
from .candidates import candidates
from .fitting import Fit, fitted
from .own_files import REPORTING, own_files
from .scope import Profile, profile_of
from .wrapper import random_nonce

Form = Literal["full", "brief", "to fit", "repeated", "no room", "out", "in files"]
"""In full; in brief because that was chosen; in part, so that it fits; not, for others say it already;
not for lack of room; not by choice; not, for a file that the agent is told anyway says it."""

SAVED_AT = "SELECT updated_at FROM context_profiles WHERE project = ?"
HEAD_LINES = 2
"""The wrapper's lines before the first candidate's."""


@dataclass(frozen=True, slots=True)
class PreviewItem:
    """A memory that is in a context, or could be. `tokens` is what its lines take, or would take;
    `lines` is where they stand in the text, from 0, empty where they don't."""

    ref: str
    section: str
    name: Named
    form: Form
    tokens: int
    has_brief: bool
    lines: range
    file: str = ""
    """The path of the file that tells it, if one does."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a session of a project is given by a profile: the text, "" for nothing, and every memory
    that is in it or could be, in order. `saved_at` is when the project's own profile was saved (ms
    since the epoch, UTC), None where it has none."""

    project: str
    profile: Profile
    text: str
    tokens: int
    items: tuple[PreviewItem, ...]
    saved_at: int | None
    own_files: tuple[tuple[str, int], ...] = ()
    """The paths of the files that Claude Code is told in the project besides, and about their tokens."""


def preview(
    store: Store, project: str, profile: Profile | None = None, nonce: str | None = None
) -> Preview:
    """Return what a session is given by a profile; where none is named, by the project's own.

    The text is the one of `memtui.store.context.block.compose`, but for the nonce in its tag; with the same
    `nonce` a text that is shown again changes only where its memories have.
    """
    with snapshot(store.db):
        if profile is None:
            profile = profile_of(store.db, project)
        own = own_files(store.db, project, REPORTING)
        results = list(candidates(store.db, project, profile.first, folder=current_folder() or ""))
        names = named(store.db, [candidate.ref for candidate in results])
        saved_at: Any = store.db.execute(SAVED_AT, (project,)).get
    fits = fitted(project, results, profile, profile.budget, own)
    block = rendered(project, fits, nonce or random_nonce(), profile.budget)
    items: list[PreviewItem] = []
    line = HEAD_LINES
    for fit in fits:
        begin = line + len(fit.above) if fit.lines else line
        line = begin + len(fit.lines)
        items.append(_item(fit, profile, names[fit.candidate.ref], range(begin, line)))
    files = tuple((file.path, estimate_tokens(file.text)) for file in own)
    return Preview(project, profile, block.text, block.tokens, tuple(items), saved_at, files)


MOST = 8
WORDS = 64


def about(store: Store, project: str, prompt: str) -> list[str]:
    """Return the refs of a project's memories that a prompt is about, best first; no prompts."""
    words = re.findall(r"\w+", prompt)[:WORDS]
    if not words:
        return []
    named = project.replace('"', " ")
    # Plain words in lower case: nothing of a prompt is an operator, and any of its words will do.
    query = f'project:"{named}" {" ".join(words).lower()}'
    rows = [hit.row for hit in store.find(query).page(limit=3 * MOST, related=True).hits]
    shown = [row for row in rows if row.kind != "prompt"]
    return [row.ref for row in shown[:MOST]]


def _item(fit: Fit, profile: Profile, name: Named, lines: range) -> PreviewItem:
    candidate = fit.candidate
    is_brief = candidate.ref in profile.brief
    shown = fit.lines or [
        candidate.head,
        *([] if is_brief else (piece.text for piece in candidate.pieces)),
    ]
    return PreviewItem(
        candidate.ref,
        candidate.section,
        name,
        cast(Form, fit.form),
        estimate_tokens("\n".join(shown)),
        bool(candidate.pieces),
        lines,
        fit.file,
    )
