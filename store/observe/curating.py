"""What people do to many memories, with what follows of it for what was observed: a session's automatic
summary says nothing of what was hidden or deleted in it."""

from __future__ import annotations

from collections.abc import Iterable

from ..curation.many import Action, Changed, Progress
from ..platform.translation import _
from ..records.dataclasses import replace
from ..records.kinds import parse_ref
from ..search.query.language import Query
from ..store import Store

SHOWING = ("hide", "show", "delete", "restore")
SUMMED_UP = ("prompt", "observation")


def change_many(
    store: Store,
    chosen: str | Query | Iterable[str],
    action: Action,
    *,
    progress: Progress | None = None,
) -> Changed:
    """Do one thing to many memories as `Store.change_many` does. Where it hides, deletes or brings back
    what automatic summaries sum up, these are made anew of what is visible then, in the same undo; those
    that were edited stay, which is told."""
    with store.change() as recorder:
        done = store.change_many(chosen, action, progress=progress)
        left = _follow(store, done.refs) if action.name in SHOWING else []
    return replace(done, left=(*done.left, *left), change_id=recorder.change_id)


def _follow(store: Store, refs: Iterable[str]) -> list[str]:
    """Make the automatic summaries of these records' sessions anew; return sentences on those that stay."""
    by_kind: dict[str, list[int]] = {}
    for kind, number in filter(None, map(parse_ref, refs)):
        if kind in SUMMED_UP:
            by_kind.setdefault(kind, []).append(number)
    sessions = {
        int(number)
        for kind, numbers in by_kind.items()
        for (number,) in store.tables[kind].raw("session_id", numbers)
    }
    if not sessions:
        return []
    from .jobs.findings import UserEdits, made_by, put_summaries
    from .jobs.rule_observer import current_summaries

    edits, left = UserEdits(store), []
    for session in store.sessions.by_ids(sorted(sessions)):
        summary = store.summaries.of_observer(session, "detailed")
        if summary is None or not (session.is_visible and summary.is_visible):
            continue
        if edits.touch(summary):
            left.append(
                _(
                    "The summary {ref} of its session was edited, and stays: see what it says.",
                    ref=f"s{summary.id}",
                )
            )
            continue
        by = made_by(summary) or ""
        put_summaries(store, session, current_summaries(store, session), edits, by)
    return left
