"""What is handed over: the memories of a session, or those that a query finds, none of them hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...context.scope import refs_reported_wrong
from ...platform.errors import NotFoundError
from ...platform.translation import _
from ...records.dataclasses import dataclass, field, replace
from ...records.kinds import NOISE, ref_of
from ...records.rows import Fact, Observation, Record, Session
from ...search.listing.rows import named
from ...search.listing.teammates import Teammates, withheld
from ...store import Store

MOST_OBSERVATIONS = 400
"""So many of a session's newest observations are looked at, beside its decisions."""
MOST_HITS = 60
"""So many of a query's best hits are looked at."""
NEWEST_SESSIONS = 20
"""So many of a project's newest sessions are looked through for one that holds anything."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is handed over: of a session, or of a `query` ("" for none), with its memories in the order in
    which they matter where that is known (`is_ranked`), else in time order.
    `wrong` are the refs that are reported as wrong, those of others among them, `authors` who shared what
    teammates did, by ref: agents may be told of these."""

    records: tuple[Record, ...]
    session: Session | None = None
    query: str = ""
    is_ranked: bool = False
    wrong: frozenset[str] = frozenset()
    authors: Mapping[str, str] = field(default_factory=dict)


def session_named(store: Store, ref: str) -> Session:
    """Return the session that an id means, its own or that of one of its memories.

    Raises NotFoundError where there is none, or it is private or deleted.
    """
    result = store.any_record(ref)
    session = store.sessions.of_record(result)
    if session is None:
        raise NotFoundError(
            "{ref} belongs to no session. To hand over what a search finds, use --query.", ref=ref
        )
    return session


def newest_session(store: Store, project: str) -> Session:
    """Return a project's newest session that holds anything; NotFoundError where there is none."""
    for row in store.sessions.list(project, limit=NEWEST_SESSIONS, ahead_last=True):
        if row.prompts or row.observations or row.summaries:
            return row.session
    raise NotFoundError(
        "No session of {project} is remembered yet. Name one with its id; `mem session list` shows them.",
        project=project or _("work outside of any project"),
    )


def of_session(store: Store, session: Session) -> Subject:
    """Return what may be handed over of a session; NotFoundError where all of it is hidden."""
    if not session.is_visible:
        raise NotFoundError(
            "Session @{id} is private: it is not handed over."
            if session.private
            else "Session @{id} is deleted: it is not handed over.",
            id=session.id,
        )
    observations = store.observations.of_session(session)
    late = observations[-MOST_OBSERVATIONS:]
    early = [
        observation for observation in observations[:-MOST_OBSERVATIONS] if observation.type == "decision"
    ]
    records: list[Record] = [
        *store.prompts.standing(session),
        *(summary for summary, _ in store.summaries.with_levels(session)),
        *early,
        *late,
        *store.facts.of_session(session),
    ]
    records.sort(key=lambda item: item.created_at)
    return _subject(store, records, Subject((), session))


def of_query(store: Store, query: str) -> Subject:
    """Return what may be handed over of a query's best hits, related ones included; NotFoundError where
    nothing is found."""
    hits = store.find(query).page(limit=MOST_HITS, related=True).hits
    return _subject(store, (hit.record for hit in hits), Subject((), None, query, True))


def _subject(store: Store, records: Iterable[Record], empty: Subject) -> Subject:
    tellable = [record for record in records if _may_be_told(record)]
    # Documents say what is visible, of noise and of a summary's other levels too.
    visible = named(store.db, [ref_of(item) for item in tellable])
    told = Teammates(store.db).told(visible)
    kept = tuple(entry for entry in tellable if ref_of(entry) in told)
    if not kept:
        if visible:
            raise NotFoundError(
                withheld(f"@{empty.session.id}" if empty.session else f"What “{empty.query}” finds")
            )
        if empty.session:
            raise NotFoundError("There is nothing to hand over of session @{id}.", id=empty.session.id)
        raise NotFoundError(
            "No memory matches “{query}”, so there is nothing to hand over.", query=empty.query
        )
    wrong = refs_reported_wrong(store.db)
    authors = {ref: author for ref, author in told.items() if author}
    session = empty.session
    if session is not None and not Teammates(store.db).told([ref_of(session)]):
        # A teammate called it so.
        session = replace(session, title=None)
    return Subject(kept, session, empty.query, empty.is_ranked, wrong, authors)


def _may_be_told(record: Record) -> bool:
    if isinstance(record, Fact) and record.superseded_by is not None:
        return False
    return record.is_visible and not (isinstance(record, Observation) and record.type == NOISE)
