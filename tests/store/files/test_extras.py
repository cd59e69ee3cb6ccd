"""What is told at a start beside files: as the last session here tells it, else as it is declared; how
often each was used, and what stands twice."""

import json
from collections import Counter
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.files.agent_files import slug
from memtui.store.leaves.files.extras import context_tokens, doubled_extras, extras, uses_of
from memtui.store.leaves.files.overview import start_costs
from memtui.store.tables.families import uses_in

from .conftest import Tree

SKILL = "---\nname: {}\ndescription: Writes commits\n---\nLong text that isn't told at a start.\n"
SKILLS = "- commit: Writes commits\n  in two lines\n- shop:commit: The same\n- ship"
LISTED = (
    {"type": "skill_listing", "content": SKILLS},
    {"type": "agent_listing_delta", "addedLines": ["- looker: Looks around (Tools: Read)"]},
    {"type": "deferred_tools_delta", "addedNames": ["WebFetch", "mcp__pen__draw", "mcp__pen__erase", 7]},
    {"type": "mcp_instructions_delta", "addedNames": ["pen"], "addedBlocks": ["## pen\nDraw with it."]},
    {"type": "task_reminder", "content": "- nothing: of it"},
)  # fmt: skip


def told_in(tree: Tree, *attachments: object) -> Path:
    lines = [json.dumps({"type": "attachment", "attachment": item}) for item in attachments]
    name = f"home/.claude/projects/{slug(tree.shop)}/a.jsonl"
    return tree.write(name, "\n".join(["{torn attachment", "[]", *lines]))


def test_what_is_declared_is_told_by_its_front_matter(tree: Tree) -> None:
    tree.write("home/.claude/skills/commit/SKILL.md", SKILL.format("commit"))
    tree.write("shop/.claude/skills/commit/SKILL.md", SKILL.format("commit"))
    tree.write("shop/.claude/agents/deep/looker.md", "---\ndescription: Looks\n---\n")
    tree.write("shop/.claude/commands/ship.md", "Ship it")
    tree.write("shop/.claude/skills/odd/SKILL.md", "---\n- no mapping\n---\n")
    found = extras(tree.here, tree.shop, {("skill", "commit"): 3, ("command", "ship"): 2})
    assert [(item.kind, item.name, item.used) for item in found] == [
        ("skill", "commit", 3), ("skill", "odd", 0), ("agent", "looker", 0), ("command", "ship", 2),
    ]  # fmt: skip
    assert 0 < found[0].tokens < 15
    [[double]] = doubled_extras(found)
    assert [path.parts[-5] for path in double.places] == ["home", "shop"]


def test_the_last_session_here_tells_what_it_was_told(tree: Tree) -> None:
    tree.write("shop/.claude/commands/ship.md", "Ship it")
    tree.write("shop/.claude/skills/gone/SKILL.md", SKILL.format("gone"))
    told_in(tree, *LISTED)
    found = extras(tree.here, tree.shop, {("mcp", "pen"): 4})
    assert [(item.kind, item.name) for item in found] == [
        ("skill", "commit"), ("skill", "shop:commit"), ("agent", "looker"), ("command", "ship"),
        ("mcp", "pen"),
    ]  # fmt: skip
    assert found[-1].used == 4 and found[-1].tokens > found[-2].tokens
    assert [[item.name for item in same] for same in doubled_extras(found)] == [["commit", "shop:commit"]]


def test_a_session_that_tells_nothing_hides_nothing(tree: Tree) -> None:
    tree.write("shop/.claude/skills/commit/SKILL.md", SKILL.format("commit"))
    told_in(tree, {"type": "task_reminder"}, {"type": "skill_listing", "content": None}, "text")
    assert [item.name for item in extras(tree.here, tree.shop, {})] == ["commit"]


def test_uses_are_counted_by_skill_server_and_command(tmp_path: Path) -> None:
    with Store.open(tmp_path / "m.db") as store:
        for title in ("Used the skill commit", "Used the skill commit (2)", "Read a file",
                      "Used the skill shop:commit: all of it: now"):  # fmt: skip
            store.observations.add("c-1", title=title, tool_name="Skill", type="discovery")
        for tool in ("mcp__pen__draw", "mcp__pen__erase", "Bash"):
            store.observations.add("c-1", title="x", tool_name=tool, type="discovery")
        store.observations.add("c-1", title="x", tool_name="mcp__ink__draw", private=True)
        for title in ("Delegated to shop:looker: look: here", "Delegated: count", "Told b: go"):
            store.observations.add("c-1", title=title, tool_name="Task", type="discovery")
        for text in ("/ship now", "/ship", "ship /it"):
            store.prompts.add("c-1", text)
        uses = uses_of(uses_in(store.db))
    assert uses == {
        ("skill", "commit"): 2, ("skill", "shop:commit"): 1, ("mcp", "pen"): 2, ("command", "ship"): 2,
        ("agent", "shop:looker"): 1, ("agent", ""): 1,
    }  # fmt: skip


