"""`mem embeddings set`: name the model, try it, write it down, and have its vectors built."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ....cli.command import Call
from ....cli.output.console import print_json, tell
from ....cli.typer_later import typer
from ....config.file import config_path
from ....platform.translation import _
from .status import FEW_KNOWN, rest, unknown_shares

if TYPE_CHECKING:
    from ....config import EmbeddingsSettings
    from ....store import Store
    from ..vectors import Trial

Provider = Literal["openai-compatible", "static", "onnx", "command", "off"]

BELONGS = {
    "model": ("openai-compatible",),
    "url": ("openai-compatible",),
    "key_env": ("openai-compatible",),
    "directory": ("static", "onnx"),
}
"""The settings that only some providers have."""
OWN = (
    *("provider", "url", "model", "key_env", "key_command", "command", "directory"),
    *("dimensions", "query_prefix", "document_prefix", "price"),
)
"""Settings that belong to one model. Setting another model resets those that aren't named."""
NEEDS = {
    "openai-compatible": ("model", _("name the model: --model nomic-embed-text.")),
    "static": ("directory", _("name the model's directory: --directory ~/models/potion-base-8M.")),
    "onnx": ("directory", _("name the model's directory: --directory ~/models/all-MiniLM-L6-v2.")),
    "command": ("command", _("name the program after --: command -- python3 embed.py.")),
}


def set_model(
    call: Call,
    provider: Annotated[
        Provider,
        typer.Argument(metavar="PROVIDER", help="openai-compatible, static, onnx, command, or off."),
    ],
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- PROGRAM...]", help="For command: the program and its arguments."),
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="The model's name.")] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", help="The server; else Ollama's, http://localhost:11434/v1."),
    ] = None,
    directory: Annotated[
        str | None,
        typer.Option("--directory", metavar="DIR", help="For static and onnx: where the model lies."),
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option("--key-env", metavar="NAME", help="The variable that holds the server's key."),
    ] = None,
    dimensions: Annotated[
        int | None,
        typer.Option("--dimensions", min=0, help="Cut vectors to N dimensions; 0 keeps all."),
    ] = None,
    query_prefix: Annotated[
        str | None, typer.Option("--query-prefix", help="What the model wants before a query.")
    ] = None,
    document_prefix: Annotated[
        str | None, typer.Option("--document-prefix", help="The same before a memory's text.")
    ] = None,
    daily_tokens: Annotated[
        int | None,
        typer.Option("--daily-tokens", min=0, help="The most tokens that a day may take."),
    ] = None,
    price: Annotated[
        float | None, typer.Option("--price", min=0, help="Dollars for a million tokens.")
    ] = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="Don't try the model; its server may be down.")
    ] = False,
) -> None:
    """Name the model that makes vectors of memories, try it, and have them built in the background.

    What isn't named of the model has its default again. Nothing is written where it can't work. With
    `off` searches go without; vectors stay until `mem embeddings drop`.
    """
    given = {
        "model": model,
        "url": url,
        "directory": directory and str(Path(directory).expanduser().resolve()),
        "key_env": key_env,
        "command": words or None,
        "dimensions": dimensions,
        "query_prefix": query_prefix,
        "document_prefix": document_prefix,
        "daily_tokens": daily_tokens,
        "price": price,
    }
    named = {name: value for name, value in given.items() if value is not None}
    if provider == "off":
        _turn_off(call, named)
        return
    _check_usage(provider, named)
    changes = _changes(provider, named)
    settings = _settings_after(changes)
    _check_files(settings)
    from ..vectors import vectors_in

    with call.writing() as store:
        trial = None if no_check else _tried(store, settings)
        _write(changes)
        vectors_in(store).keep()
        _tell(call, store, settings, trial)


def _turn_off(call: Call, named: Mapping[str, object]) -> None:
    if named:
        raise typer.BadParameter(_("off takes no options."))
    _write({"embeddings.provider": "off"})
    if call.json:
        print_json({"provider": "off", "path": str(config_path())})
        return
    tell("Searches go without vectors now, by {path}.", path=config_path())
    tell("Those that are built stay until `mem embeddings drop`.")


