"""`mem files diff` and `sync`: how two files, or two versions of one, differ, and making two agree."""

from __future__ import annotations

from typing import Annotated

from ....cli.command import Call
from ....cli.output.console import print_json, print_line, tell
from ....cli.typer_later import typer
from ....platform.translation import _
from .editing import FilePath, Force, path_of, report


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
    from ....cli.output.console import print_line_difference
    from ..versions import version_before
    from ..writing import existing, text_of

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
    from ....cli.output.console import print_line_difference
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
