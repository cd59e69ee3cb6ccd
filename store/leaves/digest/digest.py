"""A digest of what was done, decided, left and broken in some days, and what it cost, by project.

Nothing is made up: each line is one of a session's summary, which is made of what was said and done in
these days alone, or a fact that was stated in them; and names the session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from ...database.transaction import snapshot
from ...observe.jobs.findings import made_by
from ...observe.jobs.rule_observer import summary_between
from ...observe.summaries.lines import is_decision, is_trivial
from ...observe.summaries.summary import distinct, unsaid
from ...platform.clock import local_time, now_ms
from ...platform.leaves import has_leaf, leaf
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass, replace
from ...records.kinds import ref_of
from ...records.rows import Session
from ...search.query.dates import named_range
from ...search.query.language import Filter, Query
from ...store import Store
from ...text.display import safe
from ...text.language.folding import words_of
from ...text.plural import count_noun
from ...text.truncation import shortened

WORDS = 300
"""So many words at most; a Chinese character is one."""
LINE = 140
"""Characters of a line."""
DONE, DECIDED, LEFT, FAILED = N_("Done"), N_("Decided"), N_("Left to do"), N_("Failed")
SECTIONS = (DONE, DECIDED, LEFT, FAILED)
AT_THE_END = (LEFT, FAILED)
"""The sections of how a project's last session ended."""
TURN = (DONE, DONE, DECIDED, LEFT, FAILED)
"""Of which sections lines are taken, one after another, while there is room."""
MOST_RECORDS = 50_000
"""So many of the newest records are looked through for their sessions."""
MOST_DAYS = 31
"""Days without work are told of no longer span."""
SAYS_LITTLE = ("Edited ", "Created ", "Opened http")
"""How titles of steps begin that come behind what was said of the work."""
NAMED = ("Decided: ", "决定：", "Open question: ", "待定：")
"""What the section says already."""
OWN = ("O", "B")
"""The kinds of facts that are the user's words: what he wants, and what he agreed to."""
SINCE = {"y": "yesterday", "w": "7d", "m": "30d"}
"""Of spans that end now, when they begin, as a query names it."""
OTHERS = 20
"""Words that are kept for what stands at the end."""


@dataclass(frozen=True, slots=True)
class DigestLine:
    """What a session's summary, or a fact of it, says."""

    section: str
    text: str
    session: int


@dataclass(frozen=True, slots=True)
class ProjectDigest:
    """What the sessions of a project came to. The tokens and the dollars are what was spent on it, with a
    "+" where not all tokens have a price; "" where nothing tells."""

    project: str
    sessions: int
    lines: tuple[DigestLine, ...]
    tokens: int = 0
    dollars: float = 0.0
    unpriced: int = 0
    left_out: int = 0

    def of(self, section: str) -> list[DigestLine]:
        """Return the lines of a section."""
        return [line for line in self.lines if line.section == section]

    @property
    def about(self) -> str:
        """How much work it was."""
        parts = [count_noun(self.sessions, "sessions")]
        if self.dollars:
            parts.append(f"${self.dollars:,.2f}{'+' if self.unpriced else ''}")
        elif self.tokens:
            parts.append(count_noun(self.tokens, "tokens"))
        return " · ".join(parts)


@dataclass(frozen=True, slots=True)
class WorkDigest:
    """The projects that were worked on from one moment until another (ms), the most work first."""

    since: int
    until: int
    projects: tuple[ProjectDigest, ...]
    idle: tuple[date, ...] = ()
    """The days of which no work is stored."""
    last: str = ""
    """The day of the last work before, where none is stored of these."""
    worked: tuple[date, ...] = ()
    """The days of which some is."""
    waiting: int = 0
    """How many memories of these days wait for the user's word, and are not told."""

    @property
    def text(self) -> str:
        """It as Markdown."""
        return "\n".join(self._written())

    def _written(self) -> Iterator[str]:
        first, last = (local_time(at, "%Y-%m-%d") for at in (self.since, self.until - 1))
        yield f"# {first}" if first == last else f"# {first} – {last}"
        for item in self.projects:
            yield from ("", f"## {safe(item.project) or _('outside of any project')} ({item.about})")
            for section in SECTIONS:
                if lines := item.of(section):
                    yield from ("", f"**{_(section)}**", "")
                    yield from (f"- {line.text} [@{line.session}]" for line in lines)
            if item.left_out:
                yield from ("", _("{count} more lines", count=item.left_out))
        if not self.projects:
            before = _("The last before them is of {day}.", day=self.last) if self.last else ""
            yield from ("", f"{_('No work is stored of these days.')} {before}".rstrip())
        elif self.idle and len(self.idle) <= len(self.worked):
            yield from ("", _("No work is stored of {days}.", days=_(", ").join(map(str, self.idle))))
        elif 1 < len(self.worked) <= MOST_DAYS:
            yield from ("", _("Work is stored of {days}.", days=_(", ").join(map(str, self.worked))))
        if self.waiting:
            yield from ("", _("Waiting for your word (`mem review`): {count}", count=self.waiting))


