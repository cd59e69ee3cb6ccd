"""Meeting a place, whatever carries it."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Protocol

from ...platform.errors import StoreError
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...store import Store
from .channel import Verdicts
from .exchange import Wishes
from .folder import Folder, GitFolder, Key, folder_of
from .machines import GIT, SSH, Machines, MeetingPlace, PlaceStatus
from .ssh import meet_by_ssh


@dataclass(frozen=True, slots=True)
class Meeting:
    """What came of a place: how many rows were given and taken, what was refused, and sentences on what is
    odd. `differing`: how many ranges differed, None where only changes went. A dry run says what would
    be; of a folder it `is_unread` what would come."""

    place: str
    given: Counter[str]
    taken: Counter[str]
    refused: tuple[str, ...]
    conflicts: int
    differing: int | None
    notes: tuple[str, ...]
    is_dry_run: bool = False
    is_unread: bool = False


class OtherPlace(Protocol):
    """A place beside machines and folders that a store may be in step with, such as a team's server."""

    name: str
    is_joined: bool
    """Whether the store is in step with it."""

    def check(self) -> None:
        """Raise NotFoundError where the store is not in step with it."""
        ...

    def meet(self, wishes: Wishes) -> Meeting:
        """Meet it, and note how it went. Raises StoreError where it could not be met."""
        ...

    def status(self) -> PlaceStatus | None:
        """Return how it stands with it; None where the store is not in step with it."""
        ...

    def to_review(self) -> int:
        """Return how many memories from there wait for a person's word."""
        ...


def meet(store: Store, place: MeetingPlace, wishes: Wishes, *, is_unattended: bool = False) -> Meeting:
    """Meet a place, and note how it went. Raises StoreError where it could not be met."""
    gives = wishes.gives and place.direction != "read"
    takes = wishes.takes and place.direction != "write"
    wishes = Wishes(gives, takes, wishes.verify, wishes.dry_run)
    try:
        if place.address.startswith(SSH):
            return _by_ssh(store, place, wishes, is_unattended=is_unattended)
        return _by_folder(store, place, wishes)
    except StoreError as error:
        if not wishes.dry_run:
            # Where the store can't be written any more either, the first error is the one to tell.
            with suppress(StoreError):
                Machines(store).note_meeting(place.name, None, str(error))
        raise


def meet_due(store: Store) -> None:
    """Meet the places that are met by themselves and are due; what stands in the way is noted, and asked
    for is nothing."""
    for place in Machines(store).due():
        with suppress(StoreError):
            meet(store, place, Wishes(), is_unattended=True)


def _by_ssh(store: Store, place: MeetingPlace, wishes: Wishes, *, is_unattended: bool) -> Meeting:
    outcome = meet_by_ssh(store, place.address, wishes, is_unattended=is_unattended)
    if wishes.dry_run:
        return Meeting(
            place.name, Counter(outcome.would_give), Counter(outcome.would_take), (), 0,
            outcome.differing, (), is_dry_run=True,
        )  # fmt: skip
    Machines(store).note_meeting(place.name, outcome.machine)
    return Meeting(
        place.name,
        outcome.given.counts,
        outcome.taken.counts,
        (*_refused(outcome.given, "there"), *_refused(outcome.taken, "here")),
        outcome.given.conflicts + outcome.taken.conflicts,
        outcome.differing,
        (),
    )


def _by_folder(store: Store, place: MeetingPlace, wishes: Wishes) -> Meeting:
    directory, key = folder_of(place)
    folder = Folder(store, place, directory, Key(key) if key else None)
    if wishes.dry_run:
        waiting = Counter(folder.waiting())
        return Meeting(place.name, waiting, Counter(), (), 0, None, (), is_dry_run=True, is_unread=True)
    repository = GitFolder(directory) if place.address.startswith(GIT) else None
    if repository is not None:
        repository.pull()
    outcome = folder.meet(wishes)
    if repository is not None:
        repository.push(outcome.written)
    Machines(store).note_meeting(place.name, None)
    return Meeting(
        place.name,
        Counter({"stored": outcome.written}),
        outcome.taken.counts,
        tuple(_refused(outcome.taken, _("here"))),
        outcome.taken.conflicts,
        None,
        tuple(outcome.notes),
    )


def _refused(verdicts: Verdicts, where: str) -> list[str]:
    return [
        _(
            "{kind} {key} was refused {where}: {reason}",
            kind=_(item.kind),
            key=item.key,
            where=where,
            reason=item.reason,
        )
        for item in verdicts.refused
    ]
