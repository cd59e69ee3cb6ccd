"""Options that several commands take, and what is typed for them as values: moments, spans, ids,
types, standard input, the project.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from ..platform.errors import InvalidRecordError
from ..platform.paths import current_folder
from ..platform.translation import _
from ..records.kinds import OBSERVATION_TYPES, bare_ref, parse_ref
from ..text.late_pattern import late_pattern
from . import completing
from .typer_later import typer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ..records.rows import Note, Record, Speaker
    from ..records.rows import Session as SessionRecord
    from ..store import Store


def moment(text: str) -> int:
    """Return a moment in ms since the epoch: given as such, in ISO 8601, or as in a search (`7d`)."""
    from ..search.query.dates import named_range

    if text.isdecimal() and len(text) > 10:
        at = int(text)
    elif result := named_range(text, datetime.now()):
        at = result[0]
    else:
        raise typer.BadParameter(
            _(
                "{text!r} is not a time. Give 2026-02-18T14:30, 2026-02-18, yesterday, 2h or ms.",
                text=text,
            )
        )
    if not 0 <= at < LAST_MS:
        raise typer.BadParameter(_("{text!r} lies outside the years 1970 to 9998.", text=text))
    return at


At = Annotated[
    int | None,
    typer.Option(
        "--at", parser=moment, metavar="TIME", help="When it was: ISO 8601, 2h, yesterday, or ms."
    ),
]
Agent = Annotated[str, typer.Option("--agent", help="The agent whose session it is.")]
Project = Annotated[
    str | None,
    typer.Option(
        "--project",
        help="The project; else the session's, else the repository here.",
        autocompletion=completing.projects,
    ),
]
ProjectOrHere = Annotated[
    str | None,
    typer.Option(
        "--project",
        help="The project it is about; else the session's, else the one here.",
        autocompletion=completing.projects,
    ),
]
Everywhere = Annotated[bool, typer.Option("--everywhere", help="It holds in every project.")]
OfProject = Annotated[
    str | None,
    typer.Option(
        "--project",
        help="Only what belongs to this project.",
        autocompletion=completing.projects,
    ),
]
YesPurge = Annotated[bool, typer.Option("--yes", help="Don't ask; purge what isn't deleted, too.")]
InBackups = Annotated[bool, typer.Option("--backups", help="In the store's own backups too.")]
Private = Annotated[bool, typer.Option("--private", help="Keep it out of every list, search and export.")]
PromptNumber = Annotated[
    int | None,
    typer.Option("--prompt-number", min=0, help="Which prompt of the session led to it."),
]
Tokens = Annotated[int, typer.Option("--tokens", min=0, help="The tokens it cost to find out.")]
Session = Annotated[
    str, typer.Option("--session", metavar="ID", help="Its session's id; made when unknown.")
]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="Show at most this many.")]
Offset = Annotated[int, typer.Option("--offset", min=0, help="Skip this many first.")]
Saved = Annotated[
    str | None,
    typer.Option(
        "--saved",
        metavar="NAME",
        help="Run a saved search; QUERY is added to it.",
        autocompletion=completing.saved_searches,
    ),
]
ForAgent = Annotated[
    bool,
    typer.Option("--for-agent", help="Few tokens, fenced as data; with --json without nulls."),
]
Cursor = Annotated[
    str | None,
    typer.Option("--cursor", metavar="CURSOR", help="With --for-agent: the next page, as told."),
]
Hidden = Annotated[
    bool,
    typer.Option("--hidden", help="With --for-agent: also what is private, deleted or noise."),
]
Refs = Annotated[
    list[str],
    typer.Argument(
        metavar="ID...",
        help="12, p12 (prompt), s12 (summary), f12 (fact), n12 (note), @12 (session), or a uid.",
        autocompletion=completing.refs,
    ),
]

LAST_MS = 253_370_764_800_000
"""The year 9999 in any time zone: later moments can't be shown."""

SPAN = late_pattern(r"(\d+(?:\.\d+)?)\s*(m|min|h|d)?")
MINUTES = {"m": 1, "min": 1, "h": 60, "d": 1440}


LONGEST = 64 << 20
"""Bytes of a text that is read from standard input."""


def text_or_stdin(text: str) -> str:
    """Return the text itself; all of standard input for `-`, without the line break that ends it."""
    if text != "-":
        return text
    raw = sys.stdin.buffer.read(LONGEST + 1)
    if len(raw) > LONGEST:
        raise typer.BadParameter(
            _(
                "What comes in is larger than {limit} bytes. Nothing was done.",
                limit=f"{LONGEST:,}",
            )
        )
    return raw.decode("utf-8", "replace").removesuffix("\n")


def lines_of_stdin() -> Iterator[bytes]:
    """Yield the lines of standard input; typer refuses one without an end."""
    mark = b"\xef\xbb\xbf"
    while line := sys.stdin.buffer.readline(LONGEST + 1).removeprefix(mark):
        mark = b""
        if len(line) > LONGEST:
            raise typer.BadParameter(
                _(
                    "A line is longer than {limit} bytes. The rest is not read.",
                    limit=f"{LONGEST:,}",
                )
            )
        yield line