def _check_usage(provider: Provider, named: Mapping[str, object]) -> None:
    if "command" in named and provider != "command":
        raise typer.BadParameter(
            _("a program is for the provider command, not for {provider}.", provider=provider)
        )
    for name, owners in BELONGS.items():
        if name in named and provider not in owners:
            option = f"--{name.replace('_', '-')}"
            raise typer.BadParameter(
                _(
                    "{option} is for {names}, not for {provider}.",
                    option=option,
                    names=_(" and ").join(owners),
                    provider=provider,
                )
            )
    needed, sentence = NEEDS[provider]
    if needed not in named:
        raise typer.BadParameter(sentence)


def _changes(provider: Provider, named: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is to be set in the file, and what to be unset (None)."""
    changes: dict[str, Any] = {f"embeddings.{name}": named.get(name) for name in OWN}
    changes["embeddings.provider"] = provider
    # A program that gives the key is set by hand, so only another source of it takes its place.
    if provider == "openai-compatible" and "key_env" not in named:
        del changes["embeddings.key_command"]
    if "daily_tokens" in named:
        changes["embeddings.daily_tokens"] = named["daily_tokens"]
    return changes


def _settings_after(changes: Mapping[str, object]) -> EmbeddingsSettings:
    from ....config.reading import embeddings_of
    from ....maintain.configuration import SettingError, tables_after

    try:
        settings = embeddings_of(tables_after(changes).get("embeddings", {}))
    except (SettingError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    assert settings is not None
    return settings


def _check_files(settings: EmbeddingsSettings) -> None:
    """Raise ConfigurationError where a package or a file of the model is missing."""
    from ..embedder import embedder

    embedder(settings)


def _tried(store: Store, settings: EmbeddingsSettings) -> Trial:
    from ....providers.errors import ProviderError
    from ..vectors import try_out, vectors_in

    try:
        return try_out(vectors_in(store), settings)
    except ProviderError as error:
        tell(f"{settings.name}: {error.reason}")
        tell("Nothing was changed. --no-check writes it down all the same.")
        raise typer.Exit(1) from None


def _write(changes: Mapping[str, object]) -> None:
    from ....maintain.configuration import SettingError, change

    try:
        change(changes)
    except SettingError as error:
        raise typer.BadParameter(str(error)) from None


def _tell(call: Call, store: Store, settings: EmbeddingsSettings, trial: Trial | None) -> None:
    from ..vectors import vectors_in

    status = vectors_in(store).status(settings)
    seconds = status.seconds
    if trial and status.tokens is not None:
        seconds = status.tokens / trial.tokens_a_second
    unknown, _sample = unknown_shares(vectors_in(store), settings) if trial else ({}, "")
    if call.json:
        print_json(
            {
                "provider": settings.provider,
                "name": settings.name,
                "path": str(config_path()),
                "dimensions": trial.dimensions if trial else None,
                "milliseconds": round(1_000 * trial.seconds, 2) if trial else None,
                "records": status.left,
                "tokens": status.tokens,
                "dollars": status.dollars,
                "seconds": seconds,
                "unknown": {name: round(share, 4) for name, share in unknown.items()},
            }
        )
        return
    tell("{name} makes vectors now, by {path}.", name=settings.name, path=config_path())
    if trial:
        tell(
            "A text has {dimensions} dimensions and takes {ms} ms.",
            dimensions=f"{trial.dimensions:,}",
            ms=f"{1000 * trial.seconds:,.1f}",
        )
    for name, share in unknown.items():
        if share > FEW_KNOWN:
            tell(
                "It doesn't know {share} of the words of your {name} memories.",
                share=f"{share:.0%}",
                name=name,
            )
    if not status.left:
        tell("All records have their vectors.")
        return
    tell("To be built: {rest}.", rest=rest(settings, status, seconds))
    if status.searched and status.searched != status.name:
        tell("Until then searches use the vectors of {searched}.", searched=status.searched)
    tell("That goes on by itself in the background; `mem embeddings build` does it at once.")
