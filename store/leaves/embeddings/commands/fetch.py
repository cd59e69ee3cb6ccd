"""`mem embeddings fetch`: download a model, the only thing that memtui ever downloads."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import print_json, print_line, progress_bar, tell
from ....cli.typer_later import typer
from ....platform.translation import _
from ....records.dataclasses import asdict

if TYPE_CHECKING:
    from ..fetching import RemoteModel


def fetch(
    call: Call,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The model's name, minishlab/potion-base-8M.")
    ],
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="DIR", help="Where to; else models/NAME beside the store."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="URL", help="Where the files are; else Hugging Face's main branch."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
) -> None:
    """Download a model's files, once you have agreed, and print the command that uses them.

    A model is static (model.safetensors) or ONNX (onnx/model.onnx). Files that are there already stay,
    so that a download that was stopped goes on.
    """
    from ..fetching import address_of, check_place, survey
    from ..fetching import fetch as fetch_files

    if not yes and not sys.stdin.isatty():
        raise typer.BadParameter(_("say --yes where nobody can be asked."))
    model = survey(source or address_of(name))
    directory = (into or _usual_place(call, name)).expanduser().absolute()
    check_place(model, directory)
    _announce(model, directory)
    if not yes and not typer.confirm(_("Download them?"), err=True):
        tell("Nothing was downloaded.")
        raise typer.Exit(1)
    try:
        with progress_bar(_("Downloading")) as show:
            size = fetch_files(model, directory, show)
    except KeyboardInterrupt:
        tell("Stopped. Files that are whole stay; the same command fetches the others.")
        raise typer.Exit(1) from None
    tell(
        "Downloaded {size} MB into {directory}. This has it used:",
        size=f"{size / 1000000.0:,.1f}",
        directory=directory,
    )
    command = f"mem embeddings set {model.provider} --directory {shlex.quote(str(directory))}"
    if call.json:
        files = [asdict(file) for file in model.files]
        results = {"directory": str(directory), "provider": model.provider, "bytes": size}
        print_json({**results, "files": files, "command": command})
    else:
        print_line(command)


def _usual_place(call: Call, name: str) -> Path:
    own = name.rpartition("/")[2]
    return call.path.absolute().parent / "models" / (own if own.strip(".") else "model")


def _announce(model: RemoteModel, directory: Path) -> None:
    tell("From {url}", url=model.url)
    for file in model.files:
        size = _("size unknown") if file.bytes is None else f"{file.bytes / 1e6:,.1f} MB"
        tell(f"  {file.path}  {size}")
    tell(
        "To {directory}, {size} MB in all.",
        directory=directory,
        size=f"{model.bytes / 1000000.0:,.1f}",
    )
