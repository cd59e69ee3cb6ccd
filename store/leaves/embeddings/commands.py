"""`mem embeddings`: choosing and trying a model; and downloading one, the only thing that memtui ever
downloads."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...cli.command import Call, Command, group
from ...cli.output.console import Row, print_json, print_line, print_rows, progress_bar, tell
from ...cli.typer_later import typer
from ...platform.errors import ConfigurationError
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...text.plural import count_noun
from .chosen_model import set_model, status

if TYPE_CHECKING:
    from ...config import EmbeddingsSettings
    from .fetching import RemoteModel


app = group("Choose the model that compares what memories mean, and try it.")
app.command("set", cls=Command)(set_model)
app.command(cls=Command)(status)


@app.command(cls=Command)
def test(
    call: Call,
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]...", help="What is embedded; else a sentence."),
    ] = None,
) -> None:
    """Embed a text and say how long that took; of several, how similar each is to the first."""
    from ...providers.errors import ProviderError
    from .model import TEXT, embedder, metered
    from .searching import sumprod

    settings = configured()
    model = embedder(settings)
    samples = texts or [TEXT]
    with call.writing() as store:
        try:
            # The first call may have to load the model.
            metered(store, model, samples[:1])
            began = time.perf_counter()
            rows = metered(store, model, samples)
        except ProviderError as error:
            tell(f"{settings.name}: {error.reason}")
            raise typer.Exit(1) from None
    took = (time.perf_counter() - began) * 1_000
    cosines = [sumprod(row, rows[0]) for row in rows]
    if call.json:
        similar = [
            {"text": text, "similarity": round(number, 4)}
            for text, number in zip(samples, cosines, strict=True)
        ]
        results = {
            "model": settings.name,
            "dimensions": len(rows[0]),
            "milliseconds": round(took, 2),
        }
        print_json(results | {"texts": similar})
        return
    what = count_noun(len(samples), "texts")
    tell(
        "{name}: {what} in {took} ms, {dimensions} dimensions.",
        name=settings.name,
        what=what,
        took=f"{took:,.1f}",
        dimensions=f"{len(rows[0]):,}",
    )
    if not all(map(any, rows)):
        tell("A text without a word that the model knows has no vector.")
    if len(samples) > 1:
        pairs = zip(samples, cosines, strict=True)
        print_rows(
            ("similarity", "text"),
            (Row(f"{value:.3f}", text) for text, value in pairs),
            wide="text",
            right=("similarity",),
        )


def configured() -> EmbeddingsSettings:
    """Return the configured model. ConfigurationError where there is none."""
    from ...config import embeddings_settings

    settings = embeddings_settings()
    if settings is None:
        raise ConfigurationError(
            "No model is named: `mem embeddings set` names one, "
            "such as `mem embeddings set openai-compatible --model nomic-embed-text`."
        )
    return settings


@app.command(cls=Command)
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
    from .fetching import address_of, check_place, survey
    from .fetching import fetch as fetch_files

    if not yes and not sys.stdin.isatty():
        raise typer.BadParameter(_("say --yes where nobody can be asked."))
    model = survey(source or address_of(name))
    if into is None:
        own = name.rpartition("/")[2]
        into = call.path.absolute().parent / "models" / (own if own.strip(".") else "model")
    directory = into.expanduser().absolute()
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
