"""A word is offered as long as a visible memory holds it, and not a moment longer."""

from collections.abc import Iterator
from string import ascii_lowercase

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Action, Store
from tests.sizes import costly

from ...conftest import OpenStore
from ..another_program import TEXTS, AnotherProgram
from ..hard_texts import texts

SECRET, TYPED = "zanzibar", "zanzibra"
HIDING = ("private = 1", "deleted_at = 5")
steps = st.lists(st.tuples(st.sampled_from(["add", "write", "hide", "show", "delete"]), texts))


@pytest.fixture(params=["trigram", "unicode61"])
def memory(request: pytest.FixtureRequest, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with one plain memory, of each tokenizer that knows words."""
    monkeypatch.setenv("MEMTUI_TOKENIZER", request.param)
    store = open_store()
    store.observations.add("c-1", title="plain text")
    return store


@pytest.fixture
def other(memory: Store) -> Iterator[AnotherProgram]:
    """Another program with the same file open."""
    program = AnotherProgram(memory.path)
    yield program
    program.db.close()


def is_offered(store: Store) -> bool:
    """Whether the secret is what a mistyped one is said to have meant."""
    return SECRET in {one.meant for one in store.find(TYPED).page().corrections}


def is_offered_to_anyone(store: Store) -> bool:
    """The same, also to who reads before the indexes have caught up, which have to agree."""
    with Store.open(store.path, read_only=True) as reader:
        before = is_offered(reader)
    assert is_offered(store) == before
    return before


def spelled(store: Store) -> set[tuple[str, str]]:
    """The words that may be offered."""
    return set(store.db.execute("SELECT word, backwards FROM spellings WHERE document_id > 0"))


@pytest.mark.parametrize("hide", ["set_private", "delete"])
def test_a_hidden_memory_offers_no_word_until_an_undo_shows_it(memory: Store, hide: str) -> None:
    memory.observations.add("c-1", title=SECRET, private=True)
    assert not is_offered(memory)
    shown = memory.observations.add("c-1", title="t", narrative=f"about {SECRET}")
    assert is_offered(memory)
    getattr(memory.observations, hide)(shown)
    assert not is_offered(memory)
    memory.undo()
    assert is_offered(memory)


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("change", HIDING)
def test_what_another_program_hides_or_shows_counts_at_once(
    memory: Store, other: AnotherProgram, kind: str, change: str
) -> None:
    other.insert(kind, 1, SECRET, "text", private=False)
    memory.catch_up()
    assert is_offered_to_anyone(memory)
    other.db.execute(f"UPDATE {kind} SET {change} WHERE created_at = 1")
    assert not is_offered_to_anyone(memory)
    other.db.execute(f"UPDATE {kind} SET private = 0, deleted_at = NULL WHERE created_at = 1")
    assert is_offered(memory)


@pytest.mark.parametrize("kind", TEXTS)
def test_what_another_program_edits_or_purges_counts_at_once(
    memory: Store, other: AnotherProgram, kind: str
) -> None:
    other.insert(kind, 1, "first", "text", private=False)
    other.db.execute(f"UPDATE {kind} SET {TEXTS[kind]} = '{SECRET}' WHERE created_at = 1")
    assert is_offered(memory)
    other.db.execute(f"UPDATE {kind} SET {TEXTS[kind]} = 'other' WHERE created_at = 1")
    assert not is_offered_to_anyone(memory)
    other.db.execute(f"UPDATE {kind} SET {TEXTS[kind]} = '{SECRET}' WHERE created_at = 1")
    assert is_offered(memory)
    other.db.execute(f"DELETE FROM {kind} WHERE created_at = 1")
    assert not is_offered_to_anyone(memory)


def test_a_word_of_two_memories_stays_when_one_goes(memory: Store, other: AnotherProgram) -> None:
    first = memory.observations.add("c-1", title=SECRET)
    memory.facts.add(f"{SECRET}s are not {SECRET.upper()}")
    memory.prompts.add("c-1", f"where is {SECRET}")
    memory.observations.set_private(first)
    assert is_offered(memory)
    other.db.execute("DELETE FROM prompts")
    assert is_offered(memory)
    memory.facts.delete(1)
    assert not is_offered(memory)


@costly()
@given(steps=steps)
def test_words_are_those_that_a_rebuild_finds(memory: Store, steps: list[tuple[str, str]]) -> None:
    program = AnotherProgram(memory.path)
    for number, (step, text) in enumerate(steps[:8]):
        if step == "add":
            program.insert("observations", number, text, text, private=False)
        elif step == "write":
            program.write_text("observations", number, text)
        elif step == "delete":
            program.delete("observations", number)
        else:
            program.change("observations", number, f"private = {step == 'hide'}")
        memory.catch_up()
    held = spelled(memory)
    memory.rebuild()
    assert held == spelled(memory)
    program.db.execute("DELETE FROM observations")
    program.db.close()


@pytest.mark.parametrize(
    "damage",
    [
        "INSERT INTO spellings VALUES ('ghost', 'tsohg', 1)",
        "UPDATE spellings SET document_id = 999 WHERE word = 'plain'",
        "UPDATE spellings SET word = 'plane' WHERE word = 'plain'",
    ],
)
def test_the_doctor_finds_a_word_that_its_memory_does_not_hold(
    memory: Store, other: AnotherProgram, damage: str
) -> None:
    other.db.execute(damage)
    wrong = [check for check in memory.doctor(thorough=True).checks if not check.ok]
    assert [check.name for check in wrong] == ["spellings"]
    memory.rebuild()
    assert memory.doctor(thorough=True).ok


def test_a_word_stays_as_long_as_any_memory_holds_it(memory: Store) -> None:
    holder = memory.observations.add("c-1", title="refreshable")
    memory.observations.add("c-1", title="another refreshable")
    for number in range(40):
        memory.observations.add("c-1", title=f"refreshing {number}")
    memory.observations.delete(holder)
    assert "refreshable" in {word for word, _ in spelled(memory)}
    assert memory.doctor().ok


def test_many_words_that_lose_their_memory_are_looked_for_together(memory: Store) -> None:
    words = [f"{first}{second}word" for first in ascii_lowercase for second in ascii_lowercase]
    first, *_ = (memory.observations.add("c-1", title=" ".join(words)) for _ in range(3))
    ghost = memory.observations.add("c-1", title=SECRET)
    expected = {pair for pair in spelled(memory) if pair[0] != SECRET}
    asked: list[str] = []
    memory.db.trace_v2(apsw.SQLITE_TRACE_STMT, lambda event: asked.append(event["sql"]))
    memory.change_many([str(first.id), str(ghost.id)], Action("delete"))
    memory.db.trace_v2(0, None)
    assert spelled(memory) == expected
    assert sum("words MATCH" in sql for sql in asked) == 1
    assert memory.doctor(thorough=True).ok
