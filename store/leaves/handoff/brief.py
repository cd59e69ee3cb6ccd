"""Write a brief that hands work over: what was asked, decided, done and left, each line with the memory it
rests on, fitted to a budget in tokens: a share for each section, and nothing twice; and how a session goes
on with it in another agent.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ...agents.registry import BY_NAME, agent_called
from ...context.scope import refs_reported_wrong
from ...context.wrapper import BLANK_NONCE, mem_command, random_nonce, sanitize
from ...database.transaction import snapshot
from ...formats.transcripts.resumption import Resumption, place, resumption, transcripts
from ...links.foreground import find_program
from ...mcp.protocol import INVALID_PARAMS, ProtocolError
from ...mcp.resources import PromptTemplate
from ...platform.clock import local_time
from ...platform.errors import NotFoundError
from ...platform.paths import HANDED_OVER
from ...platform.translation import _
from ...records.dataclasses import dataclass, replace
from ...records.kinds import NOISE, ref_of
from ...records.rows import Fact, Observation, Prompt, Record, Session, Summary
from ...search.listing.rows import named
from ...search.listing.teammates import Teammates, withheld
from ...store import Store
from ...tables.session_titles import session_title
from ...text.plural import english_count
from ...text.tokens import estimate_tokens, token_weight
from .lines import (
    COLLEAGUE,
    SECTIONS,
    CitedLine,
    HandoffShape,
    Subject,
    fitted,
    lines_of,
    quoted,
    recipient,
)

if TYPE_CHECKING:
    from ...mcp.client import Client
    from ...mcp.memory import Memory

BUDGET = 2_000


@dataclass(frozen=True, slots=True)
class Handoff:
    """A brief. `refs` are the memories it rests on, in the order in which they are told; `left_out` is how
    many others the session or the query has; `sections` are its lines by section, as they are stored
    but harmless."""

    to: str
    title: str
    text: str
    refs: tuple[str, ...]
    left_out: int
    sections: Mapping[str, tuple[CitedLine, ...]]
    session: Session | None = None
    query: str = ""

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return estimate_tokens(self.text)


def handoff_of_session(
    store: Store, session: Session, *, to: str = COLLEAGUE, budget: int = BUDGET
) -> Handoff:
    """Return a session as a brief for an agent, by its name, or for a colleague.

    It takes about `budget` tokens at most, never fewer than `LEAST_BUDGET`. Nothing private, deleted,
    superseded or noise is told. Raises NotFoundError where nothing may be, or there is no such agent.
    """
    with snapshot(store.db):
        return _handoff(_of_session(store, session), recipient(to), budget)


def handoff_of_query(store: Store, query: str, *, to: str = COLLEAGUE, budget: int = BUDGET) -> Handoff:
    """Return what a query finds as a brief, related hits included; like `handoff_of_session`."""
    shape = recipient(to)
    store.catch_up()
    with snapshot(store.db):
        hits = store.find(query).page(limit=MOST_HITS, related=True).hits
        subject = _subject(store, (hit.record for hit in hits), Subject((), None, query, True))
        return _handoff(subject, shape, budget)


IN_ITS_PLACE = str.maketrans("@", "＠")
"""Agents put the files into a prompt that stand in it behind an @: none of what is remembered may."""


def agents_here() -> list[str]:
    """Return the names of the agents that can be started here with a first prompt."""
    return [
        agent.name
        for agent in BY_NAME.values()
        if (command := agent.prompt_command("")) and find_program(command[0])
    ]


def continuation(store: Store, session: Session, to: str) -> Resumption:
    """Return how an agent, by its name, goes on with a session. Raises NotFoundError where there is no such
    agent, or nothing to hand over."""
    name = recipient(to)
    if name == COLLEAGUE:
        raise NotFoundError("A colleague is not an agent. `mem handoff` writes what a colleague reads.")
    agent = BY_NAME[name]
    brief = handoff_of_session(store, session, to=name)
    prompt = f"Go on with the work of an earlier session: {brief.title}.\n\n{brief.text}"
    command = agent.prompt_command(prompt.translate(IN_ITS_PLACE))
    if command is None:
        return Resumption(reason=_("{agent} has no command that begins with a prompt.", agent=name))
    directory, obstacle = place(session, transcripts(session), command[0])
    # The start of that session leaves out what it is handed over.
    variables = {HANDED_OVER: f"{name} {int(time.time())}\n{prompt}".encode("utf-8", "replace")}
    return Resumption(command, directory, obstacle=obstacle, variables=variables)


MOST_OBSERVATIONS = 400
"""So many of a session's newest observations are looked at, beside its decisions."""
MOST_HITS = 60
"""So many of a query's best hits are looked at."""
NEWEST_SESSIONS = 20
"""So many of a project's newest sessions are looked through for one that holds anything."""


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


