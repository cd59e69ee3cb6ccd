"""The MCP memory server's file, mem0's exports, beads' issues and basic-memory's folder."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.maintain.importing import run, source_of
from memtui.store.platform.errors import SourceError

GRAPH = (
    {"type": "entity", "name": "Ann", "entityType": "person", "observations": ["speaks 中文"]},
    {"type": "entity", "name": "atlas", "entityType": "project", "observations": []},
    {"type": "relation", "from": "Ann", "to": "atlas", "relationType": "maintains"},
)
REMEMBERED = {
    "results": [
        {"id": "m1", "memory": "Likes tea", "user_id": "ann", "created_at": "2026-02-02T02:40:00Z"},
        {"id": "m2", "memory": "Likes coffee", "state": "deleted"},
    ]
}
ISSUES = (
    {"id": "at-1", "title": "Clock drifts", "status": "closed", "issue_type": "bug"}
    | {"description": "by two minutes", "close_reason": "uses NTP now", "labels": ["time"]}
    | {"created_at": "2026-02-02T02:40:00Z"},
    {"id": "at-2", "title": "Retry", "status": "open", "issue_type": "task"}
    | {"dependencies": [{"type": "blocks", "depends_on_id": "at-1"}]},
)


PAGE = """---
title: Coffee
type: guide
permalink: drinks/coffee
tags: [drinks]
created: 2026-02-02T00:00:00Z
---
# Coffee

- [method] 205°F extracts best #brewing (measured)
- [ ] buy a scale
- [a link](https://example.org)
- grows_in [[Ethiopia]]
- "pairs well with" [[Dark Chocolate]] (bitter)

```
- [fenced] is no observation
```
"""


def write(path: Path, values: Iterable[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def contents(store: Store) -> set[str]:
    return {fact.content for fact in store.facts.where("deleted_at IS NULL")}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    return write(tmp_path / "mcp" / "memory.jsonl", GRAPH)


def test_observations_and_relations_become_facts_of_their_entities(store: Store, graph: Path) -> None:
    assert source_of(graph) == source_of(graph.parent) == "mcp-memory"
    report = run(store, "mcp-memory", graph.parent, None)
    assert contents(store) == {"Ann: speaks 中文", "atlas: project", "Ann maintains atlas"}
    [fact] = store.facts.where("content = 'Ann maintains atlas'")
    assert set(fact.entities) == {"Ann", "atlas"}
    assert store.find("maintains").page().hits
    assert store.find("中文").page().hits
    assert not report.warnings


def test_again_brings_in_what_is_new_and_marks_what_is_gone(store: Store, graph: Path) -> None:
    run(store, "mcp-memory", graph, None)
    again = run(store, "mcp-memory", graph, None).of("facts")
    assert (again.new, again.changed, again.unchanged) == (0, 0, 3)
    [before] = store.facts.where("content = 'Ann: speaks 中文'")
    write(graph, [GRAPH[0] | {"observations": ["speaks 中文", "has a dog"]}])
    report = run(store, "mcp-memory", graph, None).of("facts")
    assert (report.new, report.unchanged, report.vanished) == (1, 1, 2)
    [after] = store.facts.where("content = 'Ann: speaks 中文'")
    assert after == before


def test_what_mem0_remembers_becomes_facts_and_what_it_deleted_stays_deleted(
    store: Store, tmp_path: Path
) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps(REMEMBERED), encoding="utf-8")
    assert source_of(path) == "mem0"
    run(store, "mem0", path, None)
    assert contents(store) == {"Likes tea"}
    [tea] = store.facts.where("content = 'Likes tea'")
    assert tea.created_at == 1_770_000_000_000
    assert not store.find("coffee").page().hits


def test_an_issue_becomes_an_observation_with_how_it_ended(store: Store, tmp_path: Path) -> None:
    write(tmp_path / ".beads" / "issues.jsonl", ISSUES)
    assert source_of(tmp_path) == "beads"
    run(store, "beads", tmp_path, None)
    session = store.sessions.get("beads")
    bug, task = sorted(store.observations.of_session(session), key=lambda one: one.type)
    assert (bug.type, bug.title, bug.concepts) == ("bug", "at-1: Clock drifts", ("time",))
    assert bug.narrative is not None
    assert "by two minutes" in bug.narrative
    assert "Closed: uses NTP now" in bug.narrative
    assert task.narrative is not None
    assert "blocks at-1" in task.narrative
    assert store.find("NTP").page().hits


def test_a_page_becomes_an_observation_and_what_it_states_facts(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "drinks").mkdir(parents=True)
    page = folder / "drinks" / "coffee.md"
    page.write_text(PAGE, encoding="utf-8")
    (folder / "plain.md").write_text("# Plain\n\nno front matter", encoding="utf-8")
    assert source_of(folder) == "basic-memory"
    report = run(store, "basic-memory", folder, None)
    assert not report.warnings
    assert contents(store) == {
        "Coffee: 205°F extracts best #brewing (measured)",
        "Coffee grows_in Ethiopia",
        "Coffee pairs well with Dark Chocolate",
    }
    session = store.sessions.get("basic-memory")
    coffee, plain = sorted(store.observations.of_session(session), key=lambda one: one.type)
    assert (coffee.type, coffee.title, coffee.concepts) == ("guide", "Coffee", ("drinks",))
    assert coffee.created_at == 1_769_990_400_000
    assert (plain.type, plain.title) == ("note", "plain")
    assert store.find("extracts best").page().hits
    page.write_text(PAGE.replace("best", "most"), encoding="utf-8")
    facts = run(store, "basic-memory", folder, None).of("facts")
    assert (facts.new, facts.unchanged, facts.vanished) == (1, 2, 1)


def test_a_line_that_is_no_json_is_reported_and_the_rest_comes_in(store: Store, graph: Path) -> None:
    with graph.open("a", encoding="utf-8") as file:
        file.write('{"type": "entity", "name": "cut')
    report = run(store, "mcp-memory", graph, None)
    assert report.is_damaged
    assert len(contents(store)) == 3


@pytest.mark.parametrize("program", ["mcp-memory", "mem0", "beads", "basic-memory"])
def test_a_file_of_something_else_is_refused(store: Store, tmp_path: Path, program: str) -> None:
    path = write(tmp_path / "other.jsonl", [{"id": 1, "title": "x"}, {"type": "entity"}])
    with pytest.raises(SourceError, match="not a store of"):
        run(store, program, path, None)
    assert not contents(store)


def test_files_beside_it_are_named_and_a_web_site_is_no_memory(store: Store, tmp_path: Path) -> None:
    folder = write(tmp_path / "beads" / "issues.jsonl", ISSUES).parent
    (folder / "beads.db").write_text("x")
    notes = run(store, "beads", folder, None).notes
    assert notes == ["Not read, since beads has no such files: beads.db."]
    site = tmp_path / "site"
    site.mkdir()
    (site / "post.md").write_text(PAGE.replace("permalink: ", "permalink: /"))
    with pytest.raises(SourceError, match="neither a store nor a transcript"):
        source_of(site)
