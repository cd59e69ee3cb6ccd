"""`mem blame`: which session wrote a file, a line of it, or what a commit brought, and why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from ...cli.arguments import OfProject
from ...cli.command import Call, Command, group
from ...cli.output.console import localized, print_blocks, print_json, tell
from ...cli.output.serializers import record_json, ref
from ...cli.typer_later import typer
from ...platform.clock import local_time
from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.translation import N_, _
from ...records.dataclasses import asdict
from ...records.fields import title_of
from ...records.rows import Fact
from ...store import Store
from ...tables.fact_sources import taker_of
from ...text.truncation import shortened
from .blame import Part, blame_commit, blame_file, told_lines

app = group()

COMMIT = "commit:"
LONGEST, MOST_COMMITS = 400, 3
"""Characters that are told of a text, and commits."""


@app.command(cls=Command)
def blame(
    call: Call,
    what: Annotated[
        str,
        typer.Argument(metavar="FILE[:LINE]", help="A file, a line of it (src/app.py:42), or commit:HASH."),
    ],
    project: OfProject = None,
) -> None:
    """Tell which session wrote a file, a line or a commit, and why.

    A line is a session's where an edit of that session holds it, from before git had it. Where none does,
    no session is known, whatever was at work at that time.
    """
    with call.reading() as store:
        try:
            if what.startswith(COMMIT):
                parts = blame_commit(store, str(Path.cwd()), what.removeprefix(COMMIT), project)
            else:
                parts = blame_file(store, *_place(what), project)
        except OSError as error:
            raise InvalidRecordError(
                "{path} can't be read: {error}", path=what, error=error.strerror or error
            ) from error
        if call.json:
            print_json([_json(part) for part in parts])
        elif not parts:
            tell("{what} has no line to ask about: it is empty, or only took lines away.", what=what)
        else:
            print_blocks([*_blocks(store, parts)])


def _place(what: str) -> tuple[Path, int | None]:
    path, _colon, number = what.rpartition(":")
    if Path(what).exists() or not number.isdecimal():
        path, number = what, ""
    place = Path(path).absolute()
    if not place.exists():
        raise NotFoundError("There is no file {path}.", path=path)
    return place.resolve(), int(number) if number else None


def _blocks(store: Store, parts: list[Part]) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    for part in parts:
        fields = [(N_("lines"), told_lines(part))]
        if len(part.lines) == 1:
            fields.append((N_("text"), part.lines[0].text.strip()))
        commits = {line.commit.id: line.commit for line in part.lines if line.commit}
        for commit in commits.values() if len(commits) <= MOST_COMMITS else ():
            summary = f"{commit.id[:10]}  {local_time(commit.at)}  {commit.author}: {commit.subject}"
            fields.append((N_("commit"), summary))
        if part.session is None:
            yield _("unknown"), [*fields, (N_("session"), part.sentence)]
            continue
        title = shortened(store.sessions.titles([part.session.id])[part.session.id], LONGEST)
        title = title or _("untitled")
        fields.append(
            (N_("title"), "  ".join(filter(None, (title, part.session.agent, part.session.branch))))
        )
        named = [
            (N_("asked"), part.asked),
            *((N_("edit"), edit) for edit in part.edits),
            (N_("answered"), part.reply),
        ]
        for name, record in [*named, *((N_("decided"), decision) for decision in part.decided)]:
            if record is not None:
                taker = taker_of(record.extra) if isinstance(record, Fact) else ""
                by = f" ({localized(taker)})" if taker else ""
                fields.append((name, f"{ref(record)}  {shortened(title_of(record), LONGEST)}{by}"))
        yield _("session {ref}", ref=ref(part.session)), fields


def _json(part: Part) -> dict[str, Any]:
    """Return who wrote lines: the session, null for unknown, what was asked, done, answered and decided."""
    return {
        "lines": [asdict(line) for line in part.lines],
        "sentence": part.sentence or None,
        **{
            name: (record := getattr(part, name)) and record_json(record)
            for name in ("session", "asked", "reply")
        },
        "edits": [record_json(edit) for edit in part.edits],
        "decided": [
            record_json(decision)
            | {"by": (taker_of(decision.extra) if isinstance(decision, Fact) else "") or None}
            for decision in part.decided
        ],
    }
