"""Whatever a model's server answers, the rules' record stands until a valid answer takes its place."""

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.config import ModelSettings
from memtui.store.observe.jobs.checks import observer_checks
from memtui.store.observe.jobs.job import JobResult, process
from memtui.store.observe.jobs.worker import current_backoff
from memtui.store.records.kinds import REPLY
from memtui.store.tables import queue as queue
from tests.store.observe.conftest import BootClock
from tests.store.observe.scripted_model import asked_of, good, said, usage_of
from tests.store.observe.turns import FIX, TEST, take_turn
from tests.store.scripted_server import HUGE, Scripted, ScriptedServer


@dataclass(frozen=True, slots=True)
class Case:
    """An answer to a single message, and what has to follow: how the message stands, what its
    reason says, whether the try counts, and the minutes for which the model is left alone."""

    answer: Scripted
    status: str
    says: str
    counts: bool = True
    rests: float = 0
    calls: int = 1


ENDS = b'{"error": {"message": "%s"}}'
CASES = {
    "prose": Case(said("I am glad to help with that!"), "failed", "invalid:", calls=2),
    "broken JSON": Case(
        said('{"observations": [{"id": 1, "title": "Fo'), "failed", "invalid:", calls=2
    ),
    "JSON of another shape": Case(said('{"result": "done"}'), "failed", "invalid:", calls=2),
    "observations of no event": Case(
        said('{"observations": [{"id": 999, "title": "x"}]}'), "failed", "invalid:", calls=2
    ),
    "empty": Case(said(""), "failed", "invalid: The answer is empty", calls=2),
    "nothing at all": Case(said(None), "failed", "invalid: The answer is empty", calls=2),
    "no JSON around it": Case(Scripted(raw=b"<html>"), "pending", "invalid:"),
    "no choices": Case(Scripted(raw=b'{"choices": []}'), "pending", "invalid:"),
    "huge": Case(Scripted(raw=b" " * HUGE), "pending", "invalid: The answer is over"),
    "400": Case(Scripted(400, ENDS % b"bad"), "failed", "refused: HTTP 400: bad"),
    "401": Case(Scripted(401, ENDS % b"who"), "pending", "auth: HTTP 401: who", False, 60),
    "402": Case(Scripted(402, ENDS % b"pay"), "pending", "quota: HTTP 402: pay", False, 60),
    "403": Case(Scripted(403), "pending", "auth: HTTP 403", False, 60),
    "404": Case(Scripted(404, ENDS % b"no model"), "pending", "auth: HTTP 404", False, 60),
    "429": Case(Scripted(429), "pending", "rate: HTTP 429", False, 1),
    "429 with a delay": Case(
        Scripted(429, headers={"Retry-After": "300"}), "pending", "rate: HTTP 429", False, 5
    ),
    "429 with a short delay": Case(
        Scripted(429, headers={"Retry-After": "7"}), "pending", "rate:", False, 7 / 60
    ),
    "429 with a delay in ms": Case(
        Scripted(429, headers={"Retry-After": "8", "Retry-After-Ms": "7200"}), "pending", "rate:",
        False, 7.2 / 60,
    ),
    "429 with an endless delay": Case(
        Scripted(429, headers={"Retry-After": "99999999"}), "pending", "rate:", False, 60
    ),
    "429 since all is spent": Case(
        Scripted(429, ENDS % b"insufficient_quota"), "pending", "quota:", False, 60
    ),
    "500": Case(Scripted(500, ENDS % b"oops"), "pending", "timeout: HTTP 500: oops", rests=1 / 6),
    "503": Case(Scripted(503), "pending", "timeout: HTTP 503", rests=1 / 6),
    "503 with a delay": Case(
        Scripted(503, headers={"Retry-After": "120"}), "pending", "rate: HTTP 503", False, 2
    ),
    "slow": Case(Scripted(hangs=True), "pending", "timeout: ", rests=1 / 6),
    "cut off": Case(Scripted(raw=b'{"cho', announced=500), "pending", "timeout: ", rests=1 / 6),
    "declined": Case(said(None, refusal="I can't."), "failed", "refused: The model declined"),
    "redirected": Case(
        Scripted(302, headers={"Location": "http://127.0.0.1:9/"}), "pending", "auth: HTTP 302",
        False, 60,
    ),
}  # fmt: skip


def observe_one(store: Store, settings: ModelSettings) -> JobResult:
    """Ask about one message, which gets its record by the rules."""
    take_turn(store, FIX, reply="")
    store.sessions.end("c-1")
    return process(store, settings)


