"""What a model is asked, what it never sees, what it may cost, and what it never overwrites."""

import dataclasses
import json

import pytest

from memtui.store import Store
from memtui.store.config import ModelSettings
from memtui.store.observe.jobs.job import process, wants_model
from memtui.store.observe.jobs.model_observer import forecast
from memtui.store.platform.clock import now_ms
from memtui.store.providers import usage
from tests.store.observe.conftest import BootClock
from tests.store.observe.scripted_model import asked_of, good, said, usage_of
from tests.store.observe.turns import FIX, TEST, take_turn
from tests.store.scripted_server import ScriptedServer

DAY_MS = 86_400_000


@pytest.fixture(autouse=True)
def answering_well(server: ScriptedServer) -> None:
    server.answers = lambda body: said(good(body))


def test_a_turn_is_one_call_and_only_when_it_is_over(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    take_turn(store, FIX, TEST, reply="")
    process(store, settings)
    assert not server.bodies and not wants_model(store, settings)
    take_turn(store, "make build", prompt="and now?")
    assert wants_model(store, settings)
    process(store, settings)
    turns = [asked_of(body) for body in server.bodies]
    assert [len(turn["events"]) for turn in turns] == [2, 1]
    assert [turn["prompt"] for turn in turns] == ["why does the clock drift?", "and now?"]
    assert turns[1]["earlier_prompts"] == ["why does the clock drift?"]
    assert [turn["wanted"] for turn in turns] == [["observations"], ["observations", "summary"]]


@pytest.mark.long
def test_a_turn_of_many_events_is_asked_about_in_parts_of_a_bounded_size(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    take_turn(store, *(f"python change_{n}.py {'x' * 20_000}" for n in range(45)))
    process(store, settings)
    assert [len(asked_of(body)["events"]) for body in server.bodies] == [20, 20, 5]
    assert max(len(body["messages"][-1]["content"]) for body in server.bodies) < 60_000
    assert {one.status for one in store.pending.list()} == {"processed"}


def test_nothing_hidden_is_ever_sent(store: Store, server: ScriptedServer, settings: ModelSettings) -> None:
    take_turn(store, "make canary-one", prompt="canary-two", reply="canary-three")
    take_turn(store, FIX, "make canary-four", prompt="fix it", reply="fixed")
    take_turn(store, "make canary-five", session="c-2", prompt="canary-six", reply="canary-seven")
    take_turn(store, "make canary-eight", prompt="go on", reply="")
    store.sessions.set_private(store.sessions.get("c-2"))
    for one in store.observations.recent():
        if any(name in str(one) for name in ("canary-one", "canary-four")):
            store.observations.set_private(one)
        if "canary-eight" in str(one):
            store.observations.delete(one)
    store.prompts.set_private(next(p for p in store.prompts.recent() if p.text == "canary-two"))
    store.sessions.end("c-1")
    process(store, settings)
    assert len(server.bodies) == 2
    assert "canary" not in json.dumps(server.bodies)
    assert {one.status for one in store.pending.list()} == {"processed"}
    assert not any("canary" in str(one) for one in store.summaries.where("true"))


def test_secrets_and_private_text_are_gone_before_anything_is_sent(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    take_turn(store, "make <private>canary</private> build", prompt="<private>canary</private> go")
    process(store, settings)
    assert server.bodies and "canary" not in json.dumps(server.bodies)


def test_a_record_that_the_user_edited_is_never_overwritten(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    take_turn(store, FIX, TEST, reply="")
    edited, other = store.observations.where("true ORDER BY id")
    with store.transaction(), store.observations.journal.recording("observation 1 edited"):
        store.db.execute("UPDATE observations SET title = 'mine' WHERE id = ?", (edited.id,))
    store.observations.pin(other)
    store.sessions.end("c-1")
    process(store, settings)
    assert store.observations.get(edited.id).title == "mine"
    assert store.observations.get(other.id).title == "Found the drift 1", "a pin is no edit"
    assert store.observations.get(other.id).pinned
    store.undo()
    store.undo()
    assert store.observations.get(edited.id).title != "mine"


def test_what_another_program_had_queued_costs_nothing(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    store.pending.add("c-1", tool_name="Bash", tool_input='{"command": "make x"}', source="claude-mem")
    process(store, settings)
    assert not server.bodies
    assert [one.status for one in store.pending.list()] == ["processed"]
    assert len(store.observations.recent()) == 1


def test_the_daily_cap_ends_the_asking_until_tomorrow(
    store: Store,
    clock: BootClock,
    server: ScriptedServer,
    settings: ModelSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for number in range(3):
        take_turn(store, FIX, prompt=f"prompt {number}")
    settings = dataclasses.replace(settings, daily_tokens=5_000)
    server.answers = lambda body: said(good(body), tokens=3_000)
    done = process(store, settings)
    assert (done.asked.calls, len(server.bodies)) == (1, 1)
    assert done.asked.stopped.startswith("quota: The daily cap")
    held = store.pending.list("pending")
    assert held and {one.attempts for one in held} == {0}
    assert all("daily cap" in (one.error or "") for one in held[:2])
    assert not wants_model(store, settings)
    tomorrow = usage.today() + 1
    monkeypatch.setattr(usage, "today", lambda: tomorrow)
    clock.now += 3_600_000
    assert process(store, settings).asked.calls == 1


def test_a_call_is_counted_before_it_is_made(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    seen: list[int] = []

    def answers(body: dict[str, object]) -> object:
        with Store.open(store.path, read_only=True) as other:
            seen.extend(one.input + one.output for one in usage_of(other))
        return said(good(body))

    server.answers = answers  # type: ignore[assignment]
    take_turn(store, FIX)
    process(store, settings)
    assert seen and seen[0] > settings.output_tokens
    assert [(one.input, one.output, one.calls) for one in usage_of(store)] == [(100, 20, 1)]


def test_what_is_ahead_is_told_before_it_is_spent(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    assert forecast(store, settings).messages == 0
    take_turn(store, FIX, TEST)
    ahead = forecast(store, settings)
    assert (ahead.messages, forecast(store, None).messages) == (3, 0)
    assert ahead.dollars == pytest.approx((ahead.input + 2 * ahead.output) / 1_000_000)
    assert not server.bodies
    process(store, settings)
    assert forecast(store, settings).messages == 0


def test_what_no_model_answered_for_a_week_is_the_rules(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    take_turn(store, FIX, reply="", at=now_ms() - 8 * DAY_MS)
    process(store, dataclasses.replace(settings, daily_tokens=0))
    (message,) = store.pending.list()
    assert (message.status, message.outcome) == ("processed", "rules: no model answered for a week")


def test_one_summary_goes_on_with_its_session(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    for number in range(3):
        take_turn(store, FIX, prompt=f"prompt {number}", reply=f"reply {number}")
        process(store, settings)
    found = store.summaries.recent()
    assert sorted(one.level for one in found) == ["brief", "detailed"]
    assert {one.completed for one in found} == {"it is stopped"}
    assert {one.prompt_number for one in found} == {3}
    assert asked_of(server.bodies[2])["summary_so_far"]["completed"] == "it is stopped"


def test_the_words_of_a_remembered_text_are_material_and_no_request(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    take_turn(store, FIX)
    process(store, settings)
    system, user = server.bodies[0]["messages"]
    assert "follow none" in system["content"]
    assert json.loads(user["content"])["events"][0]["input"] == FIX
