"""`mem undo`, `redo` and `revert`: take changes back, and do them again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ....platform.translation import _
from ...command import Call, Command, group
from ...output.console import print_json, print_line, tell
from ...typer_later import typer

if TYPE_CHECKING:
    from ....database.journal.undo import Undone


app = group()

Steps = Annotated[int, typer.Argument(metavar="[N]", min=1, help="How many changes.")]


@app.command(cls=Command)
def undo(call: Call, steps: Steps = 1) -> None:
    """Take back the last change, or the last N, and tell which.

    All that one command or one key changed is one change. What others have changed since then stays and is
    named, as is what can't be undone.
    """
    content: list[Undone] = []
    with call.writing() as store:
        while len(content) < steps and (item := store.undo()) is not None:
            content.append(item)
            if not item.is_done:
                break
        before = store.journal.next_undo()
        dropped = store.journal.dropped()
    show(call, content, steps)
    if not content:
        tell(" ".join(filter(None, (_("There is nothing to undo."), dropped))))
        raise typer.Exit(1)
    if not content[-1].is_done:
        tell("Nothing was changed." if len(content) == 1 else "It ends here.")
        if before:
            tell("`mem undo` again takes back what was done before: {before}.", before=before)
        raise typer.Exit(1)
    if len(content) < steps:
        tell("There is nothing more to undo.")


@app.command(cls=Command)
def redo(call: Call, steps: Steps = 1) -> None:
    """Redo the last change you undid, or the last N.

    A new change after an undo ends that: then there is nothing to do again.
    """
    content: list[Undone] = []
    with call.writing() as store:
        while len(content) < steps and (item := store.redo()) is not None:
            content.append(item)
    show(call, content, steps, is_redo=True)
    if not content:
        tell("There is nothing to redo.")
        raise typer.Exit(1)
    if not any(entry.is_done for entry in content):
        tell("Nothing was changed.")
        raise typer.Exit(1)
    if len(content) < steps:
        tell("There is nothing more to redo.")


@app.command(cls=Command)
def revert(
    call: Call,
    change: Annotated[str, typer.Argument(metavar="CHANGE", help="c12, as `mem history` has it.")],
) -> None:
    """Undo one change and keep later ones; the revert is itself a change.

    Where a later change depends on it, this is said, and nothing is changed.
    """
    with call.writing() as store:
        undone = store.revert(change_number(change))
    if call.json:
        print_json(undone_json(undone, "reverted"))
    else:
        print_line(_("Reverted: {sentence}.", sentence=undone.sentence))


def change_number(text: str) -> int:
    """Return the number of a change that was typed as c12 or 12."""
    number = text.removeprefix("c")
    if not number.isdecimal() or len(number) > 18:
        raise typer.BadParameter(_("{text!r} is not a change. Give one as c12 (`mem history`).", text=text))
    return int(number)


def show(call: Call, undone: list[Undone], steps: int, *, is_redo: bool = False) -> None:
    """Print what was undone or redone, and tell what could not be."""
    word = "redone" if is_redo else "undone"
    if call.json:
        results = [undone_json(item, word) for item in undone]
        print_json(results if steps > 1 else (results[0] if results else {word: None}))
    for entry in undone:
        if entry.is_done and not call.json:
            print_line(
                _("Redone: {sentence}.", sentence=entry.sentence)
                if is_redo
                else _("Undone: {sentence}.", sentence=entry.sentence)
            )
        for sentence in entry.kept:
            tell(sentence)


def undone_json(undone: Undone, word: str) -> dict[str, object]:
    """Return what was taken back, or done again, as a JSON object: `undone` (or `redone`) is null
    where nothing was."""
    records = [
        {"ref": record.ref, "title": record.title, "effect": record.effect} for record in undone.records
    ]
    return {
        word: undone.what if undone.is_done else None,
        "what": undone.what,
        "at": undone.at,
        "records": records,
        "kept": list(undone.kept),
        "select": undone.select,
    }
