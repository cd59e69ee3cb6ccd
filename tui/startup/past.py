"""The memory as it was: a private copy to look around in, which is gone afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memtui.store import as_of, moment_of
from memtui.store.capture.ingest.catch_up import open_caught_up
from memtui.store.translation import _

from .private_copy import PrivateCopy
from .telling import telling

NOTICE = _("The memory as it was then: a read-only copy, deleted when you quit.")


@contextmanager
def past(path: Path | None, date: str) -> Iterator[PrivateCopy]:
    """Have a memory (the user's own when no path is given) as it was at a date, until the block ends.

    Raises StoreError for what is no date.
    """
    at = moment_of(date)
    with open_caught_up(path) as store:
        place = store.path
    with telling(_("Looking back")) as tell, as_of(place, at, tell) as result:
        yield PrivateCopy(result.path, " ".join((NOTICE, *result.notes)), as_of=result.title)
