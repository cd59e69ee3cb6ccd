"""The type that is typed for an observation: any word, but for one that is mistyped."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from ..errors import InvalidRecordError
from ..kinds import OBSERVATION_TYPES
from ..translation import _
from .typer_later import typer

if TYPE_CHECKING:
    from ..store import Store


MOST = 200
"""So many of the types in use are compared."""

NewType = Annotated[
    bool, typer.Option("--new-type", help="The type is a new one, though it is like another.")
]


def confirmed_type(store: Store, typed: str, is_new: bool) -> str:
    """Return the type that is meant: on a terminal the user is asked where no memory has the typed one
    and another differs by a letter or two. InvalidRecordError elsewhere, unless it `is_new`."""
    from ..search.completion.nearest import mistyped

    known = [*OBSERVATION_TYPES, *store.values_in_use("type", limit=MOST)]
    meant = None if is_new or typed in known else mistyped(typed, known)
    if meant is None:
        return typed
    content = _("No memory has the type {typed}.", typed=typed)
    if not sys.stdin.isatty():
        raise InvalidRecordError(
            "{content} Did you mean {meant}? Nothing was stored; --new-type takes {typed} as it is.",
            content=content,
            meant=meant,
            typed=typed,
        )
    return (
        meant
        if typer.confirm(
            _("{content} Take {meant} instead?", content=content, meant=meant),
            default=True,
            err=True,
        )
        else typed
    )
