"""`mem files edit`, `new`, `move` and `delete`: agents' files changed, so that `mem undo` takes it back;
`diff` and `sync`: how two files, or versions of one, differ, and making two agree; `adopt` and `promote`:
what memories and files have of each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.arguments import text_or_stdin
from ....cli.command import Call, print_ref
from ....cli.output.console import print_changed, print_json, print_line, print_line_difference, tell
from ....cli.output.serializers import named
from ....cli.typer_later import typer
from ....platform.errors import FileConflictError
from ....platform.translation import _
from ....text.late_pattern import late_pattern
from ....text.plural import count_noun

if TYPE_CHECKING:
    from ....store import Store
    from ..writing import ShownFile

Force = Annotated[
    bool,
    typer.Option("--force", help="Also what is managed, a team's, or rewritten by an agent."),
]
FilePath = Annotated[str, typer.Argument(metavar="PATH", help="The file.")]


def edit(
    call: Call,
    path: FilePath,
    text: Annotated[
        str | None,
        typer.Option("--text", help="What it is to say; - reads standard input. Else your editor."),
    ] = None,
    force: Force = False,
) -> None:
    """Edit an agent's file in your editor, or give it a text.

    A link is edited at what it leads to. What others write meanwhile is merged; where you both change
    a line theirs stays, and yours is kept aside.
    """
    from ....formats.markdown_editor import edited
    from ..sharing import SharedFiles
    from ..writing import FileWriter, existing

    new_text = None if text is None else text_or_stdin(text)
    shown = existing(path_of(path))
    if shown.path != path_of(path):
        tell("{path} leads to {other}, which is edited.", path=path, other=shown.path)
    with call.writing() as store:
        writer, files = FileWriter(store, is_forced=force), SharedFiles(store)
        written = edited(shown.path.name, files.marked(shown)) if new_text is None else new_text
        if written == shown.text:
            tell("Nothing was changed.")
            raise typer.Exit(1)
        try:
            result = files.write(writer, shown, written, _("{path} edited", path=shown.path))
        except FileConflictError as error:
            _tell_both(store, shown, written, error)
            raise
    if result != written:
        tell("Another program changed it meanwhile; both changes are in it now.")
    report(call, shown.path, _("{path} edited", path=shown.path))


def new(
    call: Call,
    path: FilePath,
    text: Annotated[str, typer.Option("--text", help="What it says; - reads standard input.")],
    description: Annotated[
        str, typer.Option("--description", help="Of a note: what its line in the index says.")
    ] = "",
    type: Annotated[
        str, typer.Option("--type", help="Of a note: user, feedback, project or reference.")
    ] = "",
    force: Force = False,
) -> None:
    """Make an agent's file; beside a MEMORY.md it becomes a note with front matter and a line there."""
    from ..editing import FileEditing

    content = text_or_stdin(text)
    with call.writing() as store:
        editing = FileEditing(store, is_forced=force)
        made = editing.new(path_of(path), content, description, type)
    report(call, made, _("{made} made", made=made))


def move(
    call: Call,
    path: FilePath,
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its new path, or a directory.")],
    force: Force = False,
) -> None:
    """Move an agent's file; the index and the links of notes beside it follow."""
    from ..editing import FileEditing

    with call.writing() as store:
        moved = FileEditing(store, is_forced=force).move(path_of(path), path_of(new))
    report(call, moved, _("{path} moved to {moved}", path=path_of(path), moved=moved))


def delete(
    call: Call,
    paths: Annotated[list[str], typer.Argument(metavar="PATH...", help="The files.")],
    force: Force = False,
) -> None:
    """Delete agents' files; a note takes its line in the index along."""
    from ..editing import FileEditing

    with call.writing() as store, store.change() as action:
        editing = FileEditing(store, is_forced=force)
        gone = [editing.delete(path_of(path)) for path in paths]
        action.what = (
            _("{path} deleted", path=gone[0])
            if len(gone) == 1
            else _("{files} deleted", files=count_noun(len(gone), "files"))
        )
    if call.json:
        print_json([{"path": str(path)} for path in gone])
        return
    print_changed(map(str, gone), action.what)


def path_of(text: str) -> Path:
    """Return the path that was typed, absolute; links in it are still there."""
    return Path(text).expanduser().absolute()


def report(call: Call, path: Path, what: str) -> None:
    """Print the path of the file that was written, or on a terminal what was done; and whether a repository
    will show it as changed."""
    from ..editing import tracked

    note = tracked(path)
    if call.json:
        print_json({"path": str(path), "what": what, "tracked": bool(note)})
    else:
        print_changed([str(path)], what)
        if note:
            tell(note)


def _tell_both(store: Store, shown: ShownFile, written: str, error: FileConflictError) -> None:
    """Keep what was written aside, and show how the file differs from it."""
    from ....formats.markdown_editor import keep
    from ..writing import text_of

    print_line_difference(written, text_of(error.theirs or b""))
    tell("What you wrote is kept in {path}.", path=keep(shown.path, written, store.path))


