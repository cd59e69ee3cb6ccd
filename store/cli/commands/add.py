"""`mem add`: an observation from the command line, or any number of them as JSON lines from standard input.
`mem prompt`: what the user asked. `mem summary`: what a session came to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

from ...platform.errors import InvalidRecordError, NotFoundError
from ...platform.translation import _
from ...records.fields import content_fields, editable
from ...records.rows import Observation, Session, SummaryLevel
from ...text.plural import count_noun
from ...text.redaction import scrub
from .. import arguments, completing
from .. import arguments as options
from ..arguments import (
    NewType,
    confirmed_type,
    lines_of_stdin,
    project_for,
    session_of_shell,
    text_or_stdin,
)
from ..command import Call, Command, group, print_ref
from ..output.console import on_terminal, print_changed, print_json, print_line, tell
from ..output.serializers import named, record_json
from ..typer_later import typer

if TYPE_CHECKING:
    from ...store import Store


app = group()

LINES_IN_A_TRANSACTION = 500

NumberedLine = tuple[int, bytes]


def is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_truth(value: object) -> bool:
    return isinstance(value, bool)


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 63


KEYS: dict[str, tuple[Callable[[object], bool], str]] = {
    **{
        name: (is_texts, _("a list of texts")) if field.is_list else (is_text, _("a text"))
        for name, field in editable("observation").items()
    },
    **dict.fromkeys(
        (
            "tool_name",
            "agent",
            "event_id",
            "content_hash",
            "source",
            "native_id",
            "fingerprint",
            "extra",
        ),
        (is_text, _("a text")),
    ),
    **dict.fromkeys(("prompt_number", "discovery_tokens", "created_at"), (is_number, _("a whole number"))),
    **dict.fromkeys(("private", "pinned"), (is_truth, _("true or false"))),
    "session": (is_text, _("a session's id")),
    "session_id": (lambda value: is_text(value) or is_number(value), _("a session's id")),
}
"""The keys of a line: an observation's own that can be set, and its session's id as `session`."""

RENAMED = {"created_at": "at", "session_id": "session"}


@app.command(cls=Command)
def add(
    call: Call,
    title: Annotated[
        str | None, typer.Argument(metavar="[TITLE]", help="What was learned or done, in a line.")
    ] = None,
    stdin: Annotated[
        bool,
        typer.Option("--stdin", help="Read observations from standard input, a JSON object on each line."),
    ] = False,
    type: Annotated[
        str,
        typer.Option(
            "--type",
            help="bugfix, decision, discovery … any word.",
            autocompletion=completing.types,
        ),
    ] = "note",
    subtitle: Annotated[str | None, typer.Option("--subtitle", help="A line below.")] = None,
    narrative: Annotated[
        str | None, typer.Option("--narrative", help="The story; - reads it from standard input.")
    ] = None,
    fact: Annotated[list[str] | None, typer.Option("--fact", help="A fact (repeatable).")] = None,
    concept: Annotated[list[str] | None, typer.Option("--concept", help="A concept (repeatable).")] = None,
    read: Annotated[
        list[str] | None, typer.Option("--read", metavar="PATH", help="A file read (repeatable).")
    ] = None,
    modified: Annotated[
        list[str] | None,
        typer.Option("--modified", metavar="PATH", help="A file changed (repeatable)."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="A tag (repeatable).")] = None,
    tool: Annotated[str | None, typer.Option("--tool", help="The tool that was used.")] = None,
    project: options.Project = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            help="Its session's id; made when unknown. Else that of the agent in whose shell this runs, "
            "or a manual one.",
        ),
    ] = None,
    agent: Annotated[str | None, typer.Option("--agent", help="The agent whose session it is.")] = None,
    prompt_number: options.PromptNumber = None,
    tokens: options.Tokens = 0,
    private: options.Private = False,
    new_type: NewType = False,
    at: options.At = None,
    event_id: Annotated[
        str | None, typer.Option("--event-id", help="The same event twice is one observation.")
    ] = None,
) -> None:
    """Add an observation and print its id.

    With --stdin the flags stand for what a line leaves out, --private for all lines, and each bad line
    is reported by its number while the good ones are stored.
    """
    if stdin == (title is not None) or (stdin and narrative == "-"):
        raise typer.BadParameter(_("Give a TITLE, or --stdin for observations as JSON lines."))
    if title is not None and not has_words(title, subtitle, narrative, *(fact or ())):
        raise typer.BadParameter(_("An empty memory was not stored. Give a TITLE with words."))
    flags: dict[str, Any] = {
        "session": session,
        "type": type,
        "subtitle": subtitle,
        "narrative": narrative and text_or_stdin(narrative),
        "facts": fact or (),
        "concepts": concept or (),
        "files_read": read or (),
        "files_modified": modified or (),
        "tags": tag or (),
        "tool_name": tool,
        "project": project,
        "agent": agent,
        "prompt_number": prompt_number,
        "discovery_tokens": tokens,
        "event_id": event_id,
        "private": private,
        "at": at,
    }
    with call.writing() as store:
        flags["type"] = confirmed_type(store, type, new_type)
        if stdin:
            all_good = add_lines(store, flags, as_json=call.json)
            raise typer.Exit(0 if all_good else 1)
        with store.change() as action:
            refuse_empty({"title": title, **flags})
            added = store.observations.add(title=title, **joined(store, flags))
            action.what = _("{named} added", named=named(added))
    print_ref(call, added, action.what)


def has_words(*texts: str | None) -> bool:
    """Return whether any of these texts says anything."""
    return any(text and text.strip() for text in texts)


def refuse_empty(values: dict[str, Any]) -> None:
    """Raise InvalidRecordError for an observation of which nothing is left to store."""
    given = [values.get(name) or () for name in content_fields("observation")]
    texts = [text for value in given for text in ([value] if isinstance(value, str) else value)]
    if not has_words(*map(scrub, texts)):
        raise InvalidRecordError("Nothing was stored: no text is left once the private parts are removed.")


def add_lines(store: Store, defaults: dict[str, Any], *, as_json: bool) -> bool:
    """Store what standard input holds, print the ids (or records), and tell whether all were good.

    `defaults` are arguments of `store.observations.add` for what a line leaves out.
    """
    added: list[Observation] = []
    all_good = True
    many = 0
    lines: Iterator[NumberedLine] = enumerate(lines_of_stdin(), 1)
    first: int | None = None
    while batch := list(islice(lines, LINES_IN_A_TRANSACTION)):
        with store.journal.recording(_("observations added"), part_of=first) as recorder:
            observations = [_added(store, defaults, line) for line in batch if line[1].strip()]
        first = first or recorder.change_id
        good = [observation for observation in observations if observation is not None]
        all_good = all_good and len(good) == len(observations)
        many += len(good)
        if as_json:
            added += good
        elif not on_terminal():
            for item in good:
                print_line(str(item.id))
    if as_json:
        print_json([record_json(entry) for entry in added])
    else:
        print_changed(
            [],
            _("{observations} added", observations=count_noun(many, "observations")) if many else "",
        )
    return all_good


def joined(store: Store, values: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of an observation with its session (where none is named, that of the agent
    whose shell this is; else a manual one), agent and project."""
    session: Session | str | int | None = values["session"]
    if session is None:
        session = session_of_shell(store, values["agent"], values["project"])
    project = values["project"]
    if not isinstance(session, Session):
        project = project_for(store, session, project)
    results = {"session": session, "agent": values["agent"] or "manual", "project": project}
    return values | results


