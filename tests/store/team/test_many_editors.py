"""Members who change one memory at once: every text stays, in its author's memory and under their name."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from memtui.store import Store
from memtui.store.leaves.team.driver import TeamError
from memtui.store.search.listing.teammates import Teammates
from tests.sizes import sizes

from .colleagues import Colleagues, share, sync


def meet_at_once(stores: list[Store]) -> None:
    """All meet the team at the same time, and then one after the other, until all have all."""
    for _round in range(3):
        with ThreadPoolExecutor(len(stores)) as pool:
            for refused in pool.map(refused_if_met, stores):
                assert refused == ()
    for _round in range(2):
        for store in stores:
            assert sync(store).refused == ()


def refused_if_met(store: Store) -> tuple[str, ...]:
    """What was refused; nothing where the server was too busy, and all waits for the next meeting."""
    try:
        return sync(store).refused
    except TeamError as error:
        assert "too busy" in str(error)
        return ()


def by_text(store: Store) -> dict[str, str]:
    """Who said each text that starts so, as a member sees it: "" for oneself."""
    teammates = Teammates(store.db)
    rows: Any = store.db.execute("SELECT id, narrative FROM observations WHERE deleted_at IS NULL")
    return {str(text): teammates.author(str(number)) for number, text in rows.fetchall()}


@sizes("members", 5, 24)
@pytest.mark.parametrize("isolation", ["read committed", "serializable"])
def test_each_text_is_kept_under_its_authors_name(team: Colleagues, isolation: str, members: int) -> None:
    with psycopg.connect(team.direct, autocommit=True) as owner:
        sql: Any = f"ALTER DATABASE memories SET default_transaction_isolation = '{isolation}'"
        owner.execute(sql)
    shared = team.owner.observations.add("one", title="Ours", narrative="first", project="atlas")
    share(team.owner)
    sync(team.owner)
    names = [f"m{number}" for number in range(members)]
    stores = {name: team.invite(name) for name in names}
    for name, store in stores.items():
        share(store)
        sync(store)
        store.edit(shared.uid, {"narrative": f"said by {name}"})
    meet_at_once([*stores.values()])
    sync(team.owner)
    for name, store in (*stores.items(), ("keeper", team.owner)):
        seen = by_text(store)
        assert seen.keys() == {f"said by {other}" for other in names}, name
        for text, author in seen.items():
            said_by = text.removeprefix("said by ")
            # What oneself said of the owner's memory is still theirs.
            own = ("", "keeper")
            assert author in own if said_by == name else author.endswith(said_by), (name, text)
