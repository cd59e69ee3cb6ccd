"""A canary in every field of every kind, hidden in every way: nothing that is asked shows it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import apsw
import pytest

from memtui.store import Store
from tests.promises import promise

CANARY = "ᚠᚢᚦ"
TAGGED = f"<private>{CANARY}</private>"

KINDS = ("observations", "prompts", "summaries", "facts", "notes")

Write = Callable[..., object]


def writes(store: Store, text: str) -> dict[str, Write]:
    """How to add one record of each kind with a text in all of its fields."""
    lists, session = [text, f"a {text}"], "c-1"
    return {
        "observations": lambda **flags: store.observations.add(
            session,
            title=text,
            type=text,
            subtitle=text,
            narrative=text,
            text=text,
            facts=lists,
            concepts=lists,
            files_read=lists,
            files_modified=lists,
            tags=lists,
            tool_name=text,
            extra=f'{{"key": ["{text}"]}}',
            **flags,
        ),
        "prompts": lambda **flags: store.prompts.add(session, text, extra=f'"{text}"', **flags),
        "summaries": lambda **flags: store.summaries.add(
            session,
            request=text,
            investigated=text,
            learned=text,
            completed=text,
            next_steps=text,
            notes=text,
            text=text,
            files_read=lists,
            files_edited=lists,
            **flags,
        ),
        "facts": lambda **flags: store.facts.add(
            f"it is {text}", entities=lists, evidence=lists, sources=lists, **flags
        ),
        "notes": lambda **flags: store.notes.upsert("MEMORY.md", text, **flags),
    }


def everything_shown(store: Store) -> Iterator[object]:
    """All that the store shows of itself without being asked for what is hidden."""
    for query in ("", CANARY, CANARY[0], f'"{CANARY[1:]}"', "open", "kind:observation", f"-{CANARY}"):
        yield store.find(query).page(related=True).hits
        yield store.find(query).rows(0, 99)
        yield store.find(query).page(0, 99).hits
        yield store.find(query).facets()
    for name in ("concept", "tag", "file", "entity", "type", "tool"):
        yield store.find(f"{name}:{CANARY}").rows(0, 99)
    yield store.projects()
    yield store.stats()
    yield store.sessions.list()
    for table in (store.observations, store.prompts, store.summaries):
        yield table.recent()
        yield table.of_session(store.sessions.get("c-1"))
    yield store.summaries.latest()
    yield store.facts.list()
    yield store.notes.list()
    yield store.timeline(store.record("1"), minutes=10**9, scope="all")
    yield store.timeline(0, minutes=10**9)
    yield store.doctor(thorough=True)


def assert_unseen(store: Store) -> None:
    for shown in everything_shown(store):
        assert CANARY[0] not in repr(shown)


OWN = {"facts": {"facts", "fact_sources"}}
"""Where a record itself lies, unless that is one table: who told a fact is a part of it."""


def tables_with_canary(store: Store) -> set[str]:
    """The tables of the file, the indexes' own too, that hold a byte of the canary."""
    found = set()
    with closing(apsw.Connection(str(store.path))) as db:
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%fts5vocab%'"
        for (table,) in db.execute(tables).fetchall():
            for row in db.execute(f"SELECT * FROM {table}"):
                if any(CANARY[0].encode() in as_bytes(value) for value in row):
                    found.add(str(table))
    return found


def as_bytes(value: Any) -> bytes:
    """A column's value as the file holds it, near enough."""
    return value if isinstance(value, bytes) else str(value).encode()


@pytest.fixture
def opened(store: Store) -> Store:
    """A store with a visible memory and a session for the others."""
    store.observations.add("c-1", title="open", at=1_000)
    return store


@promise("private-never-findable")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_stored_as_private_is_in_no_index_and_no_answer(opened: Store, kind: str) -> None:
    writes(opened, CANARY)[kind](private=True)
    assert_unseen(opened)
    assert tables_with_canary(opened) == OWN.get(kind, {kind})
    opened.rebuild()
    assert_unseen(opened)
    assert tables_with_canary(opened) == OWN.get(kind, {kind})


@promise("private-never-findable")
def test_what_its_writer_marked_as_private_is_nowhere_in_the_file(opened: Store) -> None:
    for write in writes(opened, TAGGED).values():
        write()
    opened.sessions.start("c-2", project=f"p{TAGGED}", title=TAGGED, first_prompt=TAGGED)
    opened.pending.add("c-1", tool_input=TAGGED, last_user_message=TAGGED, error=TAGGED)
    assert_unseen(opened)
    assert tables_with_canary(opened) == set()
    opened.close()
    assert CANARY[0].encode() not in opened.path.read_bytes()


@promise("private-never-findable")
@pytest.mark.parametrize("hide", ["set_private", "delete"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.sampled
def test_what_is_hidden_later_is_in_no_answer(opened: Store, kind: str, hide: str) -> None:
    record = writes(opened, CANARY)[kind]()
    getattr(getattr(opened, kind), hide)(record)
    assert_unseen(opened)
    indexes = {"documents", "label_names", "label_uses", "unindexed"} | {
        *("document_counts", "span_counts", "value_counts", "fact_counts")
    }
    assert not tables_with_canary(opened) & indexes
    opened.rebuild()
    assert tables_with_canary(opened) <= OWN.get(kind, {kind}) | {"changes"}
    assert_unseen(opened)


@promise("private-never-findable")
def test_what_another_program_hides_is_in_no_answer(opened: Store) -> None:
    for write in writes(opened, CANARY).values():
        write()
    with closing(apsw.Connection(str(opened.path))) as other:
        for kind in KINDS:
            other.execute(f"UPDATE {kind} SET private = 1 WHERE created_at > 1000")
    assert_unseen(opened)
    with Store.open(opened.path, read_only=True) as reader:
        assert_unseen(reader)