def _added(store: Store, defaults: dict[str, Any], line: NumberedLine) -> Observation | None:
    number, text = line
    try:
        values = defaults | _arguments(text)
        values["private"] |= defaults["private"]
        refuse_empty(values)
        return store.observations.add(**joined(store, values))
    except (InvalidRecordError, NotFoundError) as error:
        tell("line {number}: {error}", number=number, error=error)
        return None


def _arguments(line: bytes) -> dict[str, Any]:
    """A line as arguments of `store.observations.add`; InvalidRecordError says what is wrong."""
    try:
        result = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidRecordError("It is not UTF-8.") from error
    except (ValueError, RecursionError) as error:
        raise InvalidRecordError("It is not valid JSON ({error}).", error=error) from error
    if not isinstance(result, dict):
        raise InvalidRecordError("It is not a JSON object.")
    values: dict[str, Any] = result
    arguments: dict[str, Any] = {}
    for key, value in values.items():
        if key not in KEYS:
            raise InvalidRecordError("An observation has no {key!r} that can be set.", key=key)
        is_right, expected = KEYS[key]
        if value is not None:
            if not is_right(value):
                raise InvalidRecordError("{key!r} has to be {wanted}.", key=key, wanted=expected)
            arguments[RENAMED.get(key, key)] = value
    if "title" not in arguments:
        raise InvalidRecordError("It has no 'title'.")
    return arguments


