"""What is typed leads to a memory by its id, or to those of a file, a commit or a date."""

from datetime import datetime

import pytest

from memtui.store import Store
from memtui.store.links.destinations import Destination, destinations

NOON = datetime(2026, 2, 17, 12)
AT = int(datetime(2026, 2, 17, 9).timestamp() * 1000)


@pytest.fixture
def filled(store: Store) -> Store:
    """Two memories of a file, one of them of a commit too, in a session with an agent's id."""
    session = store.sessions.start("abcd1234-session", agent="codex", project="atlas")
    store.prompts.add(session, text="mend the refresh")
    store.observations.add(
        session, title="Mended", facts=["commit ab12cd3 on main"], at=AT,
        files_modified=["src/auth/token.py"],
    )  # fmt: skip
    store.observations.add(
        session, title="Tested", at=AT + 1,
        files_modified=["src/auth/token.py", "tests/test_token.py"],
    )  # fmt: skip
    store.observations.add(session, title="Of another day", at=AT - 3 * 86_400_000)
    return store


def led_to(store: Store, text: str) -> list[str]:
    return [item.ref or item.query for item in destinations(store, text, NOON)]


@pytest.mark.parametrize(
    ("typed", "ref"),
    [
        ("1", "1"), ("[mem 1]", "1"), ("[mem 1: Mended]", "1"), ("#1", "1"), ("p1", "p1"),
        ("@1", "@1"), ("abcd1234-session", "@1"), ("abcd1", "@1"),
        ("ab12cd3", "1"), ("ab12cd3ffffffffff", "1"),
        ("tests/test_token.py", "2"), ("./tests/test_token.py:12", "2"), ("test_token.py", "2"),
        ("2026-02-14", "3"),
    ],
)  # fmt: skip
def test_one_is_meant(filled: Store, typed: str, ref: str) -> None:
    assert led_to(filled, typed) == [ref]


def test_the_beginning_of_a_uid_leads_to_it(filled: Store) -> None:
    uid = filled.record("2").uid
    assert led_to(filled, uid) == ["2"]
    assert led_to(filled, uid[:-4].upper()) == ["2"]


def test_where_several_are_meant_all_are_offered(filled: Store) -> None:
    uids = set(led_to(filled, filled.record("1").uid[:8]))
    assert {"1", "2", "3", "p1"} <= uids
    assert destinations(filled, "src/auth/token.py") == [
        Destination("file", "src/auth/token.py", query="file:src/auth/token.py", count=2)
    ]
    assert led_to(filled, "today") == ["on:today"]
    assert led_to(filled, "this month") == ["on:this-month"]
    assert led_to(filled, "2026") == ["on:2026"]


@pytest.mark.parametrize("typed", ["", "  ", "token", "mend the refresh", "99", "p9", "x.py", "deadbee"])
def test_what_names_nothing_leads_nowhere(filled: Store, typed: str) -> None:
    assert led_to(filled, typed) == []


def test_beginnings_lead_to_nothing_hidden(filled: Store) -> None:
    uid = filled.record("2").uid
    filled.observations.set_private(2)
    assert led_to(filled, uid[:-4]) == []
    assert led_to(filled, "2") == ["2"]
