"""Two stores that met hold the same texts: those that one accepted, but for what is evidently secret."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.sync.exchange import Wishes
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.meeting import meet as meet_place
from memtui.store.text.redaction import scrub

from .machines import contents
from .meeting import meet
from .test_both_sides import pair

__all__ = ["pair"]

ACCEPTED = "psql --password Vt7kQ9xw2Lm4 and on"
MARKED = "psql --password [redacted command-line-password 0a1b2c] and on"
EVIDENT = "ghp_" + "0aB" * 12
Meet = Callable[[Wishes], None]


@pytest.fixture(
    params=["pipe", "pipe back", "folder", pytest.param("sealed", marks=pytest.mark.extra("sync"))]
)
def met(pair: tuple[Store, Store], tmp_path: Path, request: pytest.FixtureRequest) -> Meet:
    """Have the two stores of `pair` meet in one of the ways."""
    (folder := tmp_path / "shared").mkdir()
    address = f"folder:{folder}"
    if request.param == "sealed":
        import pyrage

        (tmp_path / "key").write_text(str(pyrage.x25519.Identity.generate()))
        address += f"?key={tmp_path}/key"

    def by_folder(wishes: Wishes) -> None:
        for store in (*pair, pair[0]):
            meeting = meet_place(store, Machines(store).add("folder", address), wishes)
            assert not meeting.refused and not meeting.notes

    def by_pipe(wishes: Wishes) -> None:
        for _ in range(2):
            outcome, _sent = meet(*(pair if request.param == "pipe" else pair[::-1]), wishes)
            assert outcome is not None and not outcome.given.refused + outcome.taken.refused

    return by_pipe if request.param.startswith("pipe") else by_folder


def write(store: Store, uid: str, text: str) -> None:
    """Have a record say something else in the same version, as other rules would have made it."""
    sql = "UPDATE observations SET subtitle = ?, facts = json_array(?1) WHERE uid = ?2"
    store.db.execute(sql, (text, uid))


def test_what_one_store_accepted_the_other_takes_as_it_is(pair: tuple[Store, Store], met: Meet) -> None:
    assert scrub(ACCEPTED) != ACCEPTED
    made = pair[0].observations.add("c-1", title="one")
    write(pair[0], made.uid, ACCEPTED)
    met(Wishes())
    for store in pair:
        assert store.observations.get(made.uid).subtitle == ACCEPTED
        assert store.observations.get(made.uid).facts == (ACCEPTED,)
    assert contents(pair[0]) == contents(pair[1])


def test_what_is_evident_is_taken_out_on_both(pair: tuple[Store, Store], met: Meet) -> None:
    made = pair[0].observations.add("c-1", title="one")
    write(pair[0], made.uid, f"push with {EVIDENT}")
    met(Wishes())
    for store in pair:
        assert "redacted github-token" in str(store.observations.get(made.uid).subtitle)
        assert EVIDENT not in str(contents(store))
    assert contents(pair[0]) == contents(pair[1])


@pytest.mark.parametrize("marked", [0, 1])
@pytest.mark.parametrize("text", [MARKED, "something else", ""])
def test_verify_finds_and_mends_rows_of_one_version_that_differ(
    pair: tuple[Store, Store], met: Meet, text: str, marked: int
) -> None:
    made = pair[0].observations.add("c-1", title="one")
    write(pair[0], made.uid, ACCEPTED)
    met(Wishes())
    write(pair[marked], made.uid, text)
    met(Wishes())
    assert contents(pair[0]) != contents(pair[1])
    for _ in range(2):
        met(Wishes(verify=True))
    assert contents(pair[0]) == contents(pair[1])
    if text == MARKED:
        assert pair[0].observations.get(made.uid).subtitle == ACCEPTED
    # Once they are equal, nothing is left to be done.
    outcome, _ = meet(*pair, Wishes(verify=True))
    assert outcome is not None and outcome.differing == 0
