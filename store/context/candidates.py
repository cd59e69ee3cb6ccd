"""The candidates for a context: the memories that matter to a project, section by section, the most
important first, as pieces.

Read by SQL alone: the tables' records would cost a hook's process more to import than to read.
"""

from __future__ import annotations

import time
from itertools import islice

from ..records import kinds
from ..records.kinds import KINDS, LETTERS, parse_ref
from ..search.listing.document_sql import (
    ASKED_FOR,
    DECISIONS,
    FACTS,
    MOST_FACTS,
    NOTE,
    NOTES,
    OBSERVATIONS,
    ONE,
    PINNED,
    READ,
)
from ..search.listing.teammates import Teammates, by
from ..text.language.phrases import asks_something, gave_up, offers, points_elsewhere, repeats
from ..text.language.same import gist
from ..text.truncation import shortened
from .past_sessions import (
    SessionTurn,
    SummaryText,
    findings,
    last_session,
    lately,
    observed,
    summaries_of,
    summary_of,
    wishes_of,
)
from .pieces import Piece, pieces_of
from .scope import (
    ALL,
    REPORTED_WRONG,
    SessionScope,
    branch_of,
    held_before,
    refs_reported_wrong,
    superseded_refs,
    unmerged_elsewhere,
)
from .wrapper import CHANGED_SINCE, sanitize, without_markers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    import apsw


TAKEN_BY = {"user": "user", "agreed": "user agreed", "assistant": "agent"}
"""Who took a decision, in a word."""
REMARK = 300
"""Characters of a remark on what was pasted."""
TELLS_ONE_THING = 600
"""Characters of a reply that tells of nothing but what was given up."""
MOST_WISHES = 14
LONG, MIDDLE, SHORT = 1_200, 600, 240
"""Characters of a text that is told in full, in part, or in a few words."""

ON_BRANCH = "(on branch {})"
"""What is said of what isn't merged where the session works."""
PLANNED, ACCEPTED = "Planned: ", "(accepted)"
"""How the title of a plan that the user accepted begins and ends; of that the text is told too."""
CHOSEN, ABOUT, PINS = "Chosen", "About this prompt", "Pinned"
LAST, DECIDED, HELD_TRUE = "The last session", "Decisions", "Held true"
WANTED = "Wanted before"
LEFT, SESSIONS = "Left and done", "Last sessions"
FOUND, ITS_NOTES, LATELY = "Found and answered", "Notes", "Lately"
OWN = "This session before it was compacted"
SECTIONS = (
    CHOSEN, ABOUT, PINS, LAST, DECIDED, HELD_TRUE, WANTED, LEFT, SESSIONS, FOUND, ITS_NOTES, LATELY, OWN,
)  # fmt: skip


class Candidate:
    """A memory in a section: the line that it begins with, and the pieces of its text. `is_asked_for`
    is whether it is told whatever else is: chosen, pinned, or about a prompt."""

    __slots__ = ("at", "gist", "head", "is_asked_for", "lead", "pieces", "ref", "section")

    def __init__(
        self,
        ref: str,
        section: str,
        lead: str,
        title: str,
        pieces: Iterable[Piece] = (),
        at: int = 0,
    ) -> None:
        self.ref = ref
        self.section = section
        self.lead = lead
        """What the head begins with, all of it where others have told the title."""
        # A title that ends in a word and the colon after it may make a marker together.
        self.head = without_markers(f"{lead} {title}".rstrip())
        self.gist = gist("" if section == ITS_NOTES else title)
        """The gist of the title, by which a repetition is recognised; an empty one where it may repeat."""
        self.at = at
        """When it was stored, in ms since the epoch, UTC; 0 for a note."""
        self.pieces = tuple(pieces)
        self.is_asked_for = section in (CHOSEN, ABOUT, PINS)

    def mark(self, remark: str) -> None:
        """Say something of the memory after its ref."""
        begin = len(f"- {self.ref}")
        self.lead = f"{self.lead[:begin]} {remark}{self.lead[begin:]}"
        self.head = f"{self.head[:begin]} {remark}{self.head[begin:]}"


def candidates(
    db: apsw.Connection,
    project: str,
    first: Iterable[str] = (),
    relevant: Iterable[str] = (),
    scope: SessionScope = ALL,
    folder: str = "",
) -> Iterator[Candidate]:
    """Yield a project's memories, each once, the most important first. What came of a branch that isn't
    merged says so, unless `folder`, in which the session works, is on it.

    In order: those that its profile puts `first`, those that are `relevant` to a prompt, the pinned, the
    turns of the last session, decisions, facts, what was left of the last session and done in it,
    summaries of those before it, what was found and answered, notes, and what was done lately.
    Of a compacted session what was asked for and its own.
    """
    seen: set[str] = set()
    wrong = refs_reported_wrong(db)
    superseded = superseded_refs(db, project)
    branches = unmerged_elsewhere(db, project, folder)
    teammates = Teammates(db)
    for candidate in _all(db, project, first, relevant, scope):
        if candidate.ref not in seen and candidate.head:
            seen.add(candidate.ref)
            authors = teammates.told([candidate.ref])
            if candidate.ref not in authors:
                continue
            if author := authors[candidate.ref]:
                candidate.mark(by(sanitize(author)))
            if candidate.ref in wrong:
                candidate.mark(REPORTED_WRONG)
            if branches and (branch := branch_of(db, candidate.ref, branches)):
                candidate.mark(ON_BRANCH.format(sanitize(branch)))
            if candidate.ref in superseded:
                if candidate.section == WANTED:
                    continue
                candidate.mark(superseded[candidate.ref])
            yield candidate