def test_costs_have_what_is_beside_files_and_rules_that_stand_twice(tree: Tree) -> None:
    rule = "Never push to main without a review."
    tree.write("home/.claude/CLAUDE.md", f"# Rules\n- {rule}\n- Be brief\n")
    tree.write("shop/CLAUDE.md", f"* {rule}\n- Be brief\n")
    tree.write("shop/AGENTS.md", rule)
    told_in(tree, *LISTED)
    claude, codex = start_costs(
        tree.here,
        tree.shop,
        ("claude-code", "codex"),
        Counter({"claude-code": 2}),
        Counter({"claude-code": 5}),
    )
    [double] = claude.doubled
    assert double.text == rule and {path.parent.name for path in double.paths} == {".claude", "shop"}
    assert claude.beside == sum(item.tokens for item in claude.extras) > 0
    assert claude.total == claude.tokens * 7 + claude.beside * 2
    assert codex.extras == ()


TABLES = """<local-command-stdout>## Context Usage

**Tokens:** 38.4k / 200k (19%)

### Estimated usage by category

| Category | Tokens | Percentage |
|----------|--------|------------|
| System prompt | 7.4k | 3.7% |
| System tools | 15,100 | 7.5% |
| System tools (deferred) | 16.3k | 8.1% |
| Skills | 1.3k | 0.1% |

### MCP Tools

| Tool | Server | Tokens |
|------|--------|--------|
| mcp__pen__draw | pen | 1.2k |
| mcp__pen__erase | pen | ~300 |

### Custom Agents

| Agent Type | Source | Tokens |
|------------|--------|--------|
| shop:looker | Plugin | 34 |

### Memory Files

| Type | Path | Tokens |
|------|------|--------|
| Project | /srv/CLAUDE.md | 640 |

### Skills

| Skill | Source | Tokens |
|-------|--------|--------|
| commit | User | < 50 |
| ship | Project | 21 |
</local-command-stdout>"""
GRID = (
    "<local-command-stdout>\x1b[1mContext Usage\x1b[22m\n"
    "\x1b[38;2;1;2;3m⛁ ⛁ ⛶ \x1b[39m  opus · 11.7k/1m tokens (1%)\n"
    "⛶ ⛶ ⛶   \x1b[38;2;1;2;3m⛁\x1b[39m System prompt: \x1b[2m7.4k tokens\x1b[22m \n"
    "     (1.0%)\n"
    "⛶ ⛶ ⛶   ⛁ System tools: 15.1k tokens (7.5%)\n"
    "          ⛁ Skills: 71 tokens (0.0%)\n"
    "\n     MCP tools · /mcp\n     └ mcp__pen__draw (pen): 1.2k tokens\n"
    "     └ mcp__pen__erase (pen): 300 tokens\n"
    "\n     Custom agents · /agents\n     Plugin\n     └ shop:looker: 34 tokens\n"
    "\n     Memory files · /memory\n     └ CLAUDE.md: 640 tokens\n"
    "\n     Skills · /skills\n     User\n     ├ commit: 50 tokens\n     └ ship · 21 tokens\n"
    "</local-command-stdout>"
)
COUNTED = {
    ("system", "System prompt"): 7400, ("system", "System tools"): 15100, ("mcp", "pen"): 1500,
    ("agent", "shop:looker"): 34, ("skill", "commit"): 50, ("skill", "ship"): 21,
}  # fmt: skip


@pytest.mark.parametrize("text", [TABLES, GRID])
def test_what_the_agent_counted_itself_is_read_in_both_of_its_forms(text: str) -> None:
    assert context_tokens(json.dumps({"type": "system", "content": text})) == COUNTED
    assert context_tokens(json.dumps({"type": "user", "message": {"content": text}})) == COUNTED


NO_NUMBER = json.dumps({"content": f"System prompt: {'9' * 400}k tokens"})


@pytest.mark.parametrize("line", [NO_NUMBER, "{torn", "[]", "{}", '{"message": 7}', '{"content": [1]}'])
def test_a_line_that_is_no_such_report_counts_nothing(line: str) -> None:
    assert context_tokens(line) == {}


def test_the_agents_own_count_comes_before_estimates(tree: Tree) -> None:
    tree.write("shop/.claude/commands/ship.md", "Ship it")
    path = told_in(tree, *LISTED)
    lines = [{"type": "user", "message": {"content": text}} for text in (GRID, "quotes ## Context Usage")]
    path.write_text("\n".join((path.read_text(), *map(json.dumps, lines))))
    found = {
        (item.kind, item.name): item for item in extras(tree.here, tree.shop, {("agent", "looker"): 1})
    }
    assert found["mcp", "pen"].tokens == 1500 and found["system", "System tools"].tokens == 15100
    assert found["command", "ship"].tokens == 21 and ("skill", "ship") not in found
    assert found["agent", "looker"].used == 1 and found["agent", "shop:looker"].used == 0
    assert found["system", "System prompt"].used is None
