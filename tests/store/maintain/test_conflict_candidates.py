"""What was changed on two machines is offered to be made one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.maintain.duplicates.candidates import candidates
from tests.store.sync.meeting import change_on_both, stores


@pytest.fixture
def changed(tmp_path: Path) -> Iterator[Store]:
    """A store whose observation and fact were changed on another machine too."""
    one, other = stores(tmp_path, "one", "other")
    with one, other:
        change_on_both(one, other)
        yield one


def test_both_texts_of_a_conflict_come_first(changed: Store) -> None:
    found = next(iter(candidates(changed)))
    assert (found.is_conflict, found.why, found.title) == (True, "changed on two machines", "Retry")
    kept, lost = (changed.any_record(text) for text in found.refs)
    assert kept.uid < lost.uid or lost.source == "sync"
    texts = {changed.observations.get(text).narrative for text in found.refs}
    assert texts == {"four times, with a jitter", "twice, and then a pause"}


@pytest.mark.parametrize("ends", ["merge", "not_duplicates"])
def test_a_conflict_is_over_when_it_was_merged_or_told_apart(changed: Store, ends: str) -> None:
    ((kept, lost),) = changed.merging.merges.conflicts()
    getattr(changed, ends)([kept, lost])
    assert changed.merging.merges.conflicts() == []
    changed.undo()
    assert len(changed.merging.merges.conflicts()) == 1
