"""Observations are stored whole, once an event, and found again by id, in order."""

from contextlib import closing

import apsw
import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store


def test_an_observation_keeps_all_it_was_given(store: Store) -> None:
    added = store.observations.add(
        "c-1",
        title="Fixed token refresh",
        type="bugfix",
        subtitle="clock drift",
        narrative="The client's clock was used.",
        text="raw",
        facts=["TTL is 24 h", "", "NTP was off"],
        concepts=["auth"],
        files_read=["src/a.py"],
        files_modified=["src/b.py"],
        tags=["urgent"],
        tool_name="Edit",
        project="atlas",
        agent="codex",
        prompt_number=3,
        discovery_tokens=1_200,
        event_id="e-1",
        content_hash="h",
        at=1_700_000_000_000,
        pinned=True,
        source="test",
        native_id="n-1",
        extra='{"keep": 1}',
    )
    assert store.observations.get(added.id) == added
    assert added.facts == ("TTL is 24 h", "NTP was off")
    assert (added.type, added.project, added.created_at) == ("bugfix", "atlas", 1_700_000_000_000)
    assert (added.pinned, added.private, added.extra) == (True, False, '{"keep": 1}')
    assert added.updated_at > added.created_at
    assert store.sessions.get(added.session_id).agent == "codex"


def test_an_observation_goes_to_its_session_or_the_manual_one(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    for owner in (session, session.id, "c-1", "@1"):
        assert store.observations.add(owner, title="t").session_id == session.id
    manual = store.observations.add(None, title="t", project="orders")
    assert store.sessions.get(manual.session_id).content_session_id == "manual-orders"


def test_the_project_is_the_sessions_unless_it_is_given(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    assert store.observations.add(session, title="t").project == "atlas"
    assert store.observations.add(session, title="t", project="orders").project == "orders"
    assert store.observations.add(session, title="t", project="").project == ""


def test_the_same_event_twice_is_one_observation(store: Store) -> None:
    first = store.observations.add("c-1", title="first", event_id="e-1")
    again = store.observations.add("c-2", title="second", event_id="e-1")
    assert again == first
    assert store.stats().observations == 1
    assert store.sessions.count() == 1


def test_without_an_event_id_nothing_is_the_same(store: Store) -> None:
    ids = {store.observations.add("c-1", title="t").id for _ in range(3)}
    assert len(ids) == 3


def test_what_a_source_gave_once_is_refused_twice(store: Store) -> None:
    store.observations.add("c-1", title="t", source="s", native_id="1")
    with pytest.raises(InvalidRecordError, match="rule of its table"):
        store.observations.add("c-1", title="t", source="s", native_id="1")
    assert store.stats().observations == 1


@pytest.mark.parametrize("ref", ["99", "nobody", "p1", "", "9" * 40, "\ud800"])
def test_an_unknown_observation_is_not_found(store: Store, ref: str) -> None:
    store.observations.add("c-1", title="t")
    with pytest.raises(NotFoundError):
        store.observations.get(ref)
    with pytest.raises(NotFoundError):
        store.record(ref)


def test_any_record_is_found_by_its_letter_or_uid(store: Store) -> None:
    observation = store.observations.add("c-1", title="t")
    prompt = store.prompts.add("c-1", "t")
    summary = store.summaries.add("c-1", request="t")
    fact = store.facts.add("t")
    assert [store.record(ref) for ref in ("1", "p1", "s1", "f1")] == [observation, prompt, summary, fact]
    assert [store.record(one.uid) for one in (observation, prompt, summary, fact)] == [
        observation,
        prompt,
        summary,
        fact,
    ]
    assert store.record_of(store.list_row(fact)) == fact


def test_by_ids_keeps_the_order_that_was_given(store: Store) -> None:
    for number in range(1, 5):
        store.observations.add("c-1", title=f"t{number}")
    assert [one.id for one in store.observations.by_ids([3, 99, 1, 4])] == [3, 1, 4]


def test_recent_ones_and_those_of_a_session_are_visible_and_in_order(store: Store) -> None:
    old = store.observations.add("c-1", title="old", project="atlas", at=1_000)
    new = store.observations.add("c-1", title="new", project="atlas", at=2_000)
    store.observations.delete(store.observations.add("c-1", title="gone", at=3_000))
    assert store.observations.recent() == [new, old]
    assert store.observations.recent("atlas", limit=1) == [new]
    assert store.observations.recent("nothing") == []
    assert store.observations.of_session(store.sessions.get("c-1")) == [old, new]


def test_one_text_is_not_taken_for_a_list(store: Store) -> None:
    with pytest.raises(InvalidRecordError, match="list of texts"):
        store.observations.add("c-1", title="t", facts="not a list")
    assert store.sessions.count() == 0


def test_extra_has_to_be_json(store: Store) -> None:
    with pytest.raises(InvalidRecordError, match="not JSON"):
        store.observations.add("c-1", title="t", extra="{")


def test_an_error_in_a_unit_takes_all_of_it_back(store: Store) -> None:
    with pytest.raises(InvalidRecordError), store.transaction():
        store.observations.add("c-1", title="first")
        store.observations.add("c-1", title="t", facts="not a list")
    assert store.stats().observations == 0
    store.observations.add("c-1", title="after")
    assert [one.title for one in store.observations.recent()] == ["after"]


def test_a_unit_inside_a_unit_belongs_to_it(store: Store) -> None:
    with store.transaction():
        store.observations.add("c-1", title="one")
        with store.transaction():
            store.observations.add("c-1", title="two")
        assert len(store.find("one OR two").page().hits) == 2
    assert len(store.find("one OR two").page().hits) == 2


@pytest.mark.parametrize(
    ("written", "read", "query"),
    [
        ('["a", 5, null, {"b": ["c"]}]', ("a", "5", "null", '{"b": ["c"]}'), "null"),
        ('"alone"', ("alone",), "alone"),
        (r'["cut \ud83d"]', ("cut \ufffd",), "cut"),
    ],
)
def test_lists_that_another_program_wrote_otherwise_are_read(
    store: Store, written: str, read: tuple[str, ...], query: str
) -> None:
    store.observations.add("c-1", title="t", facts=["was"])
    with closing(apsw.Connection(str(store.path))) as other:
        other.execute("UPDATE observations SET facts = ?", (written,))
    assert store.observations.get(1).facts == read
    assert [hit.row.record_id for hit in store.find(query).page().hits] == [1]