def diff(
    call: Call,
    path: FilePath,
    other: Annotated[
        str | None,
        typer.Argument(metavar="[OTHER]", help="What it is compared with; else its last version."),
    ] = None,
    version: Annotated[
        int | None,
        typer.Option("--version", min=1, metavar="N", help="Compare with this version: mem history PATH."),
    ] = None,
) -> None:
    """Show how a file differs from another one, or from what it was before."""
    from ..writing import existing, text_of, version_before

    shown = existing(path_of(path))
    if other is not None:
        before, after = shown.text, existing(path_of(other)).text
    else:
        with call.reading() as store:
            before, after = text_of(version_before(store, shown, version)), shown.text
    if call.json:
        print_json({"path": str(shown.path), "before": before, "after": after})
        return
    if before == after:
        tell("They say the same.")
        return
    print_line_difference(before, after)


def sync(
    call: Call,
    path: FilePath,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="What is to say all of it.")],
    copy: Annotated[
        bool,
        typer.Option("--copy", help="Give PATH a copy of OTHER, for an agent without imports."),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show it.")] = False,
    force: Force = False,
) -> None:
    """Have a file such as CLAUDE.md say what another one, such as AGENTS.md, does, by importing it.

    What only PATH says stays there, below the import.
    """
    from ..editing import copied, importing
    from ..writing import FileWriter, existing

    shown, whole = existing(path_of(path)), existing(path_of(other))
    text = copied(shown, whole) if copy else importing(shown, whole)
    if text == shown.text:
        print_line(_("{path} says what {other} does already.", path=shown.path, other=whole.path))
        return
    if dry_run:
        print_line_difference(shown.text, text)
        tell("Nothing was changed.")
        return
    what = _("{path} in step with {other}", path=shown.path, other=whole.path)
    with call.writing() as store:
        FileWriter(store, is_forced=force).write(shown, text, what)
    report(call, shown.path, what)


PLACE = late_pattern(r"(?P<path>.+?)(?::(?P<line>\d+)|[:#](?P<heading>[^:/]+))?")


def promote(
    call: Call,
    id: Annotated[str, typer.Argument(metavar="ID", help="The memory, such as f12.")],
    to: Annotated[
        str, typer.Option("--to", metavar="AGENT|FILE[:HEADING]", help="Where agents are told it.")
    ],
    force: Force = False,
) -> None:
    """Put a memory into an agent's file: a bullet of a section, or a note of its own.

    It stays linked: promoted again, what stands there is renewed.
    """
    from ....agents.homes import AgentHomes
    from ..linking import Promotion

    is_path = "/" in to or "." in to
    with call.writing() as store:
        promotion = Promotion(store, is_forced=force)
        if is_path:
            path, _line, heading = place_of(to)
            if path.is_dir():
                promoted = promotion.to_note(id, path)
            else:
                promoted = promotion.to_file(id, path, heading)
        else:
            here = AgentHomes.own()
            promoted = promotion.to_agent(id, to, here, Path.cwd().resolve())
    done = (
        _("{id} promoted to {path}", id=id, path=promoted.path)
        if promoted.is_new
        else _("{id} renewed in {path}", id=id, path=promoted.path)
    )
    report(call, promoted.path, done)


def adopt(
    call: Call,
    place: Annotated[
        str,
        typer.Argument(metavar="PATH[:LINE|:HEADING]", help="What is adopted of an agent's file."),
    ],
    form: Annotated[
        str | None,
        typer.Option("--as", help="fact (else for a line), decision or note (else)."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", help="The project that it is about; else the one here."),
    ] = None,
) -> None:
    """Make what an agent's file says a memory of ours, and print its id; adopted again it is the same."""
    from ....tables.projects import project_here
    from ..linking import FORMS, passage
    from ..linking import adopt as adopt_passage

    path, line, heading = place_of(place)
    kind = form or ("fact" if line else "note")
    chosen = next((known for known in FORMS if known == kind), None)
    if chosen is None:
        raise typer.BadParameter(_("{form!r} isn't one of {names}.", form=form, names=", ".join(FORMS)))
    part = passage(path, line, heading)
    with call.writing() as store:
        where = project_here(store.db) if project is None else project
        record, is_new = adopt_passage(store, part, chosen, where)
    print_ref(call, record, _("{named} adopted", named=named(record)) if is_new else "")
    if not is_new:
        tell("{memory} says so already.", memory=named(record).capitalize())


def place_of(text: str) -> tuple[Path, int, str]:
    """Return a file, and a line (0 for none) or a heading of it ("" for none), as they were typed."""
    if path_of(text).exists():
        return path_of(text), 0, ""
    match = PLACE.fullmatch(text)
    assert match is not None
    return path_of(match["path"]), int(match["line"] or 0), match["heading"] or ""
