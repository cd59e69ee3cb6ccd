"""Facts and preferences from what people say: held when said outright, and only then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from store import Store
from store.observe.jobs.findings import store_facts
from store.observe.rules.facts import extract
from tests.tables import table

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "statements.jsonl").read_text("utf-8").splitlines()
]
STATED = [row for row in ROWS if "kind" in row]
NEAR_MISSES = [row for row in ROWS if "why" in row]


@table("row", STATED)
def test_what_is_said_outright_is_held(row: dict[str, Any]) -> None:
    (fact,) = extract(row["text"])
    assert (fact.kind, fact.content) == (row["kind"], row["content"])
    assert list(fact.entities) == row.get("entities", list(fact.entities))
    assert 0.5 <= fact.confidence < 1


@table("row", NEAR_MISSES)
def test_what_only_looks_like_it_is_not(row: dict[str, Any]) -> None:
    assert extract(row["text"]) == []


def test_a_statement_is_found_among_other_words() -> None:
    text = (
        "The login fails again.\n\n```\n# always retry twice here\n```\n\n"
        "- Fix it, please.\n- Always log the request id.\n\nShould we never retry? "
        "We decided to use `httpx` for calls. Thanks!"
    )
    assert [fact.content for fact in extract(text)] == [
        "Always log the request id",
        "We decided to use `httpx` for calls",
    ]


def test_the_same_statement_is_extracted_once() -> None:
    assert len(extract("Always use UTC in logs.\n\nALWAYS use utc in logs")) == 1


@pytest.mark.parametrize("text", ["", "\n" * 9, "always " * 9_000, "```" * 999, "我们决定" * 9_999])
def test_any_text_may_be_looked_at(text: str) -> None:
    assert len(extract(text)) <= 1


def test_a_session_s_facts_are_stored_with_their_evidence(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    prompt = store.prompts.add(session, "我们决定使用 Redis 作为缓存。先改测试。")
    (fact,) = store_facts(store, session, replies=[("u-7", "Done. Tests pass.")])
    assert fact == store.facts.list(project="atlas")[0]
    assert (fact.content, fact.kind) == ("我们决定使用 Redis 作为缓存", "B")
    assert (fact.entities, fact.evidence) == (("Redis",), (prompt.uid,))


def test_a_statement_that_is_made_again_has_more_evidence_and_less_doubt(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    first = store.prompts.add(session, "Always use UTC in logs.")
    (once,) = store_facts(store, session)
    assert store_facts(store, session) == [once]
    second = store.prompts.add(session, "Again: always use UTC in logs!")
    store.prompts.add(session, "always use utc in logs")
    (again,) = store_facts(store, session)
    assert again.id == once.id
    assert first.uid in again.evidence
    assert second.uid not in again.evidence
    assert len(again.evidence) == 2
    assert once.confidence < again.confidence < 1


def test_each_project_holds_its_own(store: Store) -> None:
    for project in ("atlas", "orders"):
        session = store.sessions.start(f"c-{project}", project=project)
        store.prompts.add(session, "We decided to use SQLite here.")
        store_facts(store, session)
    assert [fact.project for fact in store.facts.list()] == ["orders", "atlas"]


def test_private_and_deleted_prompts_say_nothing(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    store.prompts.set_private(store.prompts.add(session, "Always use the secret door."))
    store.prompts.delete(store.prompts.add(session, "Never use the front door."))
    assert store_facts(store, session) == []
    assert store.facts.count() == 0


def test_a_fact_that_was_deleted_or_hidden_stays_so(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    store.prompts.add(session, "Always use UTC in logs. We decided to use SQLite here.")
    first, second = store_facts(store, session)
    store.facts.delete(first)
    store.facts.set_private(second)
    assert store_facts(store, session) == []
    assert store.facts.count() == 0
    assert store.facts.get(first.id).deleted_at is not None


def test_what_a_compaction_sums_up_is_evidence_too(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    summary = store.summaries.add(session, text="We agreed on Postgres for the ledger.")
    (fact,) = store_facts(store, session)
    assert fact.evidence == (summary.uid,)
