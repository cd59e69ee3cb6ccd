"""An undo that the disk or its caller ends halfway leaves all as it was, and says what ended it."""

import apsw
import pytest

from memtui.store import Action, Store
from memtui.store.database.files.disk import is_unwritable
from memtui.store.platform.errors import DatabaseError

from ..full_disk import full_disk

MANY = 100


@pytest.fixture
def deleted(store: Store) -> Store:
    """A memory in which many long observations were deleted at once."""
    with store.transaction():
        for number in range(MANY):
            store.observations.add("c-1", title=f"one {number}", narrative=f"word{number} " * 400)
    store.change_many(store.find("kind:observation").refs(), Action("delete"))
    return store


def test_an_undo_that_is_stopped_says_nothing_else(deleted: Store) -> None:
    written = deleted.db.total_changes()
    deleted.db.set_progress_handler(lambda: deleted.db.total_changes() > written + MANY, 100)
    with pytest.raises(apsw.InterruptError):
        deleted.undo()
    deleted.db.set_progress_handler(None)
    assert deleted.trash_count() == MANY


def test_an_undo_on_a_full_disk_says_so(deleted: Store) -> None:
    # No page waits in memory for the end.
    deleted.db.pragma("cache_size", 2)
    with full_disk(), pytest.raises(DatabaseError) as raised:
        deleted.undo()
    assert is_unwritable(raised.value)
    assert "savepoint" not in str(raised.value)