def _of_session(store: Store, session: Session) -> Subject:
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


def _subject(store: Store, records: Iterable[Record], empty: Subject) -> Subject:
    """Return a subject with those of some records that may be told."""
    shareable = [record for record in records if _is_shareable(record)]
    # Documents say what is visible, of noise and of a summary's other levels too.
    visible = named(store.db, [ref_of(item) for item in shareable])
    author_of = Teammates(store.db).told(visible)
    kept = tuple(entry for entry in shareable if ref_of(entry) in author_of)
    if not kept:
        if visible:
            raise NotFoundError(
                withheld(
                    store.db, f"@{empty.session.id}" if empty.session else f"What “{empty.query}” finds"
                )
            )
        if empty.session:
            raise NotFoundError("There is nothing to hand over of session @{id}.", id=empty.session.id)
        raise NotFoundError(
            "No memory matches “{query}”, so there is nothing to hand over.", query=empty.query
        )
    wrong = refs_reported_wrong(store.db)
    authors = {ref: author for ref, author in author_of.items() if author}
    session = empty.session
    if session is not None and not Teammates(store.db).told([ref_of(session)]):
        # A teammate called it so.
        session = replace(session, title=None)
    return Subject(kept, session, empty.query, empty.is_ranked, wrong, authors)


def _is_shareable(record: Record) -> bool:
    if isinstance(record, Fact) and record.superseded_by is not None:
        return False
    return record.is_visible and not (isinstance(record, Observation) and record.type == NOISE)


def _hand_over(client: Client, memory: Memory, session: str) -> str:
    with memory.reading() as store:
        if session:
            result = store.sessions.get(session)
        else:
            live = store.sessions.live(client.agent, client.project(store))
            newest = store.sessions.list(client.project(store) or None, limit=1, ahead_last=True)
            if live is None and not newest:
                raise ProtocolError(INVALID_PARAMS, "There is no session yet. Name one: session.")
            result = live or newest[0].session
        # A client that is no agent we know gets it in a fence, too.
        fenced = next(name for name, agent in BY_NAME.items() if agent.takes_tags)
        reader = client.agent if agent_called(client.agent) else fenced
        brief = handoff_of_session(store, result, to=reader)
    return (
        "Hand this session over to a colleague or another agent who goes on with it. Below is a brief with "
        "the memories it rests on. Check what has changed since, read more where it is thin (timeline, "
        "get), and write it out: the goal, what was done, what was decided and why, what is open and what "
        f"comes next, with the ids.\n\n{brief.text}"
    )


HAND_OVER = PromptTemplate(
    "hand-over",
    "Hand over",
    "A brief of a session for whoever goes on with it.",
    "session",
    "The session's id, such as @12; else the one going on here, or the newest.",
    False,
    _hand_over,
)


LEAST_BUDGET = 200
"""Tokens of a hand over: where nothing else is said, and what it takes to say anything."""
HEADLINE = 100
"""Characters of the title."""
TYPE = 24
"""Characters of a type."""
NOTES = 20
"""Tokens that are kept for how many memories are told, and what stands for a bracket."""