def moments(since: str, until: str | None = None) -> tuple[int, int] | None:
    """Return the first moment of what a time names, as a query has it, and the first after another, or
    after now; None where one of them names none."""
    now = datetime.now()
    first, last = named_range(since, now), named_range(until, now) if until else (0, now_ms() + 1)
    return (first[0], last[1]) if first and last else None


def digest(store: Store, since: int, until: int, project: str | None = None) -> WorkDigest:
    """Return the digest of what a project, or all (None), came to from one moment until another (ms), of at
    most `WORDS` words."""
    filters = () if project is None else (Filter("project", (project,)),)
    with snapshot(store.db):
        rows = store.find(Query(filters=filters, since=since, until=until)).rows(0, MOST_RECORDS)
        below = store.sessions.parents()
        ids = dict.fromkeys(row.session_id for row in reversed(rows) if row.session_id is not None)
        every = (store.sessions.get(number) for number in ids if number not in below)
        by_project: dict[str, list[Session]] = {}
        for session in every:
            if session.is_visible and not session.automatic:
                by_project.setdefault(session.project, []).append(session)
        waiting = {it.id for it in store.reviewing.waiting()}
        spent = _spent(store, since, until)
        results = [
            _of_project(store, name, sessions, since, until, waiting, spent.get(name))
            for name, sessions in by_project.items()
        ]
        ended = [] if results else store.find(Query(filters=filters, until=since)).rows(0, 1)
    results.sort(key=lambda item: (-len(item.lines), item.project))
    last = local_time(ended[0].created_at, "%Y-%m-%d") if ended else ""
    worked = {datetime.fromtimestamp(row.created_at / 1000).date() for row in rows}
    many = len({row.ref for row in rows} & waiting)
    idle = _idle(since, until, worked)
    return _fitted(WorkDigest(since, until, tuple(results), idle, last, tuple(sorted(worked)), many))


def spans_of_work(store: Store) -> dict[str, tuple[int, int]]:
    """Return the moments (ms) from which on, and up to which, a digest tells, of the spans that hold
    work, by letter: since (y)esterday, a (w)eek, a (m)onth, the (l)ast week of work where that is over,
    (a)ll."""
    now = now_ms() + 1
    newest = store.find(Query(until=now)).rows(0, 1)
    oldest = store.find(Query(until=now, sort="oldest")).rows(0, 1)
    if not newest or not oldest:
        return {}
    last, first = newest[0].created_at, oldest[0].created_at
    starts = {letter: (moments(time) or (0, 0))[0] for letter, time in SINCE.items()}
    spans = {letter: (since, now) for letter, since in starts.items() if since <= last}
    if last < starts["w"]:
        end = datetime.fromtimestamp(last / 1000).replace(hour=0, minute=0, second=0, microsecond=0)
        first_day, next_day = (end + timedelta(days=days) for days in (-6, 1))
        spans["l"] = round(first_day.timestamp() * 1000), round(next_day.timestamp() * 1000)
    if first < starts["m"]:
        spans["a"] = first, now
    return spans


def _of_project(
    store: Store,
    project: str,
    sessions: list[Session],
    since: int,
    until: int,
    waiting: set[str],
    cost: Any,
) -> ProjectDigest:
    lines: list[DigestLine] = []
    for session in sessions:
        lines += [
            DigestLine(section, _in_a_line(text), session.id)
            for section, text in _said(store, session, since, until, waiting)
            # What was left or failed before was perhaps done in a later session.
            if text.strip() and (section not in AT_THE_END or session is sessions[-1])
        ]
    kept: list[DigestLine] = []
    for section in SECTIONS:
        texts = {line.text: line for line in lines if line.section == section}
        new = unsaid(distinct(texts), (line.text for line in kept))
        kept += _newest_first([texts[text] for text in new])
    result = ProjectDigest(project, len(sessions), tuple(kept))
    if cost is None:
        return result
    return replace(result, tokens=cost.tokens, dollars=cost.dollars, unpriced=cost.unpriced)


def _newest_first(lines: list[DigestLine]) -> list[DigestLine]:
    """Return the first line of each session, the newest session's first, then the second of each; what says
    little at last."""
    of_session: Counter[int] = Counter()
    places = []
    for line in lines:
        places.append(of_session[line.session])
        of_session[line.session] += 1
    newest = {number: place for place, number in enumerate(reversed(of_session))}

    def rank(pair: tuple[int, DigestLine]) -> tuple[bool, int, int]:
        place, line = pair
        return line.text.startswith(SAYS_LITTLE), place, newest[line.session]

    return [line for _place, line in sorted(zip(places, lines, strict=True), key=rank)]


