"""`mem edit`: correct memories by options, as JSON lines, or one of them in your editor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

from ...curation.editing import AnyRecord
from ...database.files import temporary
from ...formats.markdown_editor import Draft, keep, read_written, run_editor, write_document
from ...platform.errors import ConflictError, EditConflictError, InvalidRecordError, NotFoundError
from ...platform.translation import _
from ...store import Store
from ...text.plural import count_noun
from ..arguments import NewType, confirmed_type, lines_of_stdin, text_or_stdin
from ..command import Call, Command, failure_sentence, group, print_ref
from ..output.console import print_changed, print_json, tell
from ..output.serializers import named, record_json, ref
from ..typer_later import typer
from .chosen import Ids, WithQuery, check, chosen, confirmed

app = group()


def of(kinds: str, *names: str) -> Any:
    """An option for a field of these kinds."""
    return typer.Option(*names, help=_("Of {kinds}.", kinds=kinds))


def items(kinds: str, *names: str) -> Any:
    """An option that may be repeated, for a list of these kinds."""
    content = _("Of {kinds}; repeatable, in place of all there are.", kinds=kinds)
    return typer.Option(*names, help=content)


@app.command(cls=Command)
def edit(
    call: Call,
    ids: Ids = None,
    query: WithQuery = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask on a terminal.")] = False,
    editor: Annotated[
        bool, typer.Option("--editor", help="One memory as Markdown in $VISUAL or $EDITOR.")
    ] = False,
    stdin: Annotated[
        bool,
        typer.Option(
            "--stdin",
            help='JSON lines of a ref and fields: {"ref": "12", "title": "…", "add_tags": ["x"]}.',
        ),
    ] = False,
    title: Annotated[str | None, of(_("observations and sessions"), "--title")] = None,
    type: Annotated[str | None, of(_("observations"), "--type")] = None,
    new_type: NewType = False,
    subtitle: Annotated[str | None, of(_("observations"), "--subtitle")] = None,
    narrative: Annotated[
        str | None, of(_("observations; - reads it from standard input"), "--narrative")
    ] = None,
    text: Annotated[
        str | None, of(_("prompts, notes and others; - reads it from standard input"), "--text")
    ] = None,
    fact: Annotated[list[str] | None, items(_("observations"), "--fact")] = None,
    concept: Annotated[list[str] | None, items(_("observations"), "--concept")] = None,
    tag: Annotated[list[str] | None, items(_("observations and sessions"), "--tag")] = None,
    read: Annotated[list[str] | None, items(_("observations and summaries"), "--read")] = None,
    modified: Annotated[list[str] | None, items(_("observations and summaries"), "--modified")] = None,
    entity: Annotated[list[str] | None, items(_("facts"), "--entity")] = None,
    add_tag: Annotated[list[str] | None, typer.Option("--add-tag", help="Repeatable.")] = None,
    remove_tag: Annotated[list[str] | None, typer.Option("--remove-tag", help="Repeatable.")] = None,
    add_fact: Annotated[list[str] | None, typer.Option("--add-fact", help="Repeatable.")] = None,
    remove_fact: Annotated[list[str] | None, typer.Option("--remove-fact", help="Repeatable.")] = None,
    add_concept: Annotated[list[str] | None, typer.Option("--add-concept", help="Repeatable.")] = None,
    remove_concept: Annotated[
        list[str] | None, typer.Option("--remove-concept", help="Repeatable.")
    ] = None,
    project: Annotated[str | None, of(_("all but prompts and sessions"), "--project")] = None,
    request: Annotated[str | None, of(_("summaries"), "--request")] = None,
    investigated: Annotated[str | None, of(_("summaries"), "--investigated")] = None,
    learned: Annotated[str | None, of(_("summaries"), "--learned")] = None,
    completed: Annotated[str | None, of(_("summaries"), "--completed")] = None,
    next_steps: Annotated[str | None, of(_("summaries"), "--next-steps")] = None,
    notes: Annotated[str | None, of(_("summaries"), "--notes")] = None,
    content: Annotated[str | None, of(_("facts"), "--content")] = None,
    kind: Annotated[str | None, of(_("facts: fact, rule, preference or summary"), "--kind")] = None,
    confidence: Annotated[float | None, of(_("facts, 0 to 1"), "--confidence")] = None,
    path: Annotated[str | None, of(_("notes"), "--path")] = None,
) -> None:
    """Edit memories, all of those named or none; print their ids. It is one undo.

    An empty text empties its field. What is typed is scrubbed like all text.
    """
    fields: dict[str, Any] = {
        "title": title, "type": type, "subtitle": subtitle, "narrative": narrative, "text": text,
        "facts": fact, "concepts": concept, "tags": tag, "files_read": read, "entities": entity,
        "add_tags": add_tag, "remove_tags": remove_tag, "add_facts": add_fact,
        "remove_facts": remove_fact, "add_concepts": add_concept,
        "remove_concepts": remove_concept, "project": project, "request": request,
        "investigated": investigated, "learned": learned, "completed": completed,
        "next_steps": next_steps, "notes": notes, "content": content, "kind": kind,
        "confidence": confidence, "path": path,
    }  # fmt: skip
    fields = {name: value for name, value in fields.items() if value is not None}
    if (editor or stdin) and (fields or modified is not None or query is not None):
        raise typer.BadParameter(_("--editor and --stdin take no other option."))
    if stdin:
        if ids or editor:
            raise typer.BadParameter(_("--stdin takes no ID: each line has its own."))
        edit_lines(call)
        return
    if editor:
        if not ids or len(ids) != 1:
            raise typer.BadParameter(_("--editor is for one ID."))

        edit_in_editor(call, ids[0])
        return
    check(ids, query)
    if not fields and modified is None:
        raise typer.BadParameter(_("Say what to change, such as --title, or --editor."))
    for name in ("narrative", "text"):
        if fields.get(name) == "-":
            fields[name] = text_or_stdin("-")
    with call.writing() as store:
        if type is not None:
            fields["type"] = confirmed_type(store, type, new_type)
        refs = chosen(store, ids, query)
        if query is not None and not yes and not confirmed(len(refs), "edited"):
            tell("Nothing was changed.")
            raise typer.Exit(1)
        with store.change() as action:
            edited = [store.edit(word, fields | modified_files(store, word, modified)) for word in refs]
            name_action(action, edited, fields)
        finish(call, edited, action.what)


def modified_files(store: Store, text: str, modified: list[str] | None) -> dict[str, Any]:
    """Return the field that holds the files that were changed: summaries call it otherwise."""
    if modified is None:
        return {}
    is_summary = type(store.any_record(text)).__name__ == "Summary"
    return {"files_edited" if is_summary else "files_modified": modified}


def edit_lines(call: Call) -> None:
    """Edit what the lines of standard input say; all of them, or none."""
    edited: list[AnyRecord] = []
    problems: list[str] = []
    with call.writing() as store:
        try:
            with store.change() as action:
                for number, line in enumerate(lines_of_stdin(), 1):
                    if not line.strip():
                        continue
                    try:
                        text, fields, expected = parsed_line(line)
                        edited.append(store.edit(text, fields, expected=expected))
                    except EditConflictError as error:
                        problems.append(_("line {number}: {error}", number=number, error=error))
                        problems += both(error.present, fields)  # type: ignore[arg-type]
                    except (InvalidRecordError, NotFoundError, ConflictError) as error:
                        problems.append(_("line {number}: {error}", number=number, error=error))
                if problems:
                    raise InvalidRecordError("Nothing was changed.")
                name_action(action, edited, {})
        except InvalidRecordError:
            if not problems:
                raise
            for problem in problems:
                tell(problem)
            tell("Nothing was changed. Correct the lines named above, then run it again.")
            raise typer.Exit(1) from None
        finish(call, edited, action.what)


def both(present: AnyRecord, fields: dict[str, Any]) -> list[str]:
    """Return what a memory holds now beside what a line has for it, and how to store that all the same."""
    held = {name: getattr(present, name.removeprefix("add_").removeprefix("remove_"), None)
            for name in fields}  # fmt: skip
    return [
        *(f"  {name}: {held[name]!r:.400} (you: {mine!r:.400})" for name, mine in fields.items()),
        _(
            '  To store yours all the same, say "expected": {hlc}; `mem history '
            "{ref}` tells who changed what.",
            hlc=present.hlc,
            ref=ref(present),
        ),
    ]


def parsed_line(line: bytes) -> tuple[str, dict[str, Any], int | None]:
    """Return the ref, the fields and the version that a line names. Raises InvalidRecordError."""
    try:
        result = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidRecordError("This is not JSON ({error}).", error=error) from error
    if not isinstance(result, dict) or not isinstance(result.get("ref"), str | int):
        raise InvalidRecordError('A line is an object with a ref, such as {"ref": "12"}.')
    text, expected = str(result.pop("ref")), result.pop("expected", None)
    nested = result.pop("fields", {})
    if not isinstance(nested, dict) or isinstance(result.get("ref"), bool):
        raise InvalidRecordError("fields is an object of names and values.")
    if expected is not None and not isinstance(expected, int):
        raise InvalidRecordError("expected is the hlc of the record as it was read.")
    return text, nested | result, expected


def name_action(action: Any, edited: list[AnyRecord], fields: dict[str, Any]) -> None:
    """Say in the journal what was edited."""
    names = list(dict.fromkeys(map(named, edited)))
    what = _(", ").join(_(name.replace("_", " ")) for name in fields)
    subject = names[0] if len(names) == 1 else count_noun(len(names), "memories")
    action.what = (
        _("{subject} edited: {fields}", subject=subject, fields=what)
        if what
        else _("{subject} edited", subject=subject)
    )


def finish(call: Call, edited: list[AnyRecord], what: str) -> None:
    """Print what was edited: ids, on a terminal `what` was done, or with --json the records."""
    if call.json:
        print_json([record_json(record) for record in edited])
        return
    print_changed(map(ref, edited), what)


MOST_TRIES = 20
"""So often is the editor opened again with what could not be stored."""


def edit_in_editor(call: Call, id: str) -> None:
    """Have the user edit a memory, and store what comes back."""
    with call.writing() as store, temporary.directory("memtui-edit-") as folder:
        draft = Draft(store.any_record(id))
        edited = _edited(store, draft, folder / draft.file_name)
        if edited is None:
            tell("Nothing was changed.")
            raise typer.Exit(1)
    print_ref(call, edited, _("{named} edited", named=named(edited)))


def _edited(store: Store, draft: Draft, path: Path) -> AnyRecord | None:
    """Return the record as it was stored in the end; None where the user left it as it was."""
    tries = 0
    while True:
        write_document(path, draft.document)
        try:
            run_editor(path)
            written = read_written(path)
        except (OSError, InvalidRecordError) as error:
            written = read_written(path) or draft.document
            if not draft.is_untouched(written):
                _keep(store, path, written)
            raise InvalidRecordError(
                str(error) if isinstance(error, InvalidRecordError) else str(failure_sentence(error))
            ) from error
        if draft.is_given_up(written):
            if draft.problem:
                tell(draft.problem)
                _keep(store, path, written)
            return None
        tries += 1
        if tries > MOST_TRIES:
            # A program stands for the editor, and would go on for ever.
            _keep(store, path, written)
            raise InvalidRecordError("{problem} Nothing was changed.", problem=draft.problem)
        try:
            fields = draft.read(written)
            if not fields:
                return None
            return store.edit(ref(draft.record), fields, expected=draft.record)
        except EditConflictError as error:
            draft.conflict(written, error)
        except InvalidRecordError as error:
            draft.refuse(written, str(error))
        except BaseException:
            _keep(store, path, written)
            raise


def _keep(store: Store, path: Path, written: str) -> None:
    tell("What you wrote is kept in {path}.", path=keep(path, written, store.path))
