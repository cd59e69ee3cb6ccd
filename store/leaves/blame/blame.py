"""Why lines are as they are: the turns that wrote them, what was asked and decided there; and those that no
session is known to have written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import apsw

from ...links.git import GitError, Limit, printed
from ...platform.errors import InvalidRecordError, NotFoundError, StoreError
from ...platform.paths import current_folder, repository_root
from ...platform.regular_file import read_regular
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...records.kinds import REPLY
from ...records.rows import Fact, Observation, Prompt, Session
from ...store import Store
from .checkpoints import SECONDS
from .edits import changes_of, writers
from .history import BlamedLine, Commit, commits_of, lines_at, lines_of, sessions_named

LARGEST = 16 << 20
"""Bytes of a file whose lines are looked at."""
NOBODY = _("No session is known to have written it.")


@dataclass(frozen=True, slots=True)
class Part:
    """Lines that a turn of a session wrote, by its `edits`: what was asked there, the reply, and what was
    decided. Without a session nobody is known to have written them; `sentence` says what is known."""

    lines: tuple[BlamedLine, ...]
    session: Session | None = None
    asked: Prompt | None = None
    reply: Observation | None = None
    edits: tuple[Observation, ...] = ()
    decided: tuple[Observation | Fact, ...] = ()
    sentence: str = ""


def blame_file(
    store: Store, path: Path, number: int | None = None, project: str | None = None
) -> list[Part]:
    """Return who wrote a file of a repository here, or one of its lines: most lines first, what nobody is
    known to have written last. Raises OSError and StoreError."""
    content = read_regular(path, LARGEST)
    root = _root(str(path.parent))
    if b"\0" in content:
        raise InvalidRecordError("{path} is binary: it has no lines to ask about.", path=path)
    name, now = path.relative_to(root).as_posix(), content.decode("utf-8", "replace").splitlines()
    if number is not None and not 0 < number <= len(now):
        raise NotFoundError(
            "{path} has {lines} lines, and no line {number}.", path=path, lines=len(now), number=number
        )
    limit = Limit(SECONDS)
    lines = lines_of(root, name, now, limit)
    chosen = lines if number is None else [lines[number - 1]]
    return _parts(store, root, {name: lines}, chosen, project, limit)


def blame_commit(store: Store, folder: str, name: str, project: str | None = None) -> list[Part]:
    """Return the same of the lines that a commit of the repository here brought. Raises StoreError."""
    root, limit = _root(folder), Limit(SECONDS)
    try:
        id = printed(root, ["rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], limit).strip()
        arguments = [
            *("show", "--format=", "--name-only", "-z", "-m", "--first-parent", "--ignore-submodules"),
            *("--diff-filter=d", id),
        ]
        changed = [path for path in printed(root, [*arguments, "--"], limit).split("\0") if path.strip()]
        # Only what it brought is looked for, so that git stops there.
        files = {path: lines_at(root, path, f"{id}^!", limit) for path in changed}
    except GitError as error:
        raise NotFoundError(
            "There is no commit {name} here. `git log --oneline` lists them.", name=name
        ) from error
    chosen = [line for lines in files.values() for line in lines if line.commit and line.commit.id == id]
    return _parts(store, root, files, chosen, project, limit)


_sessions_by_commit: dict[object, set[int]] = {}
"""The sessions of the commit that was asked for last, by ids: a list asks again for each of its pages."""


def sessions_of_commit(db: apsw.Connection, name: str) -> set[int]:
    """Return the sessions that a commit of the repository here is known to come from: those whose edits
    hold what it brought, and those that it names. None where there is no such commit."""
    store, folder = Store(db, Path(db.filename), read_only=True), current_folder() or ""
    question = (db.filename, folder, name, store.data_version())
    if question not in _sessions_by_commit:
        sessions: list[Session] = []
        with suppress(StoreError, OSError, GitError):
            root, limit = _root(folder), Limit(SECONDS)
            commits = commits_of(root, [name], limit)
            parts = blame_commit(store, root, name)
            sessions += [part.session for part in parts if part.session]
            sessions += _named(store, root, commits, limit)[1].values()
        _sessions_by_commit.clear()
        _sessions_by_commit[question] = {session.id for session in sessions}
    return _sessions_by_commit[question]


def _root(folder: str) -> str:
    if (root := repository_root(folder)) is None:
        raise InvalidRecordError(
            "{folder} is in no git repository, and only git tells since when a line is there.",
            folder=folder,
        )
    return root


def _parts(
    store: Store,
    root: str,
    files: dict[str, list[BlamedLine]],
    chosen: Sequence[BlamedLine],
    project: str | None,
    limit: Limit,
) -> list[Part]:
    commits = {line.commit.id: line.commit for line in chosen if line.commit}
    named, known = _named(store, root, commits, limit)
    ids = {id: {known[name].id for name in names if name in known} for id, names in named.items()}
    nobody, others = NOBODY, []
    if project is None:
        project = store.known_projects.named_at(root)
        # A clone may be called otherwise than where its sessions ran; that its commits name them is proof.
        others = [session for session in known.values() if session.project != project]
        if not others and not store.sessions.count(project):
            nobody += " " + _(
                "No session of {project}, which this repository counts as, is stored; "
                "--project names another.",
                project=project,
            )
    by_turn: dict[tuple[int, int | None], dict[BlamedLine, Observation]] = {}
    unknown: dict[str, list[BlamedLine]] = {}
    wanted = set(chosen)
    for name, lines in files.items():
        known_as = {name, *(line.was for line in lines if line.was)}
        changes = changes_of(store, project, known_as, others)
        for line, edit in zip(lines, writers(lines, changes, ids), strict=True):
            if line in wanted and edit:
                by_turn.setdefault((edit.session_id, edit.prompt_number), {})[line] = edit
            elif line in wanted and (line.text.strip() or len(chosen) == 1):
                id = line.commit.id if line.commit and named.get(line.commit.id) else ""
                unknown.setdefault(id, []).append(line)
    parts = [_turn(store, *turn, wrote) for turn, wrote in by_turn.items()]
    for id, some in unknown.items():
        sessions = [f"@{known[name].id}" if name in known else name for name in named.get(id, ())]
        names = _(
            "Its commit names {sessions}, of which no edit is known that holds it.",
            sessions=", ".join(sessions),
        )
        parts.append(Part(tuple(some), sentence=f"{nobody} {names}" if sessions else nobody))
    return sorted(parts, key=lambda part: (part.session is None, -len(part.lines)))


def _named(
    store: Store, root: str, commits: Mapping[str, Commit], limit: Limit
) -> tuple[dict[str, list[str]], dict[str, Session]]:
    """Return the sessions that commits name, by the commits, and those that are stored, by their ids."""
    named = {id: sessions_named(root, commit, limit) for id, commit in commits.items() if commit.named}
    found = {name: store.sessions.find(name) for names in named.values() for name in names}
    return named, {name: session for name, session in found.items() if session and session.is_visible}


def _turn(store: Store, session_id: int, number: int | None, wrote: dict[BlamedLine, Observation]) -> Part:
    session = store.sessions.get(session_id)
    prompts = [item for item in store.prompts.of_session(session_id) if item.prompt_number == number]
    made = store.observations.of_turn(session_id, number) if number else []
    uids = {item.uid for item in (*prompts, *made)}
    facts = [fact for fact in store.facts.of_session(session) if uids.intersection(fact.evidence)]
    return Part(
        tuple(wrote),
        session,
        prompts[0] if prompts else None,
        next((item for item in reversed(made) if item.tool_name == REPLY), None),
        tuple({edit.id: edit for edit in wrote.values()}.values()),
        (*(item for item in made if item.type == "decision"), *facts),
    )


def told_lines(part: Part, *, with_path: bool = True) -> str:
    """Return the numbers of lines as they are told, by file: src/app.py 12-40, 52."""
    files: dict[str, list[str]] = {}
    for line in sorted(part.lines, key=lambda line: (line.path, line.number)):
        spans = files.setdefault(line.path, [])
        first, _dash, last = spans[-1].partition("-") if spans else ("", "", "")
        if spans and int(last or first) == line.number - 1:
            spans[-1] = f"{first}-{line.number}"
        else:
            spans.append(str(line.number))
    return "\n".join(
        f"{path if with_path else ''} {', '.join(some)}".strip() for path, some in files.items()
    )
