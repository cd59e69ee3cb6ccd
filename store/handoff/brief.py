"""Write a brief that hands work over: what was asked, decided, done and left, each line with the memory it
rests on, within a budget in tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping

from ..context.mem_command import mem_command
from ..context.wrapper import BLANK_NONCE, random_nonce, sanitize
from ..database.transaction import snapshot
from ..records import Prompt, Record, Session
from ..records.dataclasses import dataclass
from ..store import Store
from ..text.plural import count_noun
from ..text.tokens import estimate_tokens, token_weight
from .fitting import fitted
from .lines import ASKED, SECTIONS, CitedLine, lines_of, told
from .shapes import COLLEAGUE, RESTS_ON, HandoffShape, recipient
from .subject import Subject, of_query, of_session, ref_of

BUDGET = 2_000
LEAST_BUDGET = 200
"""Tokens of a hand over: where nothing else is said, and what it takes to say anything."""
HEADLINE = 100
"""Characters of the title."""
TYPE = 24
"""Characters of a type."""
LEFT_OUT = 20
"""Tokens that are kept for how many memories are left out."""


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


def handoff_of_query(
    store: Store, query: str, *, to: str = COLLEAGUE, budget: int = BUDGET
) -> Handoff:
    """Return what a query finds as a brief; like `handoff_of_session`."""
    shape = recipient(to)
    store.catch_up()
    with snapshot(store.db):
        return _handoff(of_query(store, query), shape, budget)


def _handoff(subject: Subject, to: str, budget: int) -> Handoff:
    lines = lines_of(subject)
    names = {ref_of(one): _name(one) for one in subject.records}
    title = _title(subject, lines)
    about, hint = _about(subject), _hint(subject, to)
    blank = HandoffShape(to, BLANK_NONCE)
    frame = "\n".join(
        [*blank.head(title, about, hint), *blank.section(RESTS_ON, []), *blank.foot()]
    )
    chosen = fitted(
        lines,
        max(budget, LEAST_BUDGET) - token_weight(frame) - LEFT_OUT,
        blank.heading,
        blank.line,
        lambda ref: blank.source(ref, names[ref]),
    )
    refs = tuple(dict.fromkeys(ref for line in chosen for ref in line.refs))
    left_out = len(names) - len(refs)
    shape = HandoffShape(to, random_nonce())
    text = "\n".join(
        [
            *shape.head(title, about, hint),
            *_sections(shape, chosen),
            *shape.section(RESTS_ON, _sources(shape, refs, names, left_out)),
            *shape.foot(),
        ]
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


def _sources(
    shape: HandoffShape, refs: tuple[str, ...], names: dict[str, str], left_out: int
) -> Iterator[str]:
    for ref in refs:
        yield shape.source(ref, names[ref])
    if left_out:
        yield f"- {count_noun(left_out, 'memories')} left out: no room, or nothing new"


def _name(record: Record) -> str:
    """What a memory is and when it was made."""
    kind = told(str(getattr(record, "type", type(record).__name__.lower())), TYPE)
    return f"{kind}, {_moment(record.created_at)}"


def _title(subject: Subject, lines: list[CitedLine]) -> str:
    """The session's title, else what it was asked first; its `first_prompt` may be a hidden one."""
    if subject.session is None:
        return told(f"What is known of: {subject.query}", HEADLINE)
    prompts = [one.text for one in subject.records if isinstance(one, Prompt)]
    asked = [line.text for line in lines if line.section == ASKED]
    names = (subject.session.title or "", *asked, *prompts, f"session @{subject.session.id}")
    return next(filter(None, (told(name, HEADLINE) for name in names))).rstrip(".。")


def _about(subject: Subject) -> str:
    """Where and when it was, and how much there is of it."""
    many = count_noun(len(subject.records), "memories")
    session = subject.session
    if session is None:
        projects = sorted({project for one in subject.records if (project := _project(one))})
        of = f" of {', '.join(told(one, HEADLINE) for one in projects[:5])}" if projects else ""
        return f"The best {many}{of}."
    times = [session.started_at, *(one.created_at for one in subject.records)]
    first, last = _day(min(times)), _day(max(times))
    span = first if first == last else f"{first} to {last}"
    where = f" in {told(session.project, HEADLINE)}" if session.project else ""
    return f"Session @{session.id} of {told(session.agent, TYPE)}{where}, {span}, {many}."


def _hint(subject: Subject, to: str) -> str:
    mem = "mem" if to == COLLEAGUE else sanitize(mem_command())
    more = f", `session resume @{subject.session.id}` goes on with it" if subject.session else ""
    return f"[mem N] is memory N: `{mem} show N` tells all of it, `timeline N` what was around it{more}."


def _project(record: Record) -> str:
    return str(getattr(record, "project", ""))


def _moment(at: int) -> str:
    return time.strftime("%d %b %H:%M", time.localtime(at / 1_000))


def _day(at: int) -> str:
    return time.strftime("%d %b %Y", time.localtime(at / 1_000))