@pytest.mark.parametrize("name", CASES)
def test_an_answer_that_is_no_use_leaves_the_rules_record_and_tells_why(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings, name: str
) -> None:
    case = CASES[name]
    server.answers = lambda _: case.answer
    if case.answer.hangs:
        settings = dataclasses.replace(settings, timeout_seconds=0.3)
    take_turn(store, FIX, reply="")
    (before,) = store.observations.recent()
    store.sessions.end("c-1")
    done = process(store, settings)
    (message,) = store.pending.list()
    assert (message.status, message.attempts) == (case.status, int(case.counts))
    assert message.error is not None and message.error.startswith(case.says)
    assert store.observations.recent() == [before]
    calls = case.calls
    assert (done.asked.calls, done.asked.failed, len(server.bodies)) == (calls, calls, calls)
    rest = current_backoff(store, settings)
    assert (rest.until - clock.now) / 60_000 == pytest.approx(case.rests) if rest else not case.rests
    assert message.lease_owner is None


def test_a_good_answer_takes_the_place_of_the_rules_record(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda body: said(good(body))
    take_turn(store, FIX, TEST)
    by_rules = store.observations.recent()
    done = process(store, settings)
    found = store.observations.recent()
    assert {one.title for one in found} == {"Found the drift 0", "Found the drift 1"}
    assert {one.id for one in found} == {one.id for one in by_rules}
    assert {one.facts for one in found} == {("TTL is 24 h",)}
    assert {(one.files_modified, one.tool_name) for one in found} == {
        (one.files_modified, one.tool_name) for one in by_rules
    }, "what the rules know better stays"
    assert store.find("drift").page(limit=9).hits[0].record.id in {one.id for one in found}
    assert {one.status for one in store.pending.list()} == {"processed"}
    assert {one.outcome for one in store.pending.list()} == {"model tiny"}
    assert (done.asked.calls, done.asked.input, done.asked.output) == (1, 100, 20)
    (summary,) = [one for one in store.summaries.recent() if one.level == "detailed"]
    assert (summary.request, summary.completed) == ("stop the drift", "it is stopped")


def test_a_model_that_answers_prose_is_told_once_and_then_the_rules_record_stands(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda _: said("I am glad to help with that!")
    take_turn(store, FIX, TEST)
    by_rules = store.observations.recent()
    done = process(store, settings)
    assert (done.asked.calls, len(server.bodies)) == (2, 2)
    first, second = (body["messages"][0]["content"] for body in server.bodies)
    assert "not the JSON" in second.removeprefix(first)
    assert "I am glad to help" not in second
    assert {one.status for one in store.pending.list()} == {"failed"}
    assert store.observations.recent() == by_rules
    process(store, settings)
    assert len(server.bodies) == 2
    (check,) = (one for one in observer_checks(store) if one.name == "queue")
    assert not check.ok
    # The next turn is asked about; whoever answers prose again is left alone for a while.
    take_turn(store, FIX, prompt="and now?", session="c-2")
    process(store, settings)
    assert len(server.bodies) == 4
    take_turn(store, FIX, prompt="and now?", session="c-3")
    assert process(store, settings).asked.stopped.startswith("invalid:")
    assert len(server.bodies) == 4


def test_a_model_that_mends_its_answer_is_heard(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda body: said(good(body) if len(server.bodies) > 1 else "Sure! Done.")
    take_turn(store, FIX)
    done = process(store, settings)
    assert (done.asked.calls, done.asked.failed) == (2, 1)
    assert store.observations.recent()[0].title == "Found the drift 0"
    assert {one.status for one in store.pending.list()} == {"processed"}


@pytest.mark.parametrize(
    "around",
    [
        *("%s", "Here you are:\n```json\n%s\n```\nAnything else?", "<think>{hm}</think> %s", "%s}"),
        # To read it again from each of its quotes would take minutes.
        '{"' + '\\"' * 120_000 + " %s",
    ],
    ids=["bare", "in fences", "after thoughts", "a brace too many", "a string that nothing closes"],
)
def test_json_is_found_in_whatever_surrounds_it(
    store: Store, server: ScriptedServer, settings: ModelSettings, around: str
) -> None:
    server.answers = lambda body: said(around.replace("%s", good(body)))
    observe_one(store, settings)
    assert store.observations.recent()[0].title == "Found the drift 0"


def test_commas_too_many_and_ids_as_texts_are_read(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda body: said(
        '[{"id": "1", "title": "Fixed, ] it", "facts": ["one,", 2, null,], "concepts": "no",},]'
    )
    observe_one(store, settings)
    (found,) = store.observations.recent()
    assert (found.title, found.facts) == ("Fixed, ] it", ("one,",))


def test_what_an_answer_leaves_out_keeps_the_rules_record(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda body: said('{"observations": []}')
    take_turn(store, FIX, reply="")
    (before,) = store.observations.recent()
    store.sessions.end("c-1")
    process(store, settings)
    assert store.observations.recent() == [before]
    assert [one.status for one in store.pending.list()] == ["processed"]


def test_a_message_that_no_answer_is_good_for_is_abandoned_and_holds_up_no_other(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    def answers(body: dict[str, object]) -> Scripted:
        # Such an answer is cut off: the model can't be told to mend it.
        return Scripted(raw=b"<html>") if FIX in str(body) else said(good(body))

    server.answers = answers
    take_turn(store, FIX, TEST, "sed -i s/1/2/ b.py", reply="")
    store.sessions.end("c-1")
    process(store, settings)
    assert [one.status for one in store.pending.list()] == ["pending", "processed", "processed"]
    for _ in range(queue.ATTEMPTS):
        clock.now += queue.LONGEST_RETRY_MS
        process(store, settings)
    (poison,) = store.pending.list("abandoned")
    assert poison.attempts == queue.ATTEMPTS
    assert "invalid" in (poison.error or "")
    asked = len(server.bodies)
    process(store, settings)
    assert len(server.bodies) == asked


def test_no_server_at_all_counts_no_try(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    settings = dataclasses.replace(settings, url="http://127.0.0.1:1/v1")
    observe_one(store, settings)
    (message,) = store.pending.list()
    assert (message.status, message.attempts) == ("pending", 0)
    assert (message.error or "").startswith("unreachable:")
    assert current_backoff(store, settings)


def test_a_resting_model_is_not_asked_until_its_time_other_settings_or_the_user(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda _: Scripted(401)
    observe_one(store, settings)
    assert process(store, settings).asked.stopped.startswith("auth:")
    assert len(server.bodies) == 1
    process(store, settings, insist=True)
    assert len(server.bodies) == 2
    process(store, dataclasses.replace(settings, model="other"))
    assert len(server.bodies) == 3
    clock.now += queue.LONGEST_RETRY_MS
    server.answers = lambda body: said(good(body))
    process(store, settings)
    assert [one.status for one in store.pending.list()] == ["processed"]
    assert current_backoff(store, settings) is None


def test_a_machine_that_starts_anew_ends_a_rest(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    clock.now = 90 * 86_400_000
    server.answers = lambda _: Scripted(402)
    observe_one(store, settings)
    clock.now = 5
    assert current_backoff(store, settings) is None


def test_what_fails_is_paid_for_only_where_the_model_worked(
    store: Store, clock: BootClock, server: ScriptedServer, settings: ModelSettings
) -> None:
    server.answers = lambda _: Scripted(429)
    observe_one(store, settings)
    assert [(one.calls, one.failed, one.input) for one in usage_of(store)] == [(1, 1, 0)]
    server.answers = lambda _: said("no idea")
    process(store, settings, insist=True)
    (day,) = usage_of(store)
    assert (day.calls, day.failed, day.input, day.output) == (3, 3, 200, 40)
    assert day.dollars(settings) == pytest.approx(280 / 1_000_000)


def test_a_model_corrects_the_verdict_and_the_facts_of_a_turn(
    store: Store, server: ScriptedServer, settings: ModelSettings
) -> None:
    def answer(body: dict[str, Any]) -> Scripted:
        turn = asked_of(body)
        verdict = {"id": turn["reply_id"], "type": "decision", "title": "Kept the quartz clock"}
        return said(json.dumps({
            "observations": [{**verdict, "narrative": "Other words.", "facts": ["It drifts 2 s a day"]}],
            "summary": {"completed": "the clock is kept"},
            "lasting": ["The clock runs on UTC"], "wrong": [int(id) for id in turn["rules_held"]],
        }))  # fmt: skip

    server.answers = answer
    take_turn(store, prompt="I like the quartz clock in the hall", reply="The quartz clock loses 2 s.")
    process(store, settings)
    (reply,) = [one for one in store.observations.recent() if one.tool_name == REPLY]
    assert (reply.type, reply.title) == ("decision", "Kept the quartz clock")
    assert reply.facts == ("It drifts 2 s a day",)
    assert reply.narrative is None or "Other words" not in reply.narrative
    assert [fact.content for fact in store.facts.list()] == ["The clock runs on UTC"]
