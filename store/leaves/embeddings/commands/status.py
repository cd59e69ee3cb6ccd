"""`mem embeddings status`: which model there is, how far its vectors are, and what it knows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ....cli.command import Call
from ....cli.output.console import print_block, print_json, print_line, tell
from ....platform.translation import N_, _
from ....records.dataclasses import asdict
from ....text.plural import count_noun

if TYPE_CHECKING:
    from ....cli.output.serializers import Json
    from ....config import EmbeddingsSettings
    from ..vectors import StoredVectors, VectorStatus

FEW_KNOWN = 0.2
"""A model that doesn't know so large a share of tokens finds little in that script."""


def status(call: Call) -> None:
    """Show the model, how far its vectors are, what the rest takes, and whether it knows your languages."""
    from ....capture.ingest.catch_up import is_there
    from ....config import embeddings_settings

    settings = embeddings_settings()
    if not is_there(call.path):
        _put(call, settings, None)
        return
    from ..vectors import vectors_in

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
    from ....providers.errors import ProviderError

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
    from ..vectors import VectorStatus

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
    from ....observe.jobs.checks import duration

    return _("about {duration}", duration=duration(max(1000, round(seconds * 1000))))
