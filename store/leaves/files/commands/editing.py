"""`mem files edit`, `new`, `move` and `delete`: agents' files changed, so that `mem undo` takes it back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.arguments import text_or_stdin
from ....cli.command import Call
from ....cli.output.console import print_changed, print_json, tell
from ....cli.typer_later import typer
from ....database.files import temporary
from ....platform.errors import FileConflictError
from ....platform.translation import _

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
    from ..writing import FileWriter, existing

    new_text = None if text is None else text_or_stdin(text)
    shown = existing(path_of(path))
    if shown.path != path_of(path):
        tell("{path} leads to {other}, which is edited.", path=path, other=shown.path)
    with call.writing() as store:
        writer = FileWriter(store, is_forced=force)
        written = _in_editor(shown) if new_text is None else new_text
        if written == shown.text:
            tell("Nothing was changed.")
            raise typer.Exit(1)
        try:
            result = writer.write(shown, written, _("{path} edited", path=shown.path))
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
    from ....text.plural import count_noun
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


def _in_editor(shown: ShownFile) -> str:
    """Have the user edit a copy of what a file says, and return what comes back."""
    from ....formats.markdown.editor import read_written, run_editor, write_document

    with temporary.directory("memtui-edit-") as folder:
        copy = folder / shown.path.name
        write_document(copy, shown.text)
        run_editor(copy)
        return read_written(copy)


def _tell_both(store: Store, shown: ShownFile, written: str, error: FileConflictError) -> None:
    """Keep what was written aside, and show how the file differs from it."""
    from ....cli.output.console import print_line_difference
    from ....formats.markdown.editor import keep
    from ..writing import text_of

    print_line_difference(written, text_of(error.theirs or b""))
    tell("What you wrote is kept in {path}.", path=keep(shown.path, written, store.path))
