"""`mem embeddings set` and `status`: name the model, try it, write it down and have its vectors built; show
which there is, how far its vectors are, and what it knows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ...cli.command import Call
from ...cli.output.console import print_block, print_json, print_line, tell
from ...cli.typer_later import typer
from ...config.file import config_path
from ...platform.translation import N_, _
from ...records.dataclasses import asdict
from ...text.plural import count_noun

if TYPE_CHECKING:
    from ...cli.output.serializers import Json
    from ...config import EmbeddingsSettings
    from ...store import Store
    from .vectors import StoredVectors, Trial, VectorStatus


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
    from .model import embedder
    from .vectors import vectors_in

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
    embedder(settings)
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
    from ...config.reading import embeddings_of
    from ...maintain.configuration import SettingError, tables_after

    try:
        settings = embeddings_of(tables_after(changes).get("embeddings", {}))
    except (SettingError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    assert settings is not None
    return settings


def _tried(store: Store, settings: EmbeddingsSettings) -> Trial:
    from ...providers.errors import ProviderError
    from .vectors import try_out, vectors_in

    try:
        return try_out(vectors_in(store), settings)
    except ProviderError as error:
        tell(f"{settings.name}: {error.reason}")
        tell("Nothing was changed. --no-check writes it down all the same.")
        raise typer.Exit(1) from None


def _write(changes: Mapping[str, object]) -> None:
    from ...maintain.configuration import SettingError, change

    try:
        change(changes)
    except SettingError as error:
        raise typer.BadParameter(str(error)) from None


def _tell(call: Call, store: Store, settings: EmbeddingsSettings, trial: Trial | None) -> None:
    from .vectors import vectors_in

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


FEW_KNOWN = 0.2
"""A model that doesn't know so large a share of tokens finds little in that script."""


def status(call: Call) -> None:
    """Show the model, how far its vectors are, what the rest takes, and whether it knows your languages."""
    from ...capture.ingest.catch_up import is_there
    from ...config import embeddings_settings

    settings = embeddings_settings()
    if not is_there(call.path):
        _put(call, settings, None)
        return
    from .vectors import vectors_in

    with call.reading(observing=False) as store:
        _put(call, settings, vectors_in(store))


def _put(call: Call, settings: EmbeddingsSettings | None, vectors: StoredVectors | None) -> None:
    vector_status = vectors.status(settings) if settings and vectors else None
    size = vectors.size if vectors else 0
    is_kept = vectors is not None and vectors.are_kept
    unknown: Mapping[str, float] = {}
    trouble = vector_status.trouble if vector_status else ""
    if settings and vectors:
        unknown, said = unknown_shares(vectors, settings)
        trouble = trouble or said
    if call.json:
        print_json(
            _json(settings, vector_status, size=size, is_kept=is_kept, unknown=unknown, said=trouble)
        )
        return
    if settings is None:
        print_line("off")
        if size:
            tell(
                "{size} MB of vectors stay until `mem embeddings drop`.",
                size=f"{size / 1000000.0:,.1f}",
            )
        else:
            tell("No model makes vectors. `mem embeddings set` names one.")
        return
    fields = (
        _fields(settings, vector_status, size, unknown) if vector_status else [("from", _place(settings))]
    )
    print_block(settings.name, [*fields, *([(N_("trouble"), trouble)] if trouble else [])])
    if not is_kept:
        tell("No vectors are kept of this store yet. `mem embeddings build` begins.")


def unknown_shares(vectors: StoredVectors, settings: EmbeddingsSettings) -> tuple[dict[str, float], str]:
    """Return the shares of tokens that the model doesn't know, by script, and what hinders to say so."""
    from ...providers.errors import ProviderError

    try:
        return vectors.unknown_shares(settings), ""
    except ProviderError as error:
        return {}, error.reason


def _json(
    settings: EmbeddingsSettings | None,
    status: VectorStatus | None,
    *,
    size: int,
    is_kept: bool,
    unknown: Mapping[str, float],
    said: str,
) -> Json:
    from .vectors import VectorStatus

    vector_status = status or VectorStatus("")
    return {
        **asdict(vector_status),
        "provider": settings.provider if settings else "off",
        "name": settings.name if settings else None,
        "from": _place(settings) if settings else None,
        "kept": is_kept,
        "left": vector_status.left,
        "bytes": size,
        "searched": vector_status.searched or None,
        "trust": {name: round(share, 4) for name, share in vector_status.trust},
        "unknown": {name: round(share, 4) for name, share in unknown.items()},
        "trouble": said or None,
    }


def _fields(
    settings: EmbeddingsSettings, status: VectorStatus, size: int, unknown: Mapping[str, float]
) -> Iterator[tuple[str, str]]:
    yield "from", _place(settings)
    if status.dimensions:
        yield "dimensions", f"{status.dimensions:,}"
    share = status.records / status.total if status.total else 1.0
    yield (
        N_("built"),
        _(
            "{built} of {records} ({share} %), {passages}",
            built=f"{status.records:,}",
            records=count_noun(status.total, "records"),
            share=int(100 * share),
            passages=count_noun(status.passages, "passages"),
        ),
    )
    if status.left:
        yield N_("left"), rest(settings, status)
    yield N_("size"), f"{size / 1e6:,.1f} MB"
    yield N_("searches"), _searches(status)
    if unknown:
        yield N_("unknown words"), _(", ").join(_known(*share) for share in unknown.items())
    if status.trust:
        yield N_("trusted"), ", ".join(f"{name} {100 * share:.0f} %" for name, share in status.trust)


def rest(settings: EmbeddingsSettings, status: VectorStatus, seconds: float | None = None) -> str:
    """Return about what is left to be built: records, tokens, cost and time, as far as they are known."""
    parts = [count_noun(status.left, "records")]
    if status.tokens is not None:
        parts.append(_("about {tokens}", tokens=count_noun(status.tokens, "tokens")))
        if settings.is_metered:
            price = settings.dollars(status.tokens)
            parts.append(_("of unknown price (--price)") if price is None else dollars(price))
    seconds = status.seconds if seconds is None else seconds
    if seconds is not None:
        parts.append(span(seconds))
    return ", ".join(parts)


def _searches(status: VectorStatus) -> str:
    if not status.searched or (status.searched == status.name and not status.records):
        return _("go without vectors")
    if status.searched != status.name:
        return _("use {searched} until this one is built", searched=status.searched)
    return _("use it") if status.is_whole else _("use what is built of it")


def _known(name: str, share: float) -> str:
    content = f"{name} {100 * share:.1f} %"
    return _("{content} (the model hardly knows it)", content=content) if share > FEW_KNOWN else content


def _place(settings: EmbeddingsSettings) -> str:
    if settings.provider == "openai-compatible":
        return settings.url
    return " ".join(settings.command) if settings.provider == "command" else settings.directory


def dollars(amount: float) -> str:
    """Return a sum as it is shown."""
    return f"${amount:,.4f}"


def span(seconds: float) -> str:
    """Return about how long something takes."""
    from ...observe.jobs.checks import duration

    return _("about {duration}", duration=duration(max(1000, round(seconds * 1000))))