def _handoff(subject: Subject, to: str, budget: int) -> Handoff:
    lines = lines_of(subject)
    title = _title(subject)
    hint = _hint(subject, to)
    count = len(subject.records)
    session = subject.session.uid if subject.session else ""
    blank = HandoffShape(to, BLANK_NONCE, session)
    frame = "\n".join([*blank.head(title, _about(subject, count, count), hint), *blank.foot()])
    chosen = fitted(
        lines,
        max(budget, LEAST_BUDGET) - token_weight(frame) - NOTES,
        blank.heading,
        blank.line,
    )
    refs = tuple(dict.fromkeys(ref for line in chosen for ref in line.refs))
    left_out = count - len(refs)
    shape = HandoffShape(to, random_nonce(), session)
    sections: dict[str, tuple[CitedLine, ...]] = {}
    for line in sorted(chosen, key=lambda line: SECTIONS.index(line.section)):
        sections[line.section] = (*sections.get(line.section, ()), line)
    written = [*_written(shape, sections)]
    if shape.is_block and any("‹" in line for line in written):
        hint += " ‹ stands for a < of theirs."
    text = "\n".join(
        [*shape.head(title, _about(subject, len(refs), left_out), hint), *written, *shape.foot()]
    )
    return Handoff(to, title, text, refs, left_out, sections, subject.session, subject.query)


def _written(shape: HandoffShape, sections: Mapping[str, tuple[CitedLine, ...]]) -> Iterator[str]:
    for section, lines in sections.items():
        above = ((), *(line.refs for line in lines))
        written = (shape.line(line, is_below=line.refs == above[at]) for at, line in enumerate(lines))
        yield from shape.section(section, written)


def _title(subject: Subject) -> str:
    """What the session is called, by what of it is visible."""
    if subject.session is None:
        return quoted(f"What is known of: {subject.query}", HEADLINE)
    prompts = [record.text for record in subject.records if isinstance(record, Prompt)]
    summaries = [record for record in subject.records if isinstance(record, Summary)]
    newest = max(summaries, key=lambda summary: (summary.created_at, summary.id), default=None)
    request, outcome = (newest.request, newest.completed or newest.learned) if newest else (None, None)
    name = session_title(subject.session.title, prompts[0] if prompts else None, request, outcome)
    return (quoted(name, HEADLINE) or f"session @{subject.session.id}").rstrip(".。")


def _about(subject: Subject, used: int, left_out: int) -> str:
    """Where and when it was, how much there is of it, and how much of that is told."""
    total = used + left_out
    some = f"{used:,} of " if left_out else ""
    many = english_count(total, "memories")
    session = subject.session
    if session is None:
        projects = sorted({getattr(record, "project", "") for record in subject.records} - {""})
        of = f" of {', '.join(quoted(text, HEADLINE) for text in projects[:5])}" if projects else ""
        the = "the" if some else "The"
        return f"{some}{the} best {many}{of}."
    times = [session.started_at, *(item.created_at for item in subject.records)]
    first, last = (local_time(at, "%d %b %Y") for at in (min(times), max(times)))
    span = first if first == last else f"{first} to {last}"
    where = f" in {quoted(session.project, HEADLINE)}" if session.project else ""
    return f"Session @{session.id} of {quoted(session.agent, TYPE)}{where}, {span}, {some}{many}."


def _hint(subject: Subject, to: str) -> str:
    mem = "mem" if to == COLLEAGUE else sanitize(mem_command())
    session = subject.session
    more = (
        f", `{mem} session resume @{session.id}` goes on with the session, `--in AGENT` in another agent"
        if session is not None and resumption(session).can_run
        else ""
    )
    return (
        f"[mem N] is memory N: `{mem} show N` tells all of it, `{mem} timeline N` what was around it{more}."
    )
