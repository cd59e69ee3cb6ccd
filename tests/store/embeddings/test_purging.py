"""Of purged text no vector is left in any file of the memory."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Action, Store
from memtui.store.database.backup import new_backup_path
from memtui.store.maintain.purge import finish_interrupted, purge, purge_for_good
from memtui.store.maintain.retention import Retention
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.purge_selection import Selection, deleted, with_what_belongs
from memtui.store.tables.removal.retention import DAY
from tests.promises import Tally, promise

from .keeping import compare, everything, kept


def tell(store: Store) -> Selection:
    """Two memories that are to be purged, among others."""
    prompt = store.prompts.add("c-9", "login cache nobody may read")
    seen = store.observations.add("c-9", title="nobody may read", narrative="login clock", facts=["redis"])
    return Selection({"observations": (seen.id,), "prompts": (prompt.id,)})


def vectors(store: Store) -> list[bytes]:
    """The vectors of these two, as they lie in the file."""
    sql = (
        "SELECT vectors FROM document_vectors JOIN documents ON id = document_id "
        "WHERE session_id = (SELECT id FROM sessions WHERE content_session_id = 'c-9')"
    )
    return [raw for (raw,) in store.db.execute(sql)]


def holding(path: Path, forms: list[bytes]) -> list[str]:
    """The files that hold one of these."""
    return [
        file.name
        for file in path.parent.rglob("*")
        if file.is_file() and any(form in file.read_bytes() for form in forms)
    ]


def at_once(store: Store, chosen: Selection) -> None:
    assert purge_for_good(store, chosen).is_final


def with_the_session(store: Store, _chosen: Selection) -> None:
    session = store.sessions.get("c-9").id
    chosen = with_what_belongs(store.db, Selection({"sessions": (session,)}), store.facts)
    assert purge_for_good(store, chosen).is_final


def from_the_trash(store: Store, _chosen: Selection) -> None:
    store.change_many("nobody", Action("delete"))
    assert purge_for_good(store, deleted(store.db)).is_final


def by_policy(store: Store, _chosen: Selection) -> None:
    retention = Retention(store)
    retention.set(1, grace_days=1)
    for later in (400, 800):
        retention.run(now_ms() + later * DAY)


def in_two_steps(store: Store, chosen: Selection) -> None:
    for table, numbers in chosen.numbers.items():
        purge(store, table, numbers)
    assert finish_interrupted(store)


WAYS: list[Callable[[Store, Selection], None]] = [
    at_once, with_the_session, from_the_trash, by_policy, in_two_steps,
]  # fmt: skip


@promise("vectors-follow")
@promise("purge-final")
@pytest.mark.parametrize("way", WAYS)
def test_no_file_holds_a_vector_of_what_was_purged(
    known: Store, way: Callable[[Store, Selection], None], tally: Tally
) -> None:
    chosen = tell(known)
    compare(known)
    forms = vectors(known)
    assert len(forms) == 2 and holding(known.path, forms)
    way(known, chosen)
    left = holding(known.path, forms)
    tally(tried=1, left=len(left))
    assert left == []
    compare(known)
    assert kept(known) == everything(known)


@promise("vectors-follow")
@promise("purge-final")
def test_no_backup_holds_one_either(known: Store) -> None:
    chosen = tell(known)
    compare(known)
    forms = vectors(known)
    target = new_backup_path(known.path)
    target.parent.mkdir()
    known.backup(target)
    assert target.name in holding(known.path, forms)
    assert purge_for_good(known, chosen, backups=True).is_final
    assert holding(known.path, forms) == []
