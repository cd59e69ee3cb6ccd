"""Write a brief that hands work over: what was asked, decided, done and left, each line with the memory it
rests on, fitted to a budget in tokens: a share for each section, and nothing twice; and how a session goes
on with it in another agent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from ...agents.registry import BY_NAME
from ...context.pieces import Told
from ...context.wrapper import BLANK_NONCE, mem_command, random_nonce, sanitize
from ...database.transaction import snapshot
from ...formats.transcripts.resumption import Resumption, place, resumption, transcripts
from ...links.foreground import find_program
from ...platform.errors import NotFoundError
from ...platform.translation import _
from ...records.dataclasses import dataclass, replace
from ...records.rows import Prompt, Session, Summary
from ...store import Store
from ...tables.session_titles import session_title
from ...text.plural import english_count
from ...text.tokens import estimate_tokens, token_weight
from ...text.truncation import shortened
from .lines import (
    ASKED,
    COLLEAGUE,
    DECIDED,
    DONE,
    FAILED,
    FILES,
    HELD_TRUE,
    LEFT,
    LOOKED_AT,
    SECTIONS,
    CitedLine,
    HandoffShape,
    lines_of,
    recipient,
    told,
)
from .subject import Subject, of_query, of_session

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
        return _handoff(of_session(store, session), recipient(to), budget)


def handoff_of_query(store: Store, query: str, *, to: str = COLLEAGUE, budget: int = BUDGET) -> Handoff:
    """Return what a query finds as a brief; like `handoff_of_session`."""
    shape = recipient(to)
    store.catch_up()
    with snapshot(store.db):
        return _handoff(of_query(store, query), shape, budget)


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
    return Resumption(command, directory, obstacle=obstacle)


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
    chosen = _fitted(
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
        projects = sorted({getattr(record, "project", "") for record in subject.records} - {""})
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


def _moment(at: int) -> str:
    return time.strftime("%d %b %H:%M", time.localtime(at / 1_000))


def _day(at: int) -> str:
    return time.strftime("%d %b %Y", time.localtime(at / 1_000))


SHARES = {
    ASKED: 0.16, LEFT: 0.16, DECIDED: 0.24, HELD_TRUE: 0.10, DONE: 0.18, FAILED: 0.07, FILES: 0.07,
    LOOKED_AT: 0.02,
}  # fmt: skip
"""What of the room a section may take before the others have had theirs, in the order of what matters."""
FIRST = (LEFT, DECIDED, DONE, ASKED)
"""The sections that have one line each before any has more."""
SHORTER = (240, 160, 120, 80, 60, 40, 24)
"""Characters to which such a line is cut where there is no room for all of it."""


def _fitted(
    lines: Iterable[CitedLine],
    room: float,
    heading: Callable[[str], str],
    written: Callable[[CitedLine], str],
) -> list[CitedLine]:
    """Return the lines that there is room for, in tokens, in their order, the details of a memory as one.
    `heading` gives what stands around a section, `written` a line as it is told."""
    given = list(lines)
    chosen: set[int] = set()
    sections: set[str] = set()
    content = Told()

    def cost(line: CitedLine) -> float:
        parts = [written(line)]
        if line.section not in sections:
            parts.append(heading(line.section))
        return sum(token_weight(f"\n{part}") for part in parts)

    def take(section: str, most: float) -> float:
        """Choose lines of a section for at most so many tokens; return what they take."""
        taken = 0.0
        places = [at for at, line in enumerate(given) if line.section == section]
        for at in sorted(places, key=lambda at: (given[at].rank, given[at].place, at)):
            line = given[at]
            if at in chosen or (section != FILES and content.has(line.gist)):
                continue
            weight = cost(line)
            if taken + weight > most:
                if line.rank == 0:
                    continue
                break
            taken += weight
            chosen.add(at)
            sections.add(section)
            content.add(line.gist)
        return taken

    def take_first(section: str, most: float) -> float:
        """Choose the line of a section that matters most, cut if need be; return what it takes."""
        places = [
            at
            for at, line in enumerate(given)
            if line.section == section and not line.is_detail and not content.has(line.gist)
        ]
        if not places:
            return 0.0
        at = min(places, key=lambda at: (given[at].rank, given[at].place, at))
        whole = given[at]
        for line in (
            whole, *(replace(whole, text=shortened(whole.text, size)) for size in SHORTER)
        ):  # fmt: skip
            weight = cost(line)
            if weight <= most:
                given[at] = line
                chosen.add(at)
                sections.add(section)
                content.add(whole.gist)
                return weight
        return 0.0

    left = room
    firsts: dict[str, float] = {}
    wanted = [section for section in FIRST if any(cited_line.section == section for cited_line in given)]
    for rank, section in enumerate(wanted):
        firsts[section] = take_first(section, left / (len(wanted) - rank))
        left -= firsts[section]
    for section, share in SHARES.items():
        left -= take(section, min(left, share * room - firsts.get(section, 0.0)))
    for section in SHARES:
        left -= take(section, left)
    fitting: list[CitedLine] = []
    for at in sorted(chosen):
        line, above = given[at], fitting[-1] if fitting else None
        if above and line.is_detail and above.is_detail and line.refs == above.refs and not line.is_diff:
            fitting[-1] = replace(above, text=f"{above.text} {line.text}")
        else:
            fitting.append(line)
    return fitting
