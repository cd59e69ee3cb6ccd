"""All that the screen of one session shows, asked of the store in one go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memtui.store import Family, ListRow, Observation, SessionRow, Store, Summary
from memtui.store.capture.conversation.building import conversation
from memtui.store.capture.conversation.entries import Conversation
from memtui.store.records.fields import files_of
from memtui.store.search.listing.nesting import STEP, nested

MOST = 2_000
"""A session's newest memories that are shown; few sessions have a tenth of it."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session, its rows in time order, and its conversation as far as memories tell it."""

    row: SessionRow
    rows: list[ListRow]
    conversation: Conversation
    family: Family


def session_view(store: Store, session_id: int) -> SessionView:
    """Return a session by its number. Raises NotFoundError."""
    session = store.sessions.get(session_id)
    return SessionView(
        store.sessions.row(session),
        rows_of(store, session_id),
        conversation(store, session, with_transcript=False),
        store.sessions.family(session),
    )


def files_of_session(store: Store, session_id: int) -> list[FileUse]:
    """Return the files that a session's memories name, as `file_uses` has them."""
    return file_uses(store.observations.of_session(session_id))


def rows_of(store: Store, session_id: int) -> list[ListRow]:
    """Return a session's rows in time order, what its sub-agents did below the calls that started them."""
    rows = store.listing(f"session:@{session_id}", 0, MOST)[::-1]
    steps = store.observations.steps_below(session_id)
    if not steps:
        return rows

    def number(row: ListRow) -> int | None:
        return row.record_id if row.kind == "observation" else None

    return [
        replace(row, title=f"{STEP}{row.title}") if number(row) in steps else row
        for row in nested(rows, number, steps)
    ]


GLANCE = 300
"""A session's newest observations whose files are named beside the list."""


@dataclass(frozen=True, slots=True)
class SessionGlance:
    """What the pane beside the list tells of a session: its newest summary, at the brief level where there
    is one, its first prompts, how many memories there are of each type, most first, its files, and its
    family."""

    row: SessionRow
    summary: Summary | None
    prompts: list[ListRow]
    types: list[tuple[str, int]]
    files: list[FileUse]
    family: Family


def session_glance(store: Store, session_id: int, prompts: int) -> SessionGlance:
    """Return a glance at a session by its number, with so many prompts, however large the session is.
    Raises NotFoundError."""
    row = store.sessions.row(session_id)
    query = f"session:@{session_id}"
    asked = store.listing(f"{query} kind:prompt", max(0, row.prompts - prompts), prompts)
    newest = store.listing(f"{query} kind:observation", 0, GLANCE)
    summary = None
    for list_row in store.listing(f"{query} kind:summary", 0, 1):
        detailed = store.summaries.get(list_row.record_id)
        summary = (*store.summaries.brief_levels(detailed), detailed)[0]
    return SessionGlance(
        row,
        summary,
        asked[::-1],
        store.facets(query).counts["type"],
        file_uses(store.observations.by_ids(item.record_id for item in newest)),
        store.sessions.family(session_id),
    )


@dataclass(frozen=True, slots=True)
class FileUse:
    """A path, in how many observations it was modified and read, and the refs of these."""

    path: str
    modified: int
    read: int
    refs: tuple[str, ...] = ()


def file_uses(observations: Iterable[Observation]) -> list[FileUse]:
    """Return every file of some observations, the most modified first, then the most read."""
    modified: Counter[str] = Counter()
    read: Counter[str] = Counter()
    refs: dict[str, list[str]] = {}
    for observation in observations:
        changed, looked_at = files_of(observation)
        modified.update(changed)
        read.update(looked_at)
        for path in {*changed, *looked_at}:
            refs.setdefault(path, []).append(str(observation.id))
    uses = [FileUse(path, modified[path], read[path], tuple(refs[path])) for path in modified | read]
    return sorted(uses, key=lambda use: (-use.modified, -use.read, use.path))
