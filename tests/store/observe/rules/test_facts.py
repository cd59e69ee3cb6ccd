"""Facts and preferences from what people say: held when said outright, and only then."""

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.observe.jobs.findings import store_facts
from memtui.store.observe.rules.facts import extract
from memtui.store.tables.fact_sources import speaker_of
from tests.tables import table

ROWS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "statements.jsonl").read_text("utf-8").splitlines()
]
STATED = [row for row in ROWS if "kind" in row]
NEAR_MISSES = [row for row in ROWS if "why" in row]
PASTED = [
    "You are a careful reviewer.\nAlways answer in JSON. Never fabricate an id.",
    "this fails:\nalways retry twice\nwe decided to stop here",
    "The reviewer's feedback:\n\nWe decided to use Kafka. Always lock first.",
    "日志如下：\n我们决定使用 Redis\n以后都用 pnpm",
    "<file name='rules.md'>\nAlways use tabs.\n</file> fix the typo",
    "fix it\n\n# Contributing\n\nAlways write tests. Never force-push to main.",
    "why?\n[02/20/26 17:41] note: the cache is cold\n2026-01-02T10:00:00 always retry once",
    "look\n    always = compute()\n\tNever reached by tests.",
    "diff --git a/x b/x\n+Always use tabs here.",
    "⏺ Never store the token in the image.",
    "look at <rules>\nAlways use tabs.\n</rules> and\n<open>\nAlways use spaces.",
    "ValueError: names must always be given",
    "**Always** use tabs. **Never** use spaces. **We decided** to use Go.",
    "Always use tabs. " + "Lorem ipsum dolor sit amet. " * 200,
]


@table("row", STATED)
def test_what_is_said_outright_is_held(row: dict[str, Any]) -> None:
    (fact,) = extract(row["text"])
    assert (fact.kind, fact.content) == (row["kind"], row["content"])
    assert list(fact.entities) == row.get("entities", list(fact.entities))
    assert 0.5 <= fact.confidence < 1


@table("row", NEAR_MISSES)
def test_what_only_looks_like_it_is_not(row: dict[str, Any]) -> None:
    assert [fact for fact in extract(row["text"]) if not fact.is_change] == []


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


@pytest.mark.parametrize(
    "text", ["", "\n" * 9, "always " * 9_000, "```" * 999, "我们决定" * 9_999, "x always " + "<a> " * 9_999]
)
def test_any_text_may_be_looked_at(text: str) -> None:
    assert len(extract(text)) <= 1


def test_a_session_s_facts_are_stored_with_their_evidence(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas")
    prompt = store.prompts.add(session, "我们决定使用 Redis 作为缓存。先改测试。")
    (fact,) = store_facts(store, session, replies=[("u-7", "Done. Tests pass.", 1)])
    assert fact == store.facts.list(project="atlas")[0]
    assert (fact.content, fact.kind) == ("我们决定使用 Redis 作为缓存", "B")
    assert (fact.entities, fact.evidence) == (("Redis",), (prompt.uid,))


def test_a_statement_that_is_made_again_in_its_session_has_more_evidence_and_no_less_doubt(
    store: Store,
) -> None:
    session = store.sessions.start("c-1", project="atlas")
    first = store.prompts.add(session, "Always use UTC in logs.")
    (once,) = store_facts(store, session)
    assert store_facts(store, session) == [once]
    second = store.prompts.add(session, "Again: always use UTC in logs!")
    store.prompts.add(session, "always use utc in logs")
    (again,) = store_facts(store, session, replies=[("u-7", "We decided to go on.", 1)])[:1]
    assert again.id == once.id
    assert {first.uid, second.uid} < {*again.evidence}
    assert len(again.evidence) == 3
    assert again.confidence == once.confidence < 1


def test_another_session_is_another_witness_unless_it_is_the_same_prompt(store: Store) -> None:
    said = "Always use UTC in logs."
    first = store.sessions.start("c-1", project="atlas")
    store.prompts.add(first, said)
    (once,) = store_facts(store, first)
    resumed = store.sessions.start("c-2", project="atlas")
    store.prompts.add(resumed, f" {said}\n")
    (copied,) = store_facts(store, resumed)
    assert (copied.id, copied.confidence) == (once.id, once.confidence)
    other = store.sessions.start("c-3", project="atlas")
    store.prompts.add(other, "Fix the parser. Always use UTC in logs.")
    (again,) = store_facts(store, other)
    assert again.id == once.id
    assert once.confidence < again.confidence < 1


def test_what_the_user_says_weighs_more_than_an_assistants_words(store: Store) -> None:
    text = "We decided to keep the cache in Redis."
    session = store.sessions.start("c-1", project="atlas")
    (replied,) = store_facts(store, session, replies=[("u-7", text, 1)])
    assert speaker_of(replied.extra) == "assistant"
    store.prompts.add(session, text)
    (said,) = store_facts(store, session)
    assert said.id == replied.id
    assert speaker_of(said.extra) == "user"
    assert replied.confidence < said.confidence < 1
    (after,) = store_facts(store, session, replies=[("u-8", text, 1)])
    assert (speaker_of(after.extra), after.confidence) == ("user", said.confidence)
    assert store.facts.list(speaker="user") == [after]
    assert store.facts.list(speaker="assistant") == []


@pytest.mark.parametrize(
    "advice",
    [
        "Always run `make check` before committing.",
        "I prefer the explicit form here.",
        "Never store the token in the image.",
        "Note that the API key lives in config/local.toml.",
        "Let's go with Postgres.",
        "In summary, the code is of high quality.",
    ],
)
def test_an_assistants_advice_is_no_rule_of_the_users(advice: str) -> None:
    assert extract(advice, "assistant") == []


@table("pasted", PASTED)
def test_what_was_pasted_is_not_what_the_user_says(pasted: str) -> None:
    assert extract(pasted) == []


def test_the_users_own_words_stand_before_what_was_pasted() -> None:
    text = (
        "From now on, log in UTC.\n\nImplement the following plan:\n\n# Plan\n\n"
        "- Always retry twice.\n- We decided to use Kafka."
    )
    assert [one.content for one in extract(text)] == ["From now on, log in UTC"]
    rules = "Remember my rules:\n- Always log in UTC\n- never push to main"
    assert [one.content for one in extract(rules)] == ["Always log in UTC", "Never push to main"]