def _all(
    db: apsw.Connection,
    project: str,
    first: Iterable[str],
    relevant: Iterable[str],
    scope: SessionScope,
) -> Iterator[Candidate]:
    # What was chosen is told again to a session that has lost it.
    asked = SessionScope(scope.session, scope.since) if scope.session and not scope.is_own else ALL
    for section, refs in ((CHOSEN, first), (ABOUT, relevant)):
        for ref in refs:
            yield from _one(db, project, section, ref, asked)
    for letter, number in db.execute(PINNED, (project,)).fetchall():
        for row in db.execute(ONE, (letter, number, project)):
            if asked.holds(row[3], row[2]):
                yield _document(db, PINS, row, MIDDLE)
    if scope.is_own:
        yield from _own(db, scope)
        return
    last, turns = last_session(db, project, scope)
    for turn, after in zip(turns, [*turns[1:], None], strict=False):
        yield _turn(LAST, turn, is_answered=after is not None and asks_something(after.question))
    decisions: list[Any] = db.execute(DECISIONS, (project,)).fetchall()
    decided = [number for number, at, session in decisions if scope.holds(session, at)]
    rows = observed(db, project, scope)
    results = findings(rows)
    observations = _observations(db, (*decided, *results))
    for number in decided:
        yield _document(db, DECIDED, observations[number], SHORT)
    before = held_before(db, project)
    for row in _facts(db, project):
        if scope.holds_fact(db, row[1], row[2]):
            yield _document(db, HELD_TRUE, row, before=before.get(row[1], ""))
    for number, at, pieces in islice(wishes_of(db, project, scope, last), MOST_WISHES):
        day = _moment(at).rpartition(" ")[0]
        yield Candidate(f"p{number}", WANTED, f"- p{number} {day}", "", pieces, at)
    for summary in summaries_of(db, project, scope):
        is_last = summary.session == last and not summary.is_whole
        yield _summary(LEFT, summary.without_asked()) if is_last else _summary(SESSIONS, summary)
    loud = _loud(db, observations)
    for number in results:
        if not _gave_up(observations[number]) and number not in loud:
            yield _document(db, FOUND, observations[number], LONG)
    for row in db.execute(NOTES, (project,)):
        if scope.holds(None, row[3]):
            yield _note(ITS_NOTES, row)
    done = lately(rows)
    observations = _observations(db, (number for number, *_ in done))
    for number, at, title, is_stale in done:
        ref = kinds.ref("observation", number)
        facts = pieces_of(observations[number][7], LONG)
        yield Candidate(ref, LATELY, f"- {ref} {_moment(at)}{_since(is_stale)}", title, facts, at=at)


def _own(db: apsw.Connection, scope: SessionScope) -> Iterator[Candidate]:
    """Yield what a session has lost: what its summary lacks, the summary, what it decided and found, what
    it did last."""
    # Most starts are of no session that was compacted.
    from .compaction import compacted, lacking

    if scope.session is not None and (last := compacted(db, scope.session)):
        for lost in lacking(db, scope.session, *last):
            lead = f"- {lost.ref} {_moment(lost.at)} {lost.kind}:"
            yield Candidate(lost.ref, OWN, lead, sanitize(lost.text, LONG), at=lost.at)
    for summary in summaries_of(db, "", scope):
        yield _summary(OWN, summary)
    rows = observed(db, "", scope)
    results = findings(rows)
    observations = _observations(db, results)
    for number in results:
        yield _document(db, OWN, observations[number], SHORT)
    for number, at, title, is_stale in lately(rows):
        ref = kinds.ref("observation", number)
        yield Candidate(ref, OWN, f"- {ref} {_moment(at)}{_since(is_stale)}", title, at=at)


def _observations(db: apsw.Connection, numbers: Iterable[int]) -> dict[int, tuple[Any, ...]]:
    """Return the rows of observations, by their ids."""
    rows = db.execute(OBSERVATIONS, (f"[{','.join(map(str, numbers))}]",))
    return {row[1]: row for row in rows}


def _facts(db: apsw.Connection, project: str) -> list[tuple[Any, ...]]:
    """Return the rows of the facts that are told of a project, its own first, then those of none."""
    rows = db.execute(FACTS, (project,)).fetchall()
    if project and len(rows) < MOST_FACTS:
        rows += db.execute(FACTS, ("",)).fetchall()
    return rows[:MOST_FACTS]