@app.command(cls=Command)
def prompt(
    call: Call,
    text: Annotated[str, typer.Argument(help="What was asked; - reads it from standard input.")],
    session: arguments.Session,
    project: arguments.Project = None,
    agent: arguments.Agent = "manual",
    prompt_number: Annotated[
        int | None, typer.Option("--prompt-number", min=0, help="Its number; else the next one.")
    ] = None,
    private: arguments.Private = False,
    at: arguments.At = None,
) -> None:
    """Add what the user asked and print its id."""
    prompt_text = text_or_stdin(text)
    with call.writing() as store, store.change() as action:
        added = store.prompts.add(
            session,
            prompt_text,
            agent=agent,
            project=project_for(store, session, project),
            prompt_number=prompt_number,
            private=private,
            at=at,
        )
        action.what = _("{named} added", named=named(added))
    print_ref(call, added, action.what)


@app.command(cls=Command)
def summary(
    call: Call,
    session: arguments.Session,
    request: Annotated[str | None, typer.Option("--request", help="What was wanted.")] = None,
    investigated: Annotated[str | None, typer.Option("--investigated", help="What was looked at.")] = None,
    learned: Annotated[str | None, typer.Option("--learned", help="What was found out.")] = None,
    completed: Annotated[str | None, typer.Option("--completed", help="What was done.")] = None,
    next_steps: Annotated[str | None, typer.Option("--next-steps", help="What is left to do.")] = None,
    notes: Annotated[str | None, typer.Option("--notes", help="What else is worth knowing.")] = None,
    level: Annotated[SummaryLevel, typer.Option("--level", help="How much it tells.")] = "detailed",
    read: Annotated[
        list[str] | None, typer.Option("--read", metavar="PATH", help="A file read (repeatable).")
    ] = None,
    edited: Annotated[
        list[str] | None,
        typer.Option("--edited", metavar="PATH", help="A file changed (repeatable)."),
    ] = None,
    project: arguments.Project = None,
    agent: arguments.Agent = "manual",
    prompt_number: arguments.PromptNumber = None,
    tokens: arguments.Tokens = 0,
    private: arguments.Private = False,
    at: arguments.At = None,
) -> None:
    """Add a summary of a session and print its id."""
    if not any((request, investigated, learned, completed, next_steps, notes)):
        raise typer.BadParameter(_("Give at least one of --request, --learned, --completed …"))
    with call.writing() as store, store.change() as action:
        added = store.summaries.add(
            session,
            level=level,
            request=request,
            investigated=investigated,
            learned=learned,
            completed=completed,
            next_steps=next_steps,
            notes=notes,
            files_read=read or (),
            files_edited=edited or (),
            agent=agent,
            project=project_for(store, session, project),
            prompt_number=prompt_number,
            discovery_tokens=tokens,
            private=private,
            at=at,
        )
        action.what = _("{named} added", named=named(added))
    print_ref(call, added, action.what)