def minutes(text: str) -> float:
    """Return a span in minutes: `30m`, `2h`, `1d`, or a plain number of minutes."""
    match = SPAN.fullmatch(text.strip().lower())
    if match is None:
        raise typer.BadParameter(_("{text!r} is not a span of time. Give 30m, 2h or 1d.", text=text))
    return min(float(match[1]) * MINUTES[match[2] or "m"], LAST_MS / 60_000)


def minutes_of_span(text: str) -> float:
    """Return a span in minutes; a plain number is refused, since it may be meant as hours."""
    if (plain := text.strip()).replace(".", "", 1).isdecimal():
        raise typer.BadParameter(
            _("{text!r} has no unit. Give {plain}m, {plain}h or {plain}d.", text=text, plain=plain)
        )
    return minutes(text)


def find_record(store: Store, ref: str) -> Record | Note:
    """Return the record of this ref (12, p12, s12, f12, n12) or uid; raise NotFoundError."""
    ref = bare_ref(ref)
    if (named := parse_ref(ref)) and named[0] == "note":
        return store.notes.get(ref)
    return store.record(ref)


def file_named(text: str) -> Path | None:
    """Return the file that is meant where an id may stand too; None for what is no path."""
    if "/" not in text and not text.endswith(".md"):
        return None
    from pathlib import Path

    from ..agents.homes import resolved_path

    return resolved_path(Path(text))


def current_project(store: Store) -> str:
    """Return the project of the current directory, and remember its location; "" for none."""
    return store.known_projects.of(current_folder())[0]


def session_of_shell(
    store: Store, agent: str | None = None, project: str | None = None
) -> SessionRecord | None:
    """Return the session of the agent in whose shell this runs, made (of `project`, else of that of the
    current directory) where it is unknown; None outside of agents, where `agent` names another, and
    where an agent that tells no session's id has none in the project that goes on."""
    from ..agents.shell import agent_shell

    shell = agent_shell(os.environ)
    if shell is None or (agent or shell[0]) != shell[0]:
        return None
    name, session = shell
    here = current_project(store) if project is None else project
    if not session:
        return store.sessions.live(name, here)
    return store.sessions.resolve(session, agent=name, project=here)


def speaker_here() -> Speaker:
    """Return who types here: the assistant in an agent's shell, else the user."""
    from ..agents.shell import agent_shell

    return "user" if agent_shell(os.environ) is None else "assistant"


def project_said(store: Store, session: SessionRecord | None, project: str | None, everywhere: bool) -> str:
    """Return the project that something is about: the one given, "" for everywhere, else the session's or
    that of the current directory. Raises typer.BadParameter where there is none: what holds
    everywhere has to be said to."""
    if everywhere:
        refuse_both(project)
        return ""
    if project is not None:
        return project
    if result := (session.project if session else "") or current_project(store):
        return result
    raise typer.BadParameter(_("There is no project here. Give --project NAME, or --everywhere."))


def refuse_without(is_given: bool, name: str, needed: str) -> None:
    """Raise typer.BadParameter where an option is given without the one it belongs to."""
    if is_given:
        raise typer.BadParameter(_("{name} needs {needed}.", name=name, needed=needed))


def refuse_both(project: str | None) -> None:
    """Raise typer.BadParameter where a project is given beside --everywhere."""
    if project:
        raise typer.BadParameter(_("--project and --everywhere exclude each other. Give one of them."))


def project_for(store: Store, session: str | int | None, given: str | None) -> str | None:
    """Return the project to store under: the one given, None for that of a known session, else
    that of the current directory."""
    if given is not None:
        return given
    if session is None:
        return current_project(store)
    if isinstance(session, int) or ((named := parse_ref(session)) and named[0] == "session"):
        return None
    return None if store.sessions.find(session) else current_project(store)


MOST = 200
"""So many of the types in use are compared."""

NewType = Annotated[
    bool, typer.Option("--new-type", help="The type is a new one, though it is like another.")
]


def confirmed_type(store: Store, typed: str, is_new: bool) -> str:
    """Return the type that is meant: on a terminal the user is asked where no memory has the typed one
    and another differs by a letter or two. InvalidRecordError elsewhere, unless it `is_new`."""
    from ..search.completion.remarks import mistyped

    known = [*OBSERVATION_TYPES, *store.values_in_use("type", limit=MOST)]
    meant = None if is_new or typed in known else mistyped(typed, known)
    if meant is None:
        return typed
    content = _("No memory has the type {typed}.", typed=typed)
    if not sys.stdin.isatty():
        raise InvalidRecordError(
            "{content} Did you mean {meant}? Nothing was stored; --new-type takes {typed} as it is.",
            content=content,
            meant=meant,
            typed=typed,
        )
    return (
        meant
        if typer.confirm(
            _("{content} Take {meant} instead?", content=content, meant=meant),
            default=True,
            err=True,
        )
        else typed
    )
