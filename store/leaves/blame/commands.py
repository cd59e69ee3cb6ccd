"""`mem blame`: which session wrote a file, a line of it, or what a commit added, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from ...cli.arguments import OfProject
from ...cli.command import Call, Command, group
from ...cli.output.console import localized, print_blocks, print_json, tell
from ...cli.output.serializers import ref
from ...cli.typer_later import typer
from ...platform.clock import local_time
from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.translation import N_, _
from ...records.fields import title_of
from ...text.plural import count_noun
from ...text.truncation import shortened
from .blame import Blame, Turn, Unknown, blame_commit, blame_file, spoken

app = group()

COMMIT = "commit:"
LONGEST = 400
"""Characters that are told of what was asked."""
MOST_COMMITS = 3
"""So many are told of what is from no more."""


@app.command(cls=Command)
def blame(
    call: Call,
    what: Annotated[
        str,
        typer.Argument(metavar="FILE[:LINE]", help="A file, a line of it (src/app.py:42), or commit:HASH."),
    ],
    project: OfProject = None,
) -> None:
    """Tell which session wrote a file, a line of it or what a commit added, what was asked, and what was decided.

    A line is a session's where an edit of that session holds it, before git had it; git tells which commit brought
    it. Where no edit holds it, no session is known, whatever was at work at that time.
    """
    with call.reading() as store:
        try:
            if what.startswith(COMMIT):
                result = blame_commit(store, str(Path.cwd()), what.removeprefix(COMMIT), project)
                number = None
            else:
                path, number = _place(what)
                result = blame_file(store, path, number, project)
        except OSError as error:
            raise InvalidRecordError(
                "{path} can't be read: {error}", path=what, error=error.strerror or error
            ) from error
    if call.json:
        print_json(blame_json(result))
        return
    print_blocks(_blocks(result, is_line=number is not None))
    if not result.turns and not result.unknown:
        tell("It has no lines.")


def _place(what: str) -> tuple[Path, int | None]:
    path, colon, number = what.rpartition(":")
    if Path(what).exists() or not colon or not number.isdecimal():
        path, number = what, ""
    place = Path(path).absolute()
    if not place.exists():
        raise NotFoundError("There is no file {path}.", path=path)
    return place.parent.resolve() / place.name, int(number) if number else None


def _blocks(result: Blame, *, is_line: bool) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    for turn in result.turns:
        title = _("session {ref}", ref=ref(turn.session.session))
        yield title, [*_where(result, turn, is_line), *_fields(turn)]
    for unknown in result.unknown:
        fields = [*_where(result, unknown, is_line), (N_("session"), unknown.sentence)]
        yield (_("unknown"), fields)


def _where(result: Blame, part: Turn | Unknown, is_line: bool) -> Iterator[tuple[str, str]]:
    line = part.lines[0]
    if is_line:
        yield N_("line"), line.text.strip()
    elif result.path:
        yield N_("lines"), f"{spoken(part.lines)} ({count_noun(len(part.lines), 'lines')})"
    else:
        paths = {other.path: [one for one in part.lines if one.path == other.path] for other in part.lines}
        yield N_("lines"), "\n".join(f"{path}: {spoken(some)}" for path, some in paths.items())
    commits = {line.commit.id: line.commit for line in part.lines if line.commit}
    for commit in commits.values() if len(commits) <= MOST_COMMITS else ():
        yield (
            N_("commit"),
            f"{commit.id[:10]}  {local_time(commit.at)}  {commit.author}: {commit.subject}",
        )


def _fields(turn: Turn) -> Iterator[tuple[str, str]]:
    session = turn.session.session
    on = _("on {branch}", branch=session.branch) if session.branch else ""
    yield N_("title"), "  ".join(filter(None, (turn.session.title or _("untitled"), session.agent, on)))
    if turn.asked:
        yield N_("asked"), f"{ref(turn.asked)}  {shortened(turn.asked.text.strip(), LONGEST)}"
    for edit in turn.edits:
        yield N_("edit"), f"{ref(edit)}  {local_time(edit.created_at)}  {edit.title or ''}"
    if turn.answered:
        yield N_("answered"), f"{ref(turn.answered)}  {title_of(turn.answered)}"
    for decision in turn.decided:
        by = f" ({localized(decision.by)})" if decision.by else ""
        yield N_("decided"), f"{ref(decision.record)}  {shortened(decision.title, LONGEST)}{by}"


def blame_json(result: Blame) -> dict[str, Any]:
    """Return who wrote lines: turns with their lines, session, what was asked, done, answered and decided; and
    lines of which no session is known, with the sessions that their commit names."""
    return {
        "root": result.root,
        "path": result.path or None,
        "commit": result.commit and result.commit.id,
        "turns": [
            {
                **_lines_json(turn),
                "session": _session_json(turn.session),
                "asked": turn.asked and {"ref": ref(turn.asked), "text": turn.asked.text},
                "answered": turn.answered and _named(turn.answered),
                "edits": [_named(edit) | {"at": edit.created_at} for edit in turn.edits],
                "decided": [_named(one.record) | {"by": one.by or None} for one in turn.decided],
            }
            for turn in result.turns
        ],
        "unknown": [
            {
                **_lines_json(one),
                "sentence": one.sentence,
                "sessions": [_session_json(row) for row in one.sessions],
                "not_in_store": list(one.others),
            }
            for one in result.unknown
        ],
    }


def _lines_json(part: Turn | Unknown) -> dict[str, Any]:
    names = ("path", "number", "text")
    return {
        "lines": [
            {name: getattr(line, name) for name in names} | {"commit": line.commit and line.commit.id}
            for line in part.lines
        ]
    }


def _session_json(row: Any) -> dict[str, Any]:
    names = ("content_session_id", "agent", "project", "branch")
    return {"ref": ref(row.session), "title": row.title} | {
        name: getattr(row.session, name) for name in names
    }


def _named(record: Any) -> dict[str, Any]:
    return {"ref": ref(record), "title": title_of(record)}
