"""The leaves: parts of memtui, a folder each, that everything else works without.

The core never imports one. It asks here: for a module of a leaf by its name, and for what all leaves
that are there offer at a point where the core can be extended.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import StoreError
from .translation import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAVES = {
    "archive": N_("the archive of agents' transcripts"),
    "embeddings": N_("search by meaning"),
    "files": N_("agents' own files"),
    "foreign": N_("reading other programs' memories"),
    "handoff": N_("handing a session over"),
    "html": N_("export as HTML"),
    "statistics": N_("statistics"),
    "sync": N_("other machines"),
    "team": N_("teams"),
}
"""What each leaf of the store is for, by the name of its folder in `store/leaves`."""

OFFERS: dict[str, tuple[str, ...]] = {
    # Called with a store, a query and how many hits at most, and whether as JSON: whether it answered the
    # query, which asks for something else than memories.
    "answer": ("files.commands.discovered:answer",),
    # Called with a store and a query whose hits were printed: tells what else holds its words.
    "beside hits": ("files.commands.discovered:tell_more",),
    # The name of what is looked at, and a function that yields checks of a store.
    "doctor": ("files.reports:EXAMINATION",),
    # Called with the path of a store, an event of the kind "instructions" and its time: whether it was
    # noted.
    "instructions": ("files.reports:note_report",),
    # Called with a call and a path, None for any: the agents of each file there in which agents keep what
    # they remember by themselves.
    "own memory": ("files.commands.discovered:own_memory",),
}
"""By the name of each point where the core can be extended what leaves offer there, as `module:attribute`
below `store/leaves`, in the order in which they are asked."""

_PACKAGE = __name__.removesuffix("platform.leaves") + "leaves"


class MissingLeafError(StoreError):
    """A part of memtui is not in this installation."""


def leaf(module: str) -> Any:
    """Return a module of a leaf, by its name below `store/leaves`; raise MissingLeafError where the leaf's
    folder is not there."""
    try:
        return import_module(f"{_PACKAGE}.{module}")
    except ModuleNotFoundError as error:
        if not is_missing(error):
            raise
        name = module.partition(".")[0]
        raise MissingLeafError(
            _(
                "{part}: not in this installation, store/leaves/{name} is missing. Install memtui again.",
                part=_(LEAVES[name]),
                name=name,
            )
        ) from None


def has_leaf(name: str) -> bool:
    """Whether the folder of a leaf is there."""
    try:
        import_module(f"{_PACKAGE}.{name}")
    except ModuleNotFoundError as error:
        if not is_missing(error):
            raise
        return False
    return True


def offers(point: str) -> Iterator[Any]:
    """Yield what the leaves that are there offer at a point, see `OFFERS`."""
    for offered in OFFERS[point]:
        module, _colon, attribute = offered.partition(":")
        if has_leaf(module.partition(".")[0]):
            yield getattr(leaf(module), attribute)


def is_missing(error: ModuleNotFoundError) -> bool:
    """Whether an import failed because the folder of a leaf is not there, rather than another module."""
    package, _dot, name = (error.name or "").rpartition(".")
    return package == _PACKAGE and name in LEAVES
