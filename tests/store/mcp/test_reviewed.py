"""What agents add where their user reviews it, and what is counted of what they ask."""

from pathlib import Path

from memtui.store import Store
from memtui.store.context.uses import use_of

from .clients import connected, refusal, text_of, values


async def test_what_an_agent_adds_waits_and_it_cannot_accept_it(tmp_path: Path) -> None:
    path, config = tmp_path / "memory.db", tmp_path / "config.toml"
    config.write_text('[memory]\nreview = "agents"\n', "utf-8")
    with Store.open(path) as store:
        for fact in ("We use npm", "We use make"):
            store.facts.add(fact, kind="B", project="atlas")
    async with connected(path, environment={"MEMTUI_CONFIG": str(config)}) as client:
        assert "accept" not in {tool.name for tool in (await client.list_tools()).tools}
        add = {"project": "atlas", "text": "Retries are capped"}
        said = text_of(await client.call_tool("add", add | {"kind": "observation"}))
        assert "waits for the user's word" in said
        await values(client, "add", **add | {"kind": "fact"})
        await values(client, "add", **add | {"kind": "note", "path": "N.md"})
        assert "can't be written over" in await refusal(client, "add", **add, kind="note", path="N.md")
        again = {"kind": "fact", "project": "atlas", "text": "We use npm", "fact_kind": "biography"}
        assert "waits" not in text_of(await client.call_tool("add", again))
        new = await values(client, "supersede", id="f1", text="We use pnpm")
        assert new == {"id": "f1", "superseded_by": "f4", "changed": False}
        assert "decides which fact holds" in await refusal(client, "supersede", id="f1", by="f2")
        assert (await values(client, "search", query="retries"))["hits"] == []
        told = await client.call_tool("get", {"ids": ["1", "f3", "n1"]})
        assert text_of(told).count("waits for the user's word") == 3
        assert (await values(client, "context", project="atlas"))["refs"] == ["f2", "f1"]
    with Store.open(path) as store:
        assert {item.id for item in store.reviewing.waiting()} == {"1", "f3", "f4", "n1"}
        assert store.facts.get(1).superseded_by is None


async def test_what_is_listed_is_told_and_what_is_got_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        session = store.sessions.start("c-1", agent="codex", project="atlas")
        for number in range(3):
            store.observations.add(session, title=f"Clock drift {number}")
    async with connected(path, name="codex-mcp-client") as client:
        await values(client, "search", query="drift 1")
        await values(client, "get", ids=["2"])
        await values(client, "timeline", id="1")
    with Store.open(path) as store:
        uses = [use_of(store, store.record(ref)) for ref in ("1", "2", "3")]
    assert [(use.told, use.reads) for use in uses] == [(2, 0), (2, 1), (2, 0)]
    assert uses[1].agent == "codex"
