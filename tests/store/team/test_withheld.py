"""What agents are not told of teammates: by tools that write, by what leads there, by searches."""

from collections.abc import Mapping
from typing import Any

import pytest

from memtui.store import NotFoundError, Store
from memtui.store.context.compact.hits import search_lines
from memtui.store.context.compact.record import records
from memtui.store.context.compact.timeline import session_lines, session_rows, window_rows
from memtui.store.leaves.handoff.brief import handoff_of_session
from memtui.store.leaves.team.membership import tell_agents
from memtui.store.leaves.team.sharing import Sharing
from memtui.store.mcp.client import Client
from memtui.store.mcp.memory import Memory
from memtui.store.mcp.resources import listed
from memtui.store.mcp.tools import TOOLS
from memtui.store.mcp.tools.tool import ToolCall
from memtui.store.records.rows import FactSource

from .colleagues import Colleagues, share, sync


@pytest.fixture
def pair(team: Colleagues) -> tuple[Store, Store]:
    """Ada and Bob, who have the same facts: the first is Ada's, the second Bob's."""
    ada, bob = team.invite("ada"), team.invite("bob")
    for store, said in ((ada, "the gateway is redis"), (bob, "the queue is ours")):
        store.facts.add(said, project="atlas")
        share(store)
        sync(store)
    sync(ada)
    return ada, bob


def ref(store: Store, text: str) -> str:
    """The id of the fact that says so."""
    return f"f{store.db.execute('SELECT id FROM facts WHERE content = ?', (text,)).get}"


def call(store: Store, tool: str, **arguments: Any) -> Mapping[str, Any]:
    """What an agent is answered by a tool."""
    memory = Memory(store.path)
    try:
        return TOOLS[tool].run(ToolCall(Client("codex"), memory), arguments).values
    finally:
        memory.close()


def test_an_agent_changes_nothing_that_it_is_not_told(pair: tuple[Store, Store]) -> None:
    ada, bob = pair
    plan = ada.notes.upsert("PLAN.md", "first redis", project="atlas")
    Sharing(ada).choose([plan.uid], "project")
    sync(ada)
    sync(bob)
    theirs, own = ref(bob, "the gateway is redis"), ref(bob, "the queue is ours")
    for tool, arguments in (
        ("supersede", {"id": theirs, "text": "the gateway is ours"}),
        ("supersede", {"id": own, "by": theirs}),
        ("report", {"id": theirs, "verdict": "wrong"}),
        ("add", {"kind": "fact", "text": "so it is", "project": "atlas", "evidence": [theirs]}),
        ("add", {"kind": "note", "text": "x", "path": "ada/PLAN.md", "project": "atlas"}),
    ):
        with pytest.raises(NotFoundError, match="a teammate's"):
            call(bob, tool, **arguments)
    assert [(note.path, note.text) for note in bob.notes.list()] == [("ada/PLAN.md", "first redis")]
    tell_agents(bob, "all")
    assert call(bob, "supersede", id=theirs, text="the gateway is ours")["changed"]


def test_a_fact_leads_to_no_fact_that_agents_are_not_told(pair: tuple[Store, Store]) -> None:
    ada, bob = pair
    ada.superseding.supersede_by_text(ada.facts.get(ref(ada, "the queue is ours")), "it is kafka")
    sync(ada)
    sync(bob)
    own = ref(bob, "the queue is ours")
    tell_agents(bob, "off")
    text = records(bob, [own]).text
    assert "kafka" not in text
    tell_agents(bob, "all")
    assert "(by ada) it is kafka" in records(bob, [own]).text


@pytest.fixture
def crowded(team: Colleagues) -> Store:
    """Bob's store: one older memory of walruses, and six newer ones of Ada's."""
    ada, bob = team.invite("ada"), team.invite("bob")
    bob.observations.add("mine", title="walrus of bob", project="atlas", at=1_700_000_000_000)
    for number in range(6):
        ada.observations.add("s", title=f"walrus zebra {number}", project="atlas", type="riddle")
    share(ada)
    sync(ada)
    sync(bob)
    return bob


@pytest.mark.parametrize("query", ["walrus", "project:atlas", "walrus sort:recent"])
def test_a_page_is_filled_with_what_agents_are_told(crowded: Store, query: str) -> None:
    page = search_lines(crowded, query, limit=2, facets=True)
    assert [hit.title for hit in page.hits] == ["walrus of bob"]
    assert page.cursor is None and page.total == "1"
    assert page.facets is not None and "riddle" not in dict(page.facets["type"])
    assert "ada" not in dict(page.facets.get("author", ()))
    tell_agents(crowded, "all")
    assert len(search_lines(crowded, query, limit=7).hits) == 7


def test_a_window_of_time_counts_what_agents_are_told(crowded: Store) -> None:
    window = window_rows(crowded, "2023-01-01", limit=2)
    assert len(window.rows) == 1 and window.left_out == 0


@pytest.mark.parametrize("query", ["zebrq", "author:adq walrus", "type:riddlee"])
def test_no_word_is_suggested_that_agents_are_not_told(crowded: Store, query: str) -> None:
    notes = " ".join(search_lines(crowded, query).notes)
    assert "zebra" not in notes and "ada" not in notes and "riddle " not in notes
    tell_agents(crowded, "all")
    assert search_lines(crowded, query).notes


def test_resources_name_no_session_that_agents_are_not_told(crowded: Store) -> None:
    memory = Memory(crowded.path)
    try:
        before = listed(memory)
        tell_agents(crowded, "all")
        assert len(listed(memory)) == len(before) + 1
    finally:
        memory.close()


def test_a_session_of_ones_own_is_called_nothing_that_a_teammate_said(team: Colleagues) -> None:
    ada, bob = team.invite("ada"), team.invite("bob")
    for name in ("one", "two"):
        session = ada.sessions.start(name, project="atlas", agent="codex")
        ada.observations.add(session, title="walrus", project="atlas")
    share(ada)
    sync(ada)
    sync(bob)
    bob.sessions.rename(bob.sessions.get("ada/one"), "zebra")
    bob.summaries.add(bob.sessions.get("ada/two"), request="zebra")
    share(bob)
    for store in (bob, ada):
        sync(store)
    texts = [
        session_lines(ada).text,
        session_rows(ada, "two").text,
        handoff_of_session(ada, ada.sessions.get("one")).text,
    ]
    assert "zebra" not in " ".join(texts)
    tell_agents(ada, "all")
    assert session_lines(ada).text.count("zebra") == 2


def test_what_a_teammate_adds_to_a_fact_or_a_session_is_not_told_as_ones_own(
    pair: tuple[Store, Store],
) -> None:
    ada, bob = pair
    said = "the gateway is redis"
    ada.sessions.start("one", project="atlas", agent="codex")
    ada.observations.add("one", title="walrus", project="atlas")
    sync(ada)
    sync(bob)
    telling = FactSource("t", "claude", "m-1", told_at=1, confidence=1, entities=("zebra",))
    bob.facts.sources.upsert(bob.facts.get(ref(bob, said)).id, telling)
    bob.prompts.add(bob.sessions.get("ada/one"), "zebra")
    share(bob, "atlas", "facts", "prompts")
    sync(bob)
    assert sync(ada).refused == ()
    assert len(ada.facts.sources_of(ada.facts.get(ref(ada, said)))) == 2
    assert ada.db.execute("SELECT count(*) FROM prompts").get == 1
    assert "zebra" not in records(ada, [ref(ada, said), "@1"]).text