def _one(
    db: apsw.Connection, project: str, section: str, ref: str, scope: SessionScope
) -> Iterator[Candidate]:
    kind, number = parse_ref(ref) or ("", 0)
    if kind == "note":
        for row in db.execute(NOTE, (number, project)):
            if scope.holds(None, row[3]):
                yield _note(section, row)
    elif kind in LETTERS:
        for row in db.execute(ONE, (LETTERS[kind], number, project)):
            if scope.holds(row[3], row[2]) and not (section == ABOUT and _gave_up(row)):
                yield _document(db, section, row, LONG)


def _loud(db: apsw.Connection, rows: dict[int, tuple[Any, ...]]) -> set[int]:
    """Return the ids of what was said that only repeats, points elsewhere, or remarks on a pasted log."""
    short = {
        number: text
        for number, row in rows.items()
        if not row[8] and len(text := f"{row[5] or ''}\n{row[6] or ''}".strip()) <= REMARK
    }
    results = {number for number, text in short.items() if repeats(text) or points_elsewhere(text)}
    for number, prompt in db.execute(ASKED_FOR, (f"[{','.join(map(str, short))}]",)):
        if repeats(prompt):
            results.add(number)
    return results


def _gave_up(row: tuple[Any, ...]) -> bool:
    """Whether somebody's words tell of what was tried and didn't stay."""
    text = f"{row[5] or ''}\n{row[6] or ''}"
    return row[0] == "o" and not row[8] and len(text) <= TELLS_ONE_THING and gave_up(text)


def _document(
    db: apsw.Connection,
    section: str,
    row: tuple[Any, ...],
    longest: int = LONG,
    before: str = "",
) -> Candidate:
    """Return a document; `before` is what held before a fact."""
    letter, number, at, _, type, title, text, facts, is_output, is_stale = row
    ref = kinds.ref(KINDS[letter], number)
    if letter == "s" and (summary := summary_of(db, number)):
        return _summary(section, summary)
    title = shortened(sanitize((title or "").strip().split("\n", 1)[0], LONG), SHORT)
    if letter == "f":
        who = f", {TAKEN_BY[facts]}" if facts in TAKEN_BY else ""
        since = f"; {sanitize(before, SHORT)}" if before else ""
        fact = Candidate(ref, section, f"- {ref}", f"{title} ({float(text):.0%}{who}{since})", at=at)
        fact.gist = gist(f"{title} {before}")
        return fact
    if letter == "p":
        return Candidate(ref, section, f"- {ref} {_moment(at)} asked:", title, at=at)
    # Of what a tool gave the title tells the outcome; in full it is told to whom asked for it.
    is_plan = title.startswith(PLANNED) and title.endswith(ACCEPTED)
    is_whole = not is_output or is_plan or section in (CHOSEN, ABOUT)
    longest = max(longest, MIDDLE) if is_plan else longest
    pieces = [*(pieces_of(text, longest) if is_whole else ()), *pieces_of(facts, longest)]
    kind = "" if is_output or section == DECIDED else f" {sanitize(type)}:"
    kind = f"{_since(is_stale)}{kind}"
    if begun := title.rstrip("…"):
        # A title is often the beginning of the text.
        opening = " ".join(piece.text for piece in pieces[:3] if piece.start is None)
        if opening.startswith(begun):
            title, pieces = pieces[0].text, pieces[1:]
    return Candidate(ref, section, f"- {ref} {_moment(at)}{kind}", title, pieces, at)


def _turn(section: str, turn: SessionTurn, *, is_answered: bool) -> Candidate:
    """Return a turn; `is_answered` is whether the user went on with something else than what it offers."""
    ref = kinds.ref("observation" if turn.is_answered else "prompt", turn.id)
    lead = f"- {ref}" if turn.is_answered else f"- {ref} asked:"
    question = f"“{turn.question}”" if turn.question else ""
    pieces = pieces_of(turn.text, READ)
    while is_answered and len(pieces) > 1 and offers(pieces[-1].text):
        pieces.pop()
    return Candidate(ref, section, lead, question, pieces, turn.at)


def _summary(section: str, summary: SummaryText) -> Candidate:
    ref = kinds.ref("summary", summary.id)
    return Candidate(
        ref, section, f"- {ref} {_moment(summary.at)}", summary.headline, summary.pieces, summary.at
    )


def _note(section: str, row: tuple[Any, ...]) -> Candidate:
    number, path, text, _ = row
    ref = kinds.ref("note", number)
    lines = [line for raw in text.splitlines() if (line := sanitize(raw).rstrip())]
    name = f"{sanitize(path)}{':' if lines else ''}"
    return Candidate(ref, section, f"- {ref}", name, [Piece(line, "") for line in lines])


def _moment(at: int) -> str:
    return time.strftime("%d %b %H:%M", time.localtime(at / 1_000))


def _since(is_stale: int) -> str:
    """Return the words behind a moment that tell of changed files."""
    return f" {CHANGED_SINCE}" if is_stale else ""