def _said(
    store: Store, session: Session, since: int, until: int, waiting: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield what a session's summaries say of some time, each with its section, and what the user stated
    or agreed to then, but for what waits for the user's word."""
    made = summary_between(store, session, since, until, waiting)
    fields = [(made["completed"], made["learned"], made["next_steps"], made["notes"])]
    for summary, _levels in store.summaries.with_levels(session):
        # The observer's is of the whole session.
        is_told = made_by(summary) is None and ref_of(summary) not in waiting
        if is_told and since <= summary.created_at < until:
            fields.append((summary.completed, summary.learned, summary.next_steps, summary.notes))
    for completed, learned, next_steps, notes in fields:
        yield from ((DONE, line) for line in _lines(completed) if not is_trivial(line))
        yield from ((DECIDED, _unnamed(line)) for line in _lines(learned) if is_decision(line))
        yield from ((LEFT, line) for line in _lines(next_steps))
        yield from ((FAILED, line) for line in _lines(notes))
    for fact in store.facts.of_session(session):
        if since <= fact.created_at < until and fact.kind in OWN and ref_of(fact) not in waiting:
            yield DECIDED, _unnamed(fact.content)


def _unnamed(decision: str) -> str:
    return next((decision.removeprefix(name) for name in NAMED if decision.startswith(name)), decision)


def _in_a_line(text: str) -> str:
    """Return a text cut to a line, of a question and its answer the question."""
    asked, arrow, answer = safe(text).rpartition(" → ")
    return shortened(asked, max(LINE // 2, LINE - len(answer))) + arrow + shortened(answer, LINE)


def _lines(text: str | None) -> list[str]:
    lines = (text or "").splitlines()
    return [line.removeprefix("- ") for line in lines if line.strip()]


def _spent(store: Store, since: int, until: int) -> dict[str, Any]:
    """Return what was spent, by project; nothing where statistics are not here."""
    if not has_leaf("statistics"):
        return {}
    from ...config.prices import prices

    counts, spending = leaf("statistics.counts"), leaf("statistics.spending")
    first = datetime.fromtimestamp(since / 1000).date()
    period = counts.Period("year", first, (since, until), (0,), "day")
    spent = spending.spending(store.db, period)
    return {cost.value: cost for cost in spending.costs(spent, prices(), "project")}


def _idle(since: int, until: int, worked: set[date]) -> tuple[date, ...]:
    first, last = (datetime.fromtimestamp(at / 1000).date() for at in (since, until - 1))
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    return tuple(day for day in days if day not in worked) if len(days) <= MOST_DAYS else ()


def _fitted(whole: WorkDigest) -> WorkDigest:
    """Return a digest with so many lines of each project, by turns the next of each of its sections, as
    there are words for."""
    kept: list[list[DigestLine]] = [[] for _project in whole.projects]
    empty = [replace(item, lines=(), left_out=len(item.lines)) for item in whole.projects]
    room = WORDS - OTHERS - _words(replace(whole, projects=tuple(empty)).text)
    waiting = [[*_by_turns(item)] for item in whole.projects]
    headed: set[tuple[int, str]] = set()
    while any(waiting) and room > 0:
        for number, lines in enumerate(waiting):
            if not lines:
                continue
            line = lines.pop(0)
            heading = 0 if (number, line.section) in headed else 3
            room -= _words(line.text) + 2 + heading
            if room < 0:
                break
            headed.add((number, line.section))
            kept[number].append(line)
    projects = (
        replace(
            item,
            lines=tuple(line for line in item.lines if line in own),
            left_out=len(item.lines) - len(own),
        )
        for item, own in zip(whole.projects, kept, strict=True)
    )
    return replace(whole, projects=tuple(projects))


def _by_turns(item: ProjectDigest) -> Iterator[DigestLine]:
    left = {section: item.of(section) for section in SECTIONS}
    while any(left.values()):
        yield from (left[section].pop(0) for section in TURN if left[section])


def _words(text: str) -> int:
    return len(words_of(text))


def digest_json(result: WorkDigest) -> dict[str, object]:
    """Return a digest as JSON has it."""
    return {
        "since": result.since,
        "until": result.until,
        "projects": [
            {
                "project": item.project,
                "sessions": item.sessions,
                "tokens": item.tokens,
                "dollars": round(item.dollars, 4),
                "unpriced": item.unpriced,
                **{
                    name: [{"text": line.text, "session": f"@{line.session}"} for line in item.of(section)]
                    for name, section in zip(("done", "decided", "left", "failed"), SECTIONS, strict=True)
                },
                "left_out": item.left_out,
            }
            for item in result.projects
        ],
        "days": [str(day) for day in result.worked],
        "idle_days": [str(day) for day in result.idle],
        "waiting": result.waiting,
    }
