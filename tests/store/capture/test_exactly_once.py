"""Each event is stored once and in order, whoever hooks, drains and dies at the same time."""

import json
import os
import random
from collections import Counter
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest import drain, quarantine
from tests.promises import promise

from .drains import die_at_commit, killed_drain, start_drain
from .hooks import Machine, Start, prompt

AGENTS = 4
TURNS = 12
DAY = 86_400


def burst(machine: Machine, turns: int = TURNS) -> Counter[str]:
    """Run hooks of several sessions at once, each session's one after the other; what they told."""
    told: Counter[str] = Counter()
    for turn in range(turns):
        running = []
        for session in range(AGENTS):
            text = f"session {session} turn {turn:03}"
            told[text] += 1
            event = json.dumps(prompt(text, f"s-{session}")).encode()
            process = machine.begin(Start(event))
            assert process.stdin
            process.stdin.write(event)
            process.stdin.close()
            running.append(process)
        assert [process.wait() for process in running] == [0] * AGENTS
        for process in running:
            assert process.stdout and process.stderr
            process.stdout.close()
            process.stderr.close()
    return told


def in_order(machine: Machine) -> dict[str, list[str]]:
    """The prompts of each session, by their numbers."""
    with Store.open(machine.database) as store:
        rows = store.db.execute(
            "SELECT s.content_session_id, p.text FROM prompts p JOIN sessions s "
            "ON s.id = p.session_id ORDER BY s.id, p.prompt_number"
        )
        found: dict[str, list[str]] = {}
        for session, text in rows:
            found.setdefault(session, []).append(text)
    return found


def sound(machine: Machine) -> bool:
    """Whether rows and indexes are whole and equal."""
    with Store.open(machine.database) as store:
        return store.doctor(thorough=True).ok


def segment_of(machine: Machine) -> Path:
    """The one file of the spool."""
    (found,) = machine.spool.glob("*.jsonl")
    return found


@promise("spool-exactly-once")
def test_several_hooks_and_several_drains_at_once_lose_and_double_nothing(machine: Machine) -> None:
    Store.open(machine.database).close()
    stop = machine.folder / "stop"
    drains = [start_drain(machine.database, stop=stop) for _ in range(3)]
    told = burst(machine)
    stop.touch()
    for process in drains:
        process.join()
    assert [process.exitcode for process in drains] == [0, 0, 0]
    assert machine.drained().left == 0
    assert Counter(machine.prompts()) == told
    stored = in_order(machine)
    assert len(stored) == AGENTS
    assert all(texts == sorted(texts) for texts in stored.values())
    assert sound(machine)


@promise("spool-exactly-once")
def test_drains_that_are_killed_lose_and_double_nothing(machine: Machine) -> None:
    draw = random.Random(11)
    told = burst(machine)
    codes = []
    for _ in range(6):
        codes.append(killed_drain(machine.database, draw.randint(1, 120)))
        told += Counter(prompt_more(machine, f"after kill {len(codes)}"))
    assert -9 in codes
    machine.drained()
    assert Counter(machine.prompts()) == told
    assert all(texts == sorted(texts) for texts in in_order(machine).values())
    assert sound(machine)


def prompt_more(machine: Machine, text: str) -> list[str]:
    """One more event, while nobody drains."""
    machine.hook(prompt(text, text))
    return [text]


@promise("spool-exactly-once")
@pytest.mark.parametrize("landed", [False, True], ids=["before", "after"])
def test_a_drain_that_dies_at_its_commit_is_gone_on_with(machine: Machine, landed: bool) -> None:
    told = burst(machine, turns=2)
    Store.open(machine.database).close()
    assert die_at_commit(machine.database, landed=landed) == -9
    assert len(machine.prompts()) == (len(told) if landed else 0)
    machine.drained()
    assert Counter(machine.prompts()) == told


