"""Why lines are as they are: the turns in which they were written, what was asked there, and what was decided
and by whom; and which lines no session is known to have written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...links.git import GitError, Limit
from ...platform.errors import InvalidRecordError, NotFoundError, StoreError
from ...platform.paths import repository_root
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...records.kinds import REPLY
from ...records.rows import Fact, Observation, Prompt, SessionRow
from ...store import Store
from ...tables.fact_sources import taker_of
from .edits import Change, changes_of, writers
from .history import Commit, Line, lines_added, lines_of, sessions_named, spans

SECONDS = 30.0
"""The time that git is given."""
MOST_DECISIONS = 5


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided in a turn, and by whom in words, "" where nobody said."""

    record: Observation | Fact
    title: str
    by: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that wrote lines: its edits, what was asked, what was answered, and what was decided."""

    session: SessionRow
    asked: Prompt | None
    answered: Observation | None
    edits: tuple[Observation, ...]
    decided: tuple[Decision, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """Lines that no session is known to have written: those of a commit that names sessions, with these (those
    that the store knows, and the ids of others), or of all other commits."""

    lines: tuple[Line, ...]
    sessions: tuple[SessionRow, ...]
    others: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What there is to say."""
        nobody = _("No session is known to have written it.")
        known = _(", ").join(f"@{row.session.id}" for row in self.sessions)
        if known:
            return _(
                "{sentence} Its commit names {sessions}, of which no edit holds it.",
                sentence=nobody,
                sessions=known,
            )
        if self.others:
            return _(
                "{sentence} Its commit names {sessions}, which isn't in the store.",
                sentence=nobody,
                sessions=_(", ").join(self.others),
            )
        return nobody


@dataclass(frozen=True, slots=True)
class Blame:
    """Who wrote some lines: `turns`, those of most lines first, and what is `unknown`."""

    root: str
    path: str
    commit: Commit | None
    turns: tuple[Turn, ...]
    unknown: tuple[Unknown, ...]


def blame_file(store: Store, path: Path, number: int | None = None, project: str | None = None) -> Blame:
    """Return who wrote a file of a repository here, or one of its lines. Raises OSError and StoreError."""
    root = _root(str(path.parent))
    limit = Limit(SECONDS)
    try:
        lines = lines_of(root, path, limit)
        if number is not None and not 0 < number <= len(lines):
            raise NotFoundError(
                "{path} has {lines} lines, and no line {number}.",
                path=path,
                lines=len(lines),
                number=number,
            )
        chosen = lines if number is None else [lines[number - 1]]
        name = path.relative_to(root).as_posix()
        return _blame(store, root, name, None, lines, chosen, project, limit)
    except GitError as error:
        raise _failed(error) from error


def blame_commit(store: Store, folder: str, name: str, project: str | None = None) -> Blame:
    """Return who wrote the lines that a commit of the repository here added. Raises StoreError."""
    root = _root(folder)
    limit = Limit(SECONDS)
    try:
        lines = lines_added(root, name, limit)
        commit = lines[0].commit if lines else None
        return _blame(store, root, "", commit, lines, lines, project, limit)
    except GitError as error:
        raise _failed(error) from error


def _root(folder: str) -> str:
    root = repository_root(folder)
    if root is None:
        raise InvalidRecordError(
            "{folder} is in no git repository: only its commits tell since when a line is there.",
            folder=folder,
        )
    return root


def _failed(error: GitError) -> StoreError:
    return InvalidRecordError("Git can't tell where the lines are from. {error}", error=error)


def _blame(
    store: Store,
    root: str,
    path: str,
    commit: Commit | None,
    lines: Sequence[Line],
    chosen: Sequence[Line],
    project: str | None,
    limit: Limit,
) -> Blame:
    project = store.known_projects.named_at(root) if project is None else project
    commits = {line.commit.id: line.commit for line in chosen if line.commit}
    ids = {id: sessions_named(root, one, limit) for id, one in commits.items() if one.trailers}
    found = {name: store.sessions.find(name) for names in ids.values() for name in names}
    known = {name: session for name, session in found.items() if session and session.is_visible}
    named = {id: {known[name].id for name in names if name in known} for id, names in ids.items()}
    wrote: dict[Line, Change | None] = {}
    # A commit's lines are of many files; of one file all lines matter, as they tell which stand alone.
    for name in dict.fromkeys([path] if path else [line.path for line in lines]):
        of_file = [line for line in lines if path or line.path == name]
        names = {name, *(line.path for line in of_file)}
        wrote |= zip(of_file, writers(of_file, changes_of(store, project, names), named), strict=True)
    by_turn: dict[tuple[int, int | None], list[Line]] = {}
    by_commit: dict[str, list[Line]] = {}
    for line in chosen:
        if change := wrote[line]:
            by_turn.setdefault((change.edit.session_id, change.edit.prompt_number), []).append(line)
        else:
            names_any = line.commit and ids.get(line.commit.id)
            by_commit.setdefault(line.commit.id if line.commit and names_any else "", []).append(line)
    turns = [_turn(store, *key, some, wrote) for key, some in by_turn.items()]
    rows = {row.session.id: row for row in store.sessions.rows({one.id for one in known.values()})}
    unknown = [
        Unknown(
            tuple(some),
            tuple(rows[number] for number in sorted(named.get(id, ()))),
            tuple(name for name in ids.get(id, ()) if name not in known),
        )
        for id, some in by_commit.items()
    ]
    return Blame(
        root,
        path,
        commit,
        tuple(sorted(turns, key=lambda turn: -len(turn.lines))),
        tuple(sorted(unknown, key=lambda one: -len(one.lines))),
    )


def _turn(
    store: Store,
    session_id: int,
    number: int | None,
    lines: Iterable[Line],
    wrote: Mapping[Line, Change | None],
) -> Turn:
    lines = tuple(lines)
    edits = {change.edit.id: change.edit for line in lines if (change := wrote[line])}
    prompts = [item for item in store.prompts.of_session(session_id) if item.prompt_number == number]
    made = store.observations.of_turn(session_id, number) if number else []
    asked = prompts[0] if prompts else None
    replies = [item for item in made if item.tool_name == REPLY]
    uids = {item.uid for item in (*prompts, *made)}
    decided = [Decision(item, item.title or "", "") for item in made if item.type == "decision"]
    decided += [
        Decision(fact, fact.content, taker_of(fact.extra))
        for fact in store.facts.of_session(store.sessions.get(session_id))
        if uids.intersection(fact.evidence)
    ]
    return Turn(
        store.sessions.row(session_id),
        asked,
        replies[-1] if replies else None,
        tuple(edits.values()),
        tuple(decided[:MOST_DECISIONS]),
        lines,
    )


def spoken(lines: Iterable[Line]) -> str:
    """Return the numbers of lines as they are told: 12-40, 52."""
    numbers = sorted(line.number for line in lines)
    return _(", ").join(f"{first}-{last}" if last > first else str(first) for first, last in spans(numbers))
