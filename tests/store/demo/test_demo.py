"""The demo memory is plausible, whole, and the same each time."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Session, Store
from memtui.store.capture.demo import fill
from tests.tables import table

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
NOON = 20_500 * DAY + 12 * HOUR
TYPES = {"decision", "bugfix", "feature", "refactor", "discovery", "change", "error", "note"}
AGENTS = {"claude-code", "codex", "cursor", "gemini", "opencode", "trae"}
CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("demo") / "memory.db") as store:
        fill(store, now=NOON)
        yield store


def test_it_holds_a_few_hundred_records_of_every_kind(demo: Store) -> None:
    stats = demo.stats()
    assert stats.observations >= 280
    assert stats.prompts >= 70
    assert stats.summaries >= 28
    assert stats.facts >= 25
    assert stats.notes == 3
    assert stats.sessions == 30
    assert stats.hidden == 3
    assert demo.doctor().ok


def test_it_shows_every_type_agent_status_and_kind_of_fact(demo: Store) -> None:
    sessions = all_sessions(demo)
    assert {one.type for one in demo.observations.recent(limit=1_000)} == TYPES
    assert {one.agent for one in sessions} == AGENTS
    assert {one.status for one in sessions} == {"active", "completed", "failed"}
    assert {one.kind for one in demo.facts.list(limit=100)} == set("WBOS")
    assert {one.path for one in demo.notes.list()} == {"MEMORY.md", "NOTES.md", "CLAUDE.md"}


def test_a_third_of_it_is_chinese(demo: Store) -> None:
    narratives = [one.narrative or "" for one in demo.observations.recent(limit=1_000)]
    chinese = sum(bool(CHINESE.search(text)) for text in narratives)
    assert 0.25 < chinese / len(narratives) < 0.4


def test_each_observation_is_whole_and_unlike_the_others(demo: Store) -> None:
    observations = demo.observations.recent(limit=1_000)
    for one in observations:
        assert one.title and one.narrative and one.tool_name and one.prompt_number, one
        assert 1 <= len(one.facts) <= 4, one
        assert 1 <= len(one.concepts) <= 4, one
        assert one.files_read or one.files_modified, one
        assert 40 <= one.discovery_tokens <= 4_000, one
    assert len({one.title for one in observations}) == len(observations)
    assert len({one.narrative for one in observations}) == len(observations)


def test_each_session_has_prompts_observations_and_a_summary_when_it_is_over(demo: Store) -> None:
    for session in all_sessions(demo):
        row = demo.sessions.row(session)
        assert 1 <= row.prompts <= 6
        assert 4 <= len(demo.observations.of_session(session)) <= 20
        assert bool(row.summaries) == (session.status != "active")


def test_what_belongs_to_a_session_happened_within_it(demo: Store) -> None:
    for session in all_sessions(demo):
        end = session.completed_at or NOON
        for one in [
            *demo.prompts.of_session(session),
            *demo.observations.of_session(session),
            *demo.summaries.of_session(session),
        ]:
            assert session.started_at <= one.created_at <= end, one


def test_an_observation_names_a_prompt_that_came_before_it(demo: Store) -> None:
    for session in all_sessions(demo):
        asked = {one.prompt_number: one.created_at for one in demo.prompts.of_session(session)}
        for one in demo.observations.of_session(session):
            assert one.prompt_number is not None
            assert asked[one.prompt_number] <= one.created_at, one


def test_the_evidence_of_a_fact_are_observations_of_its_project(demo: Store) -> None:
    linked = [one for one in demo.facts.list(limit=100) if one.evidence]
    assert len(linked) >= 15
    for fact in linked:
        for uid in fact.evidence:
            observation = demo.observations.get(uid)
            assert observation.project == fact.project
            assert observation.created_at <= fact.created_at


@table(
    ("query", "title"),
    [
        ("token refresh", "Refresh token expired because the clock drifted"),
        ("token refresh", "刷新令牌在时钟漂移时过期"),
        ("缓存", "缓存击穿修复：每个周期只回源一次"),
        ("redis", "The redis client times out after 200 ms"),
        ("websocket", "Each pointermove becomes a websocket message"),
        ("时区", "存毫秒，算日期时才用时区"),
        ("retry", "Retries reuse the charge's own idempotency key"),
        ("src/auth", "Clock skew is logged but not used"),
    ],
)
def test_a_likely_query_finds_the_story(demo: Store, query: str, title: str) -> None:
    hits = demo.find(query).page(limit=200).hits
    assert len(hits) >= 8
    assert title in [hit.row.title for hit in hits if hit.tier == "exact"]


def test_private_observations_are_not_found(demo: Store) -> None:
    assert not demo.find('"Which role logs in at night"').page().hits
    assert not demo.find("超卖订单名单").page().hits


@pytest.mark.parametrize("hour", [0, 3, 9, 17, 23])
@pytest.mark.sampled
def test_nothing_lies_in_the_future_and_the_newest_is_a_minute_or_two_old(
    tmp_path: Path, hour: int
) -> None:
    now = 20_500 * DAY + hour * HOUR + 30_000
    with Store.open(tmp_path / "memory.db") as store:
        fill(store, now=now)
        newest = max(everything(store), key=lambda record: record["created_at"])
        assert MINUTE <= now - newest["created_at"] <= 2 * MINUTE
        assert all((one.completed_at or 0) <= now for one in all_sessions(store))


def test_it_is_the_same_each_time(demo: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "again.db") as store:
        fill(store, now=NOON)
        assert everything(store) == everything(demo)


def test_ids_rise_with_time(demo: Store) -> None:
    by_id = sorted(demo.observations.recent(limit=1_000), key=lambda one: one.id)
    times = [one.created_at for one in by_id]
    assert times == sorted(times)


def all_sessions(store: Store) -> list[Session]:
    return [row.session for row in store.sessions.list(limit=100)]


def everything(store: Store) -> list[dict[str, Any]]:
    """Every record's own values: without what a store adds from its machine and the real clock."""
    sessions = all_sessions(store)
    found = [
        *sessions,
        *(one for session in sessions for one in store.prompts.of_session(session)),
        *(one for session in sessions for one in store.observations.of_session(session)),
        *(one for session in sessions for one in store.summaries.of_session(session)),
        *store.facts.list(limit=100),
        *store.notes.list(),
    ]
    added = {"uid", "updated_at", "origin", "editor", "hlc", "evidence"}
    return [
        {name: getattr(one, name) for name in one.__dataclass_fields__ if name not in added}
        for one in found
    ]