@promise("one-row-an-event")
def test_the_same_event_of_eight_processes_is_one_row(machine: Machine) -> None:
    event = json.dumps(prompt("told by all")).encode()
    running = [machine.begin(Start(event)) for _ in range(8)]
    for process in running:
        assert process.communicate(event) == (b"", b"")
    assert machine.drained().stored == 8
    assert machine.prompts() == ["told by all"]


@promise("spool-exactly-once")
def test_a_torn_record_spoils_only_itself(machine: Machine) -> None:
    machine.hook(prompt("before"))
    segment = segment_of(machine)
    half = segment.read_bytes().strip()[:-40]
    with segment.open("ab") as file:
        file.write(half)
    machine.hook(prompt("behind"))
    done = machine.drained()
    assert (done.stored, done.quarantined, done.left) == (2, 1, 0)
    assert machine.prompts() == ["before", "behind"]
    with Store.open(machine.database) as store:
        (torn,) = quarantine.list_quarantined(store)
        assert "torn" in torn.reason
        assert (torn.agent, torn.record) == ("claude-code", half.decode())


@promise("spool-exactly-once")
def test_a_record_that_is_still_being_written_is_not_read(machine: Machine) -> None:
    machine.hook(prompt("before"))
    segment = segment_of(machine)
    whole = segment.read_bytes().replace(b"before", b"behind")
    with segment.open("ab") as file:
        file.write(whole[:100])
    machine.drained()
    with segment.open("ab") as file:
        file.write(whole[100:])
    assert machine.drained().quarantined == 0
    assert machine.prompts() == ["before", "behind"]


def test_an_older_days_segment_is_read_first_and_removed_when_it_is_old(machine: Machine) -> None:
    machine.hook(prompt("of the day before", "s-1"))
    today = segment_of(machine)
    older = today.rename(today.with_name("2026-01-31.jsonl"))
    machine.hook(prompt("of today", "s-1"))
    machine.drained()
    assert machine.prompts() == ["of the day before", "of today"]
    assert older.exists()
    yesterday = older.stat().st_mtime - 2 * DAY
    os.utime(older, (yesterday, yesterday))
    machine.drained()
    assert not older.exists()
    assert today.exists()
    machine.hook(prompt("later", "s-1"))
    machine.drained()
    assert machine.prompts() == ["of the day before", "of today", "later"]


@promise("spool-exactly-once")
def test_a_segment_that_waits_is_kept_however_old_it_is(machine: Machine) -> None:
    machine.hook(prompt("waits"))
    segment = segment_of(machine)
    with segment.open("ab") as file:
        file.write(b'{"at":1')
    os.utime(segment, (0, 0))
    machine.drained()
    assert machine.prompts() == ["waits"]
    with Store.open(machine.database) as store:
        assert [one.record for one in quarantine.list_quarantined(store)] == ['{"at":1']
    machine.drained()
    assert not segment.exists()


@promise("spool-exactly-once")
def test_what_can_not_be_stored_is_put_aside_with_its_reason_and_tried_again(machine: Machine) -> None:
    with Store.open(machine.database) as store:
        store.db.execute(
            "CREATE TRIGGER no_poison BEFORE INSERT ON prompts WHEN new.text LIKE '%poison%' "
            "BEGIN SELECT raise(ABORT, 'no poison here'); END"
        )
    machine.hook(prompt("before"), prompt("poison"), prompt("behind"))
    done = machine.drained()
    assert (done.stored, done.quarantined, done.left) == (2, 1, 0)
    assert machine.prompts() == ["before", "behind"]
    with Store.open(machine.database) as store:
        (aside,) = quarantine.list_quarantined(store)
        assert "no poison here" in aside.reason
        assert drain.retry_quarantined(store).quarantined == 1
        assert [one.attempts for one in quarantine.list_quarantined(store)] == [2]
        store.db.execute("DROP TRIGGER no_poison")
        assert drain.retry_quarantined(store, [aside.id]).stored == 1
        assert quarantine.list_quarantined(store) == []
    assert machine.prompts() == ["before", "behind", "poison"]
    assert sound(machine)
