"""What is said of hooks: how long they take, and which agents are not heard."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from memtui.store import Check, Store
from memtui.store.capture import settings
from memtui.store.capture.health import capture_checks, histories, latency
from memtui.store.install import install
from memtui.store.install.checks import agent_checks
from memtui.store.platform.clock import DAY_MS, now_ms

HOUR = 3_600_000


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory with Claude Code in it, and nothing else."""
    place = tmp_path / "home"
    (place / ".claude").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(place))
    return place


def take(store: Store, milliseconds: Sequence[float]) -> None:
    """Let hooks have taken so long."""
    rows = [(now_ms(), "codex", round(one * 1_000)) for one in milliseconds]
    with store.transaction():
        store.db.executemany("INSERT INTO hook_runs (at, agent, microseconds) VALUES (?, ?, ?)", rows)


def check(store: Store, name: str) -> Check:
    return next(one for one in [*capture_checks(store), *agent_checks(store)] if one.name == name)


def test_without_a_run_nothing_is_said_of_it(store: Store) -> None:
    assert latency(store) is None
    assert "hook latency" not in {one.name for one in capture_checks(store)}


def test_the_99th_percentile_never_exceeds_the_slowest_run(store: Store) -> None:
    take(store, [10, 20, 300])
    found = latency(store)
    assert found is not None
    assert (found.runs, found.median, found.recent) == (3, 20, (10, 20, 300))
    assert 20 < found.slowest <= 300


def test_a_history_has_an_agents_events_of_the_last_days_and_what_its_own_hooks_took(store: Store) -> None:
    take(store, [10, 20, 300])
    today = now_ms() // DAY_MS
    days = {0: 5, 3: 7, 6: 1, 7: 100, 29: 11, 30: 1_000}
    with store.transaction():
        store.db.executemany(
            "INSERT INTO agent_days VALUES ('gemini', ?, ?, 0)",
            [(today - ago, events) for ago, events in days.items()],
        )
    found = histories(store)
    assert found.keys() == {"gemini", "codex"}
    assert found["gemini"].by_day == tuple(days.get(ago, 0) for ago in range(29, -1, -1))
    assert (found["gemini"].week, found["gemini"].slowest) == (13, None)
    slowest = found["codex"].slowest
    assert slowest is not None and 20 < slowest <= 300
    assert not any(found["codex"].by_day)


@pytest.mark.parametrize(
    ("runs", "is_well"),
    [
        ([20, 400], True),
        ([400] * 19, True),
        ([400] * 20, False),
        ([20] * 50 + [400], True),
        ([20] * 100 + [400], True),
        ([20] * 100 + [400] * 3, False),
    ],
    ids=["two", "19 slow", "20 slow", "one of 51 slow", "one of 101 slow", "three of 103 slow"],
)
def test_hooks_are_called_slow_once_enough_of_them_ran(
    store: Store, runs: list[float], is_well: bool
) -> None:
    take(store, runs)
    told = check(store, "hook latency")
    assert told.ok == is_well
    assert f"of {len(runs)} runs" in told.found


def have_run(home: Path, at: int) -> None:
    """Let Claude Code have written a transcript at a time, in ms."""
    path = home / ".claude" / "projects" / "atlas" / "s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"type": "user"}))
    os.utime(path, (at / 1_000, at / 1_000))


def hook_up(store: Store, home: Path) -> None:
    """Install our hooks for this memory, a while ago."""
    install("claude-code", database=store.path)
    long_ago = now_ms() / 1_000 - 86_400
    os.utime(home / ".claude" / "settings.json", (long_ago, long_ago))


def test_an_agent_that_ran_and_was_not_heard_is_not_well(store: Store, home: Path) -> None:
    hook_up(store, home)
    assert check(store, "agent claude-code").ok
    have_run(home, now_ms())
    told = check(store, "agent claude-code")
    assert not told.ok
    assert "nothing yet" in told.found
    assert "claude-code" in told.remedy


def test_an_agent_that_was_heard_when_it_ran_is_well(store: Store, home: Path) -> None:
    hook_up(store, home)
    have_run(home, now_ms())
    with store.transaction():
        values = ("claude-code", now_ms() // 86_400_000, 1, now_ms() - 60_000)
        store.db.execute("INSERT INTO agent_days VALUES (?, ?, ?, ?)", values)
    assert check(store, "agent claude-code").ok
    have_run(home, now_ms() + HOUR)
    assert not check(store, "agent claude-code").ok


def test_what_ran_before_it_was_hooked_up_could_tell_nothing(store: Store, home: Path) -> None:
    have_run(home, now_ms() - HOUR)
    install("claude-code", database=store.path)
    assert check(store, "agent claude-code").ok


def test_a_session_that_was_open_when_hooks_came_is_not_missed(store: Store, home: Path) -> None:
    install("claude-code", database=store.path)
    have_run(home, now_ms() + 60_000)
    assert check(store, "agent claude-code").ok
    have_run(home, now_ms() + HOUR)
    assert not check(store, "agent claude-code").ok


def test_what_ran_while_hooks_were_paused_is_not_missed(store: Store, home: Path) -> None:
    hook_up(store, home)
    settings.pause(store.path)
    have_run(home, now_ms() + HOUR)
    assert check(store, "agent claude-code").ok


def test_an_agent_whose_hooks_are_for_another_memory_is_not_missed(
    store: Store, home: Path, tmp_path: Path
) -> None:
    hook_up(store, home)
    have_run(home, now_ms())
    with Store.open(tmp_path / "other" / "memory.db") as other:
        assert check(other, "agent claude-code").ok
