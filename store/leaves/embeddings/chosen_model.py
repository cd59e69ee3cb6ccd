"""`mem embeddings set` and `status`: name the model, try it and write it down; show which there is, and
what it knows."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ...cli.command import Call
from ...cli.output.console import print_block, print_json, print_line, tell
from ...cli.typer_later import typer
from ...config.file import config_path
from ...platform.translation import N_, _
from ...text.plural import count_noun

if TYPE_CHECKING:
    from ...config import EmbeddingsSettings
    from ...store import Store
    from .embedders import Embedder
    from .model import Trial


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
    """Name the model that compares what memories mean with a question, and try it.

    What isn't named of the model has its default again. Nothing is written where it can't work. With
    `off` memtui's own word vectors compare again, and the vectors that the store keeps are deleted.
    """
    from .kept import drop
    from .model import embedder

    given = {
        "model": model,
        "url": url,
        "directory": directory and os.path.realpath(Path(directory).expanduser()),
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
    # ConfigurationError where a package or a file of the model is missing.
    chosen = embedder(settings)
    with call.writing() as store:
        trial = None if no_check else _tried(store, chosen)
        _write(changes)
        drop(store, but=chosen.fingerprint)
        _tell(call, store, chosen, trial)


def _turn_off(call: Call, named: Mapping[str, object]) -> None:
    if named:
        raise typer.BadParameter(_("off takes no options."))
    from .kept import drop

    _write({"embeddings.provider": "off"})
    with call.writing() as store:
        dropped = drop(store)
    if call.json:
        print_json({"provider": "off", "path": str(config_path()), "dropped": dropped})
        return
    tell("memtui's own word vectors compare meaning now, by {path}.", path=config_path())
    if dropped:
        tell("The vectors of {memories} were deleted.", memories=count_noun(dropped, "memories"))


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
    from ...config.reading import embeddings_of
    from ...maintain.configuration import SettingError, tables_after

    try:
        settings = embeddings_of(tables_after(changes).get("embeddings", {}))
    except (SettingError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    assert settings is not None
    return settings


def _tried(store: Store, chosen: Embedder) -> Trial:
    from ...providers.errors import ProviderError
    from .model import try_out

    try:
        return try_out(store, chosen)
    except ProviderError as error:
        tell(f"{chosen.name}: {error.reason}")
        tell("Nothing was changed. --no-check writes it down all the same.")
        raise typer.Exit(1) from None


def _write(changes: Mapping[str, object]) -> None:
    from ...maintain.configuration import SettingError, change

    try:
        change(changes)
    except SettingError as error:
        raise typer.BadParameter(str(error)) from None


def _tell(call: Call, store: Store, chosen: Embedder, trial: Trial | None) -> None:
    unknown, _trouble = _unknown(store, chosen) if trial else ({}, "")
    if call.json:
        print_json(
            {
                "provider": chosen.settings.provider,
                "name": chosen.name,
                "path": str(config_path()),
                "dimensions": trial.dimensions if trial else None,
                "milliseconds": round(1_000 * trial.seconds, 2) if trial else None,
                "unknown": _rounded(unknown),
            }
        )
        return
    tell("{name} compares meaning now, by {path}.", name=chosen.name, path=config_path())
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


FEW_KNOWN = 0.2
"""A model that doesn't know so large a share of tokens finds little in that script."""


def status(call: Call) -> None:
    """Show the model, of how much the store keeps its vectors, and whether it knows your languages."""
    from ...capture.ingest.catch_up import is_there
    from ...config import embeddings_settings
    from .kept import amount
    from .model import embedder

    settings = embeddings_settings()
    if settings is None:
        if call.json:
            print_json({"provider": "off", "name": None})
        else:
            print_line("off")
            tell("memtui's own word vectors compare meaning. `mem embeddings set` names a model.")
        return
    chosen = embedder(settings)
    memories, size, unknown, trouble = 0, 0, dict[str, float](), ""
    if is_there(call.path):
        with call.reading(observing=False) as store:
            memories, size = amount(store.db, chosen.fingerprint)
            unknown, trouble = _unknown(store, chosen)
    if call.json:
        print_json(
            {
                "provider": settings.provider,
                "name": settings.name,
                "from": _place(settings),
                "memories": memories,
                "bytes": size,
                "unknown": _rounded(unknown),
                "trouble": trouble or None,
            }
        )
        return
    known = _(", ").join(_known(*share) for share in unknown.items())
    what = _(
        "of {memories}, {size} MB", memories=count_noun(memories, "memories"), size=f"{size / 1e6:,.1f}"
    )
    fields = [
        ("from", _place(settings)),
        (N_("vectors"), what),
        (N_("unknown words"), known),
        (N_("trouble"), trouble),
    ]
    print_block(settings.name, [field for field in fields if field[1]])


def _unknown(store: Store, chosen: Embedder) -> tuple[dict[str, float], str]:
    """Return the shares of tokens that the model doesn't know, by script, and what hinders to say so."""
    from ...providers.errors import ProviderError
    from .model import unknown_shares

    try:
        return unknown_shares(store.db, chosen), ""
    except ProviderError as error:
        return {}, error.reason


def _rounded(shares: Mapping[str, float]) -> dict[str, float]:
    return {name: round(share, 4) for name, share in shares.items()}


def _known(name: str, share: float) -> str:
    content = f"{name} {100 * share:.1f} %"
    return _("{content} (the model hardly knows it)", content=content) if share > FEW_KNOWN else content


def _place(settings: EmbeddingsSettings) -> str:
    if settings.provider == "openai-compatible":
        return settings.url
    return " ".join(settings.command) if settings.provider == "command" else settings.directory
