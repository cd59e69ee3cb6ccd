"""The leaves: parts of memtui, a folder each, that everything else works without.

The core never imports one. It asks here: for a module of a leaf by its name, and for what all leaves
that are there offer at a point where the core can be extended.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import StoreError
from .translation import N_, _

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAVES = {
    "archive": N_("the archive of agents' transcripts"),
    "blame": N_("who wrote a line"),
    "digest": N_("the digest of a day or a week"),
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

STAND_ON = {"team": ("sync",)}
"""The leaves that a leaf imports."""

OFFERS: dict[str, tuple[str, ...]] = {
    # Called with the store, once a job in the background has done its work.
    "after a job": ("archive.archive:capture_if_on", "sync.meeting:meet_due"),
    # Called with a store, a query and how many hits at most, and whether as JSON: whether it answered the
    # query, which asks for something else than memories.
    "answer": ("files.commands.discovered:answer",),
    # Called with a store and a query whose hits were printed: tells what else holds its words.
    "beside hits": ("files.commands.discovered:tell_more",),
    # A `Carrier` of `sync/machines.py`, by which `mem sync` meets places that are no machines or folders.
    "carriers": ("team.place:CARRIER",),
    # Called with a connection and the beginning of a commit's hash: the ids of the sessions that it comes
    # from, as far as that is known.
    "commit": ("blame.blame:sessions_of_commit",),
    # An `Examination` of `store/maintain/doctor.py`.
    "doctor": (
        "embeddings.model:EXAMINATION",
        "files.reports:EXAMINATION",
        "archive.archive:EXAMINATION",
    ),
    # Called with a store: whether a place that is met by itself is due.
    "due": ("sync.machines:is_any_due",),
    # Called with the path of a store, an event of the kind "instructions" and its time: whether it was
    # noted.
    "instructions": ("files.reports:note_report",),
    # Called with a store before other machines are met, and after: sentences on what could not be done.
    "meeting": ("files.sharing:keep_in_step",),
    # Called with a store: whether any of its memories may be somebody else's, or shared.
    "marks": ("team.place:may_have_marks",),
    # A `PromptTemplate` of `store/mcp/resources.py`.
    "mcp prompts": ("handoff.brief:HAND_OVER",),
    # Called with a call and a path, None for any: the agents of each file there in which agents keep what
    # they remember by themselves.
    "own memory": ("files.commands.discovered:own_memory",),
    # Called with the store, the ids of purged sessions and the texts of what was purged: forgets what holds
    # them too, and returns how many sessions that were.
    "purge": ("archive.archive:forget_quoting",),
    # Called with a store and a verdict, None for none yet: the `Review`s of what others shared, and whose
    # it is (`store/curation/reviewing.py`).
    "reviews": ("team.reviewing:reviews_in_team",),
    # Called with a store: the rule for memories that came from elsewhere, see `team/retention.py`.
    "retention": ("team.retention:TeamRetention",),
    # Called with a store: how it stands with the places that are met by themselves.
    "standing": ("sync.machines:automatic_places",),
    # Called with a store, refs of what others shared, a verdict and a reply: gives it, and returns on
    # how many.
    "verdicts": ("team.reviewing:give_verdict",),
}
"""By the name of each point where the core can be extended what leaves offer there, as `module:attribute`
below `store/leaves`, in the order in which they are asked."""

_PACKAGE = __name__.removesuffix("platform.leaves") + "leaves"
_FOLDER = os.path.dirname(os.path.dirname(__file__)) + "/leaves"  # noqa: PTH120


class MissingLeafError(StoreError):
    """A part of memtui is not in this installation."""


def leaf(module: str) -> Any:
    """Return a module of a leaf, by its name below `store/leaves`; raise MissingLeafError where the leaf's
    folder is not there."""
    if name := _missing(module.partition(".")[0]):
        raise MissingLeafError(
            _(
                "{part}: not in this installation, store/leaves/{name} is missing. Install memtui again.",
                part=_(LEAVES[name]),
                name=name,
            )
        )
    return import_module(f"{_PACKAGE}.{module}")


def has_leaf(name: str) -> bool:
    """Whether the folder of a leaf is there, and of what it stands on."""
    return not _missing(name)


def offers(point: str) -> Iterator[Any]:
    """Yield what the leaves that are there offer at a point, see `OFFERS`."""
    for offered in OFFERS[point]:
        module, _colon, attribute = offered.partition(":")
        if has_leaf(module.partition(".")[0]):
            yield getattr(leaf(module), attribute)


def _missing(name: str) -> str:
    """Return the leaf that a leaf lacks: itself, or one that it stands on; "" where all are there."""
    if not os.path.isfile(f"{_FOLDER}/{name}/__init__.py"):  # noqa: PTH113 - hooks ask it, and pathlib is slow
        return name
    return next(filter(None, map(_missing, STAND_ON.get(name, ()))), "")
