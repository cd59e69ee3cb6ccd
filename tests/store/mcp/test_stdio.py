"""The SDK's own client speaks to `mem mcp` as agents do: it lists, searches, reads and adds."""

from pathlib import Path
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import ListRootsResult, Root, TextContent, TextResourceContents

from memtui.store import Store
from memtui.store.mcp.tools import TOOLS
from tests.conftest import OpenStore
from tests.tables import table

from .clients import connected, refusal, text_of, values, wire

MODES = pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])


@pytest.fixture
def memory(tmp_path: Path, open_store: OpenStore) -> Path:
    """A memory with a few records of every kind."""
    path = tmp_path / "memory.db"
    with open_store(path) as store:
        session = store.sessions.start("c-1", agent="codex", project="atlas", title="Logins")
        store.observations.add(
            session, title="Clock drift broke logins", narrative="A leeway of 30 s", type="bugfix"
        )
        store.observations.add(session, title="Added a queue for mails", type="feature")
        hidden = store.observations.add(session, title="A secret drift")
        store.observations.set_private(hidden)
        store.observations.delete(store.observations.add(session, title="A deleted drift"))
        store.summaries.add(session, request="Login fails", completed="A leeway")
        store.facts.add("Tokens live 24 h", kind="W", project="atlas")
        store.notes.upsert("MEMORY.md", "# Memory of atlas", project="atlas")
    return path


