"""`mem embeddings`: whether vectors are kept and how far they are; building, trying and dropping them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call, Command, group
from ....cli.output.console import Row, print_json, print_rows, progress_bar, tell
from ....cli.typer_later import typer
from ....platform.errors import ConfigurationError
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....text.plural import count_noun
from .choosing import set_model
from .fetch import fetch
from .status import status

if TYPE_CHECKING:
    from ....config import EmbeddingsSettings
    from ....search.vectors import BuildResult
    from ....store import Store
    from ..building import Progress

app = group("Choose the model that makes vectors of memories, build and drop them.")
app.command("set", cls=Command)(set_model)
app.command(cls=Command)(status)

WATCH_SECONDS = 1.0
"""Seconds between looks at how far another process has come."""


@app.command(cls=Command)
def build(
    call: Call,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.1, help="Begin nothing more after so long."),
    ] = None,
) -> None:
    """Build the vectors that are missing, here and now. Ctrl+C stops it without loss."""
    settings = configured()
    with call.writing() as store:
        try:
            with progress_bar(_("Building"), is_counted=True) as show:
                result = _built(store, settings, seconds, show and (lambda n, all: show(n, all, "")))
        except KeyboardInterrupt:
            tell("Stopped. What was built stays; the same command goes on from there.")
            raise typer.Exit(1) from None
        if call.json:
            print_json({**asdict(result), "model": settings.name})
        elif result.left or result.stopped:
            tell(
                "Vectors of {records} built, {left} left.",
                records=count_noun(result.records, "records"),
                left=f"{result.left:,}",
            )
        else:
            if result.records:
                tell("Vectors of {records} built.", records=count_noun(result.records, "records"))
            tell("All records have their vectors by {name}.", name=settings.name)
        if result.stopped:
            tell(result.stopped)
            raise typer.Exit(1)


def _built(
    store: Store, settings: EmbeddingsSettings, seconds: float | None, show: Progress | None
) -> BuildResult:
    """Build, and where another process does so already, show how far that is until it ends."""
    from ..vectors import BUSY, vectors_in

    deadline = None if seconds is None else time.monotonic() + seconds
    is_told = False
    while True:
        remaining = None if deadline is None else max(0.0, deadline - time.monotonic())
        result = vectors_in(store).build(
            settings,
            seconds=remaining,
            insist=not is_told,
            patience=WATCH_SECONDS if remaining is None else min(WATCH_SECONDS, remaining),
            progress=show,
        )
        if result.stopped != BUSY or remaining == 0:
            return result
        if not is_told:
            tell("Another process builds them already. This goes on when that ends.")
            is_told = True
        if show:
            vector_status = vectors_in(store).status(settings)
            show(vector_status.records, vector_status.total)


@app.command(cls=Command)
def drop(call: Call) -> None:
    """Delete all vectors and keep none; memories stay as they are."""
    from ..vectors import vectors_in

    with call.writing() as store:
        size = vectors_in(store).size
        were_kept = vectors_in(store).drop()
    if call.json:
        print_json({"dropped": were_kept, "bytes": size})
    elif not were_kept and not size:
        tell("There were no vectors.")
    else:
        tell(
            "Dropped {size} MB of vectors. `mem embeddings build` builds them again.",
            size=f"{size / 1000000.0:,.1f}",
        )


@app.command(cls=Command)
def test(
    call: Call,
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TEXT]...", help="What is embedded; else a sentence."),
    ] = None,
) -> None:
    """Embed a text and say how long that took; of several, how similar each is to the first."""
    from ....providers.errors import ProviderError
    from ..vectors import TEXT, vectors_in

    settings = configured()
    samples = texts or [TEXT]
    with call.writing() as store:
        try:
            # The first call may have to load the model.
            vectors_in(store).embed(settings, samples[:1])
            began = time.perf_counter()
            rows = vectors_in(store).embed(settings, samples)
        except ProviderError as error:
            tell(f"{settings.name}: {error.reason}")
            raise typer.Exit(1) from None
    took = (time.perf_counter() - began) * 1_000
    cosines = [float(item) for item in rows @ rows[0]]
    if call.json:
        similar = [
            {"text": text, "similarity": round(number, 4)}
            for text, number in zip(samples, cosines, strict=True)
        ]
        results = {
            "model": settings.name,
            "dimensions": rows.shape[1],
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
        dimensions=f"{rows.shape[1]:,}",
    )
    if not all(row.any() for row in rows):
        tell("A text without a word that the model knows has no vector.")
    if len(samples) > 1:
        pairs = zip(samples, cosines, strict=True)
        print_rows(
            ("similarity", "text"),
            (Row(f"{value:.3f}", text) for text, value in pairs),
            wide="text",
            right=("similarity",),
        )


app.command(cls=Command)(fetch)


def configured() -> EmbeddingsSettings:
    """Return the configured model. ConfigurationError where there is none."""
    from ....config import embeddings_settings

    settings = embeddings_settings()
    if settings is None:
        raise ConfigurationError(
            "No model makes vectors: `mem embeddings set` names one, "
            "such as `mem embeddings set openai-compatible --model nomic-embed-text`."
        )
    return settings
