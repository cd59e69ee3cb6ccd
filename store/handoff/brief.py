"""Write a brief that hands work over: what was asked, decided, done and left, each line with the memory it
rests on, within a budget in tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from ..context.mem_command import mem_command
from ..context.wrapper import BLANK_NONCE, random_nonce, sanitize
from ..database.transaction import snapshot
from ..formats.transcripts.resumption import resumption
from ..records import Prompt, Record, Session, Summary
from ..records.dataclasses import dataclass
from ..store import Store
from ..tables.session_titles import session_title
from ..text.plural import english_count
from ..text.tokens import estimate_tokens, token_weight
from .fitting import fitted
from .lines import SECTIONS, CitedLine, lines_of, told
from .shapes import COLLEAGUE, HandoffShape, recipient
from .subject import Subject, of_query, of_session

BUDGET = 2_000
LEAST_BUDGET = 200
"""Tokens of a hand over: where nothing else is said, and what it takes to say anything."""
HEADLINE = 100
"""Characters of the title."""
TYPE = 24
"""Characters of a type."""
NOTES = 20
"""Tokens that are kept for how many memories are told, and what stands for a bracket."""


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
        return _handoff(of_session(store, session), recipient(to), budget)


def handoff_of_query(store: Store, query: str, *, to: str = COLLEAGUE, budget: int = BUDGET) -> Handoff:
    """Return what a query finds as a brief; like `handoff_of_session`."""
    shape = recipient(to)
    store.catch_up()
    with snapshot(store.db):
        return _handoff(of_query(store, query), shape, budget)


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
    written = [*_sections(shape, chosen)]
    if shape.is_block and any("‹" in line for line in written):
        hint += " ‹ stands for a < of theirs."
    text = "\n".join(
        [*shape.head(title, _about(subject, len(refs), left_out), hint), *written, *shape.foot()]
    )
    sections = {
        name: tuple(line for line in chosen if line.section == name)
        for name in SECTIONS
        if any(line.section == name for line in chosen)
    }
    return Handoff(to, title, text, refs, left_out, sections, subject.session, subject.query)


def _sections(shape: HandoffShape, chosen: list[CitedLine]) -> Iterator[str]:
    for section in SECTIONS:
        written: list[str] = []
        above: tuple[str, ...] = ()
        for line in chosen:
            if line.section == section:
                written.append(shape.line(line, is_below=above == line.refs))
                above = line.refs
        if written:
            yield from shape.section(section, written)


def _title(subject: Subject) -> str:
    """What the session is called, by what of it is visible."""
    if subject.session is None:
        return told(f"What is known of: {subject.query}", HEADLINE)
    prompts = [record.text for record in subject.records if isinstance(record, Prompt)]
    summaries = [record for record in subject.records if isinstance(record, Summary)]
    newest = max(summaries, key=lambda summary: (summary.created_at, summary.id), default=None)
    request, outcome = (newest.request, newest.completed or newest.learned) if newest else (None, None)
    name = session_title(subject.session.title, prompts[0] if prompts else None, request, outcome)
    return (told(name, HEADLINE) or f"session @{subject.session.id}").rstrip(".。")


def _about(subject: Subject, used: int, left_out: int) -> str:
    """Where and when it was, how much there is of it, and how much of that is told."""
    total = used + left_out
    some = f"{used:,} of " if left_out else ""
    many = english_count(total, "memories")
    session = subject.session
    if session is None:
        projects = sorted({project for record in subject.records if (project := _project(record))})
        of = f" of {', '.join(told(text, HEADLINE) for text in projects[:5])}" if projects else ""
        the = "the" if some else "The"
        return f"{some}{the} best {many}{of}."
    times = [session.started_at, *(item.created_at for item in subject.records)]
    first, last = _day(min(times)), _day(max(times))
    span = first if first == last else f"{first} to {last}"
    where = f" in {told(session.project, HEADLINE)}" if session.project else ""
    return f"Session @{session.id} of {told(session.agent, TYPE)}{where}, {span}, {some}{many}."


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


def _project(record: Record) -> str:
    return str(getattr(record, "project", ""))


def _moment(at: int) -> str:
    return time.strftime("%d %b %H:%M", time.localtime(at / 1_000))


def _day(at: int) -> str:
    return time.strftime("%d %b %Y", time.localtime(at / 1_000))