@MODES
async def test_every_tool_says_what_it_takes_answers_and_does(memory: Path, mode: str) -> None:
    async with connected(memory, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert [*tools] == [*TOOLS]
    for tool in tools.values():
        assert tool.description and tool.input_schema["type"] == "object"
        assert tool.output_schema and tool.output_schema["type"] == "object"
        assert tool.annotations is not None and tool.annotations.open_world_hint is False
    reading = {name for name, tool in tools.items() if tool.annotations.read_only_hint}  # type: ignore[union-attr]
    assert tools.keys() - reading == {"add", "supersede", "report"}


@MODES
async def test_search_leads_to_get_and_to_add(memory: Path, mode: str) -> None:
    async with connected(memory, mode=mode) as client:
        found = await client.call_tool("search", {"query": "clock drift"})
        assert "1 bugfix" in text_of(found) and text_of(found).startswith("<memtui-data id=")
        assert found.structured_content is not None
        assert [hit["id"] for hit in found.structured_content["hits"]] == ["1"]
        got = await values(client, "get", ids=["1", "f1"])
        assert [one["id"] for one in got["records"]] == ["1", "f1"]
        around = await values(client, "timeline", id="1", before=1, after=1)
        assert around["rows"][0]["id"] == "1"
        added = await values(client, "add", kind="observation", text="Leeway is in seconds")
        again = await values(client, "get", ids=[added["id"]])
    assert again["records"][0]["title"] == "Leeway is in seconds"


async def test_search_puts_first_what_is_nearest_in_meaning(tmp_path: Path) -> None:
    with Store.open(tmp_path / "memory.db") as store:
        for done in ("Removing", "Painting"):
            store.observations.add(None, title=f"{done} the stale lock", narrative="Done at night.")
    off = tmp_path / "config.toml"
    off.write_text("[search]\nmeaning = false\n", "utf-8")
    found = []
    for environment in ({}, {"MEMTUI_CONFIG": str(off)}):
        async with connected(tmp_path / "memory.db", environment=environment) as client:
            found.append(await values(client, "search", query="erase stale things"))
    assert [[hit["id"] for hit in one["hits"]] for one in found] == [["1", "2"], ["2", "1"]]


async def test_what_is_added_belongs_to_the_agent_and_its_live_session(
    tmp_path: Path, memory: Path
) -> None:
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    with Store.open(memory) as store:
        live = store.sessions.start("c-live", agent="codex", project="work")
    async with connected(memory, name="codex-mcp-client", folder=work) as client:
        added = await values(client, "add", kind="observation", text="Found it")
        fact = await values(client, "add", kind="fact", text="We use pnpm")
    assert added["session"] == f"@{live.id}" == fact["session"]
    with Store.open(memory) as store:
        record = store.observations.get(added["id"])
        assert (record.session_id, record.project) == (live.id, "work")
        assert store.facts.get(fact["id"]).project == "work"
        made = store.db.execute("SELECT via, agent FROM changes ORDER BY id DESC LIMIT 1").get
    assert made == ("mcp add", "codex")


async def test_the_session_that_a_call_names_counts_before_the_newest(memory: Path) -> None:
    with Store.open(memory) as store:
        named = store.sessions.start("thread-0007", agent="codex", project="atlas")
        store.sessions.start("thread-0008", agent="codex", project="atlas")
    arguments = {"kind": "observation", "text": "Found it"}
    meta: Any = {"x-codex-turn-metadata": {"thread_id": "thread-0007", "turn_id": "t-1"}}
    async with connected(memory, name="codex-mcp-client") as client:
        added = await client.call_tool("add", arguments, meta=meta)
    assert added.structured_content is not None
    assert added.structured_content["session"] == f"@{named.id}"


async def test_the_session_in_the_agents_environment_counts_first(memory: Path) -> None:
    environment = {"CLAUDE_SESSION_ID": "claude-77", "CLAUDECODE": "1"}
    async with connected(memory, environment=environment) as client:
        added = await values(client, "add", kind="observation", text="Found it")
    with Store.open(memory) as store:
        session = store.sessions.get(store.observations.get(added["id"]).session_id)
    assert (session.agent, session.content_session_id) == ("claude-code", "claude-77")


async def test_a_client_that_tells_its_roots_works_there(tmp_path: Path, memory: Path) -> None:
    work = tmp_path / "rooted"
    (work / ".git").mkdir(parents=True)

    async def roots(_: object) -> ListRootsResult:
        return ListRootsResult(roots=[Root(uri=f"file://{work}")])  # type: ignore[arg-type]

    async with connected(memory, name="cursor-vscode", list_roots_callback=roots) as client:
        added = await values(client, "add", kind="observation", text="Found it")
    assert (added["agent"], added["project"]) == ("cursor", "rooted")


async def test_an_agent_without_a_session_gets_one_of_its_own(memory: Path) -> None:
    async with connected(memory, name="Some Editor") as client:
        added = await values(client, "add", kind="observation", text="Found it", project="atlas")
    with Store.open(memory) as store:
        session = store.sessions.get(store.observations.get(added["id"]).session_id)
    assert added["session"] == f"@{session.id}"
    assert (session.agent, session.project) == ("some-editor", "atlas")


async def test_secrets_and_private_parts_are_never_stored(memory: Path) -> None:
    key = "sk-ant-api03-" + "aB3" * 31 + "AA"
    async with connected(memory) as client:
        added = await values(
            client,
            "add",
            kind="observation",
            text="Deployed <private>to the bank</private>",
            details=f"with the key {key}",
        )
        told = await refusal(client, "add", kind="fact", text="<private>all of it</private>")
    assert "private parts" in told
    with Store.open(memory) as store:
        record = store.observations.get(added["id"])
    assert "bank" not in str(record) and key not in str(record)
    assert key.encode() not in memory.read_bytes()


async def test_reading_never_shows_what_is_hidden_unless_it_is_asked_for(memory: Path) -> None:
    async with connected(memory) as client:
        found = await values(client, "search", query="drift")
        got = await values(client, "get", ids=["3", "4"])
        asked = await values(client, "search", query="drift is:private")
        shown = await values(client, "get", ids=["3"], include_hidden=True)
        context = await client.call_tool("context", {"project": "atlas"})
    assert [hit["id"] for hit in found["hits"]] == ["1"]
    assert got["records"] == [] and len(got["missing"]) == 2
    assert "secret" not in str(got) + text_of(context)
    assert [hit["id"] for hit in asked["hits"]] == ["3"]
    assert shown["records"][0]["title"] == "A secret drift"


async def test_superseding_says_what_holds_now(memory: Path) -> None:
    async with connected(memory) as client:
        done = await values(client, "supersede", id="f1", text="Tokens live 12 h")
        both = await refusal(client, "supersede", id="f1")
        old = await values(client, "get", ids=["f1"])
    assert done == {"id": "f1", "superseded_by": "f2", "changed": True}
    assert "text" in both and "by" in both
    assert "f2" in old["records"][0]["superseded_by"]


async def test_a_report_is_kept_for_a_person_and_told_to_agents(memory: Path) -> None:
    async with connected(memory, name="codex-mcp-client") as client:
        done = await values(client, "report", id="1", verdict="wrong", reason="It was a proxy")
        got = await values(client, "get", ids=["1"])
        found = await values(client, "search", query="is:wrong")
        hidden = await refusal(client, "report", id="3", verdict="wrong")
    assert done == {"id": "1", "verdict": "wrong", "agent": "codex"}
    assert got["records"][0]["reported"] == ["wrong by codex: It was a proxy"]
    assert [hit["id"] for hit in found["hits"]] == ["1"]
    assert "private" in hidden


@MODES
async def test_resources_are_read_by_their_addresses(memory: Path, mode: str) -> None:
    async with connected(memory, mode=mode) as client:
        listed = [str(one.uri) for one in (await client.list_resources()).resources]
        templates = (await client.list_resource_templates()).resource_templates
        read = {}
        for uri in ("mem://newest", "mem://session/1", "mem://summary/1", "mem://note/1"):
            content = (await client.read_resource(uri)).contents[0]
            assert isinstance(content, TextResourceContents)
            read[uri] = content.text
        with pytest.raises(MCPError, match="There is no"):
            await client.read_resource("mem://memory/99")
        with pytest.raises(MCPError, match="private"):
            await client.read_resource("mem://memory/3")
    assert {"mem://newest", "mem://session/1", "mem://note/1"} <= set(listed)
    assert "mem://session/{id}" in [one.uri_template for one in templates]
    assert "Clock drift" in read["mem://newest"] and "secret" not in str(read)
    assert "Memory of atlas" in read["mem://note/1"]
    assert all("<memtui-data" in text for text in read.values())


@MODES
async def test_prompts_bring_what_the_memory_has(memory: Path, mode: str) -> None:
    async with connected(memory, mode=mode) as client:
        names = [one.name for one in (await client.list_prompts()).prompts]
        known = await client.get_prompt("what-is-known", {"topic": "clock drift"})
        brief = await client.get_prompt("hand-over", {"session": "@1"})
        with pytest.raises(MCPError, match="topic"):
            await client.get_prompt("what-is-known", {})
    assert names == ["what-is-known", "hand-over"]
    for prompt, expected in ((known, "1 bugfix"), (brief, "Login fails")):
        content = prompt.messages[0].content
        assert isinstance(content, TextContent) and expected in content.text


async def test_progress_is_told_to_whoever_asks(memory: Path) -> None:
    told: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append(progress)

    async with connected(memory) as client:
        await client.call_tool("search", {"query": "drift"}, progress_callback=note)
    assert told == [0, 1]


async def test_an_error_says_what_is_meant(memory: Path) -> None:
    async with connected(memory) as client:
        assert "query may be meant" in await refusal(client, "search", qery="drift")
        assert "has to be one of" in await refusal(client, "add", kind="thought", text="x")
        assert "one of observation, fact, note." in await refusal(client, "add", text="x")
        told = await refusal(client, "add", kind="observation", title="x")
        assert told == "There is no argument 'title'; it is called 'text' here."
        assert "There are ids" in await refusal(client, "get", ids=["1"], zzz="x")
        for name, asked in (("get", {"ids": ["99"]}), ("timeline", {"id": "99"})):
            result = await client.call_tool(name, asked)
            assert "`search` lists what there is." in text_of(result)
        given = await client.call_tool("context", {"project": "atlas"})
        assert "`search` finds more, `get` reads one" in text_of(given)
        assert "mem " not in text_of(given).splitlines()[1]
        assert "no fact" in (await refusal(client, "supersede", id="f99", text="x")).lower()
        found = await values(client, "search", query="typ:bugfix drift")
        assert "type:bugfix" in str(found["notes"])
        with pytest.raises(MCPError, match="There are search"):
            await client.call_tool("serch", {})


def test_a_memory_that_is_not_there_is_made_by_the_first_addition(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    with wire(path, "--structured") as server:
        told = server.call("search", {"query": "drift"})
        assert told["isError"] and "add" in told["content"][0]["text"]
        assert not path.exists()
        assert not server.call("add", {"kind": "observation", "text": "The first"})["isError"]
        assert server.call("search", {"query": "first"})["structuredContent"]["hits"]


def test_a_memory_that_is_moved_aside_is_read_no_more(memory: Path) -> None:
    with wire(memory, "--structured") as server:
        assert server.call("search", {"query": "drift"})["structuredContent"]["hits"]
        for path in list(memory.parent.glob("memory.db*")):
            path.rename(path.with_name(f"aside-{path.name}"))
        assert server.call("search", {"query": "drift"})["isError"]
        server.call("add", {"kind": "observation", "text": "The first of a new one"})
        found = server.call("search", {"query": "kind:observation"})["structuredContent"]["hits"]
    assert [hit["id"] for hit in found] == ["1"]


def test_nothing_is_locked_or_left_open_between_two_calls(memory: Path) -> None:
    with wire(memory, "--structured") as server:
        assert not server.call("search", {"query": "drift"})["isError"]
        with Store.open(memory, patience=0) as store:
            store.db.execute("BEGIN EXCLUSIVE")
            store.db.execute("ROLLBACK")
            assert store.db.wal_checkpoint(mode=3)[0] == 0


def test_a_client_that_is_killed_leaves_no_process_and_no_file(memory: Path) -> None:
    before = {path.name for path in memory.parent.iterdir()}
    with wire(memory, "--structured") as server:
        server.send("tools/call", name="search", arguments={"query": "drift"})
        assert server.process.stdin is not None and server.process.stdout is not None
        server.process.stdout.close()
        server.process.stdin.close()
        assert server.process.wait(30) == 0
    after = {path.name for path in memory.parent.iterdir()}
    assert after - before <= {"memory.db-spool"}


def test_agents_are_answered_one_fenced_text_and_no_values(memory: Path) -> None:
    with wire(memory) as server:
        listed = server.ask("tools/list")["result"]["tools"]
        assert not any("outputSchema" in tool for tool in listed)
        loaded = [tool["name"] for tool in listed if tool.get("_meta")]
        result = server.call("search", {"query": "clock drift"})
    assert loaded == ["search"]
    assert "structuredContent" not in result
    (content,) = result["content"]
    assert content["text"].startswith("<memtui-data id=")


@pytest.mark.long
@table(
    ("tool", "arguments"),
    [
        ("search", {"query": "clock", "limit": "2"}),
        ("search", {"query": "clock", "limit": 2.0}),
        ("search", {"query": "clock", "facets": "True"}),
        ("get", {"ids": [1, 1]}),
        ("get", {"ids": [1.0]}),
        ("get", {"ids": "1"}),
        ("get", {"ids": 1}),
        ("get", {"ids": "1, f1"}),
        ("get", {"ids": '["1", "f1"]', "fields": "title,facts"}),
        ("get", {"ids": "[mem 1: its title, cut]"}),
        ("timeline", {"id": 1, "scope": "ALL"}),
        ("add", {"kind": "Fact", "text": "Tokens live a day", "entities": "token"}),
    ],
)
def test_arguments_are_taken_where_it_is_plain_what_is_meant(
    memory: Path, tool: str, arguments: dict[str, Any]
) -> None:
    with wire(memory) as server:
        result = server.call(tool, arguments)
    assert not result["isError"], result


@table(
    ("tool", "arguments"),
    [
        ("search", {"query": "clock", "limit": "two"}),
        ("search", {"query": "clock", "limit": 2.5}),
        ("search", {"query": "clock", "limit": True}),
        ("search", {"query": ["clock"]}),
        ("get", {"ids": ""}),
        ("get", {"ids": [["1"]]}),
        ("add", {"kind": "thought", "text": "x"}),
    ],
)
def test_arguments_that_could_mean_anything_are_refused(
    memory: Path, tool: str, arguments: dict[str, Any]
) -> None:
    with wire(memory) as server:
        assert server.call(tool, arguments)["isError"]
