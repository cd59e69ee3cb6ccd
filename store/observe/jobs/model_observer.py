"""The model observer: a turn a call, within the daily cap, and what follows where a call fails."""

from __future__ import annotations

import time
from collections.abc import Sequence

from ...config import ModelSettings
from ...platform.paths import observer_directory
from ...platform.translation import N_, _
from ...providers.errors import MINUTE, ProviderError
from ...providers.usage import TokenUsage
from ...records.rows import PendingMessage, Session
from ...store import Store
from ..model.providers import ask, estimate
from ..model.question import ModelAnswer, ModelReply, Question, read_answer
from .backoff import back_off, current_backoff, end_backoff
from .findings import (
    LeaseLostError,
    MessageFinding,
    ModelResult,
    SummariesByLevel,
    correct_facts,
    store_observations,
)
from .rule_observer import is_record_visible, reply_of
from .session_summary import updated_summaries
from .turn_batch import claim_turn, question_of, reply_record

HIDDEN = N_("hidden: kept from the model")
CAPPED = _("The daily cap of tokens is reached; it goes on tomorrow (UTC).")
VERDICT = ("type", "title", "facts", "concepts")
"""What a model may say of a reply, whose words stay as the agent wrote them."""
RETRY_FACTOR = 4
"""Each further retry of a message waits so many times as long."""


def ask_about_turns(
    store: Store,
    settings: ModelSettings,
    owner: str,
    *,
    deadline: float,
    limit: int,
) -> ModelResult:
    """Ask the model about turns that are over, at most `limit` messages, until a deadline (monotonic
    seconds)."""
    done = ModelResult()
    while done.messages < limit and time.monotonic() < deadline and not done.stopped:
        if backoff := current_backoff(store, settings):
            done.stopped = f"{backoff.kind}: {backoff.reason}"
            break
        messages = claim_turn(store, owner)
        if not messages:
            break
        shown = [message for message in messages if is_record_visible(store, message)]
        hidden = [message for message in messages if message not in shown]
        done.messages += store.pending.confirm(hidden, HIDDEN)
        if shown:
            _ask_about(store, settings, shown, done)
    return done


def _ask_about(
    store: Store,
    settings: ModelSettings,
    messages: Sequence[PendingMessage],
    done: ModelResult,
) -> None:
    session = store.sessions.get(messages[0].session_id)
    question = question_of(store, session, messages)
    for is_last in (False, True):
        reply = _call(store, settings, messages, question, done)
        if reply is None:
            return
        try:
            answer = read_answer(reply.text, question)
            break
        except ProviderError as error:
            done.failed += 1
            TokenUsage(store.db, store.transaction()).note_failure(settings)
            if is_last:
                _give_up(store, settings, messages, error, done)
                return
            question = question.corrected
    _store(store, settings, session, messages, question, answer)
    end_backoff(store)
    done.messages += len(messages)


def _call(
    store: Store,
    settings: ModelSettings,
    messages: Sequence[PendingMessage],
    question: Question,
    done: ModelResult,
) -> ModelReply | None:
    """Return the model's reply, counted; None, with the messages handled, where it gave none."""
    usage = TokenUsage(store.db, store.transaction())
    reserved = usage.reserve(settings, *estimate(settings, question))
    if reserved is None:
        _handle(store, settings, messages, ProviderError("quota", CAPPED), done)
        return None
    done.calls += 1
    try:
        reply = ask(settings, question, observer_directory(store.path))
    except ProviderError as error:
        done.failed += 1
        spent = (reserved.input, reserved.output) if error.spent else (0, 0)
        usage.settle(reserved, *spent, failed=True)
        _handle(store, settings, messages, error, done)
        return None
    usage.settle(reserved, reply.input, reply.output)
    done.input, done.output = done.input + reply.input, done.output + reply.output
    return reply


def _give_up(
    store: Store,
    settings: ModelSettings,
    messages: Sequence[PendingMessage],
    error: ProviderError,
    done: ModelResult,
) -> None:
    """Leave the turn to the rules: the model was told what was wrong, and answered so again."""
    for message in messages:
        store.pending.refuse(message, _("{error} Asked twice; the rules' record stands.", error=error))
    back_off(store, settings, error, again_ms=MINUTE)
    if current_backoff(store, settings):
        done.stopped = str(error)


def _store(
    store: Store,
    settings: ModelSettings,
    session: Session,
    messages: Sequence[PendingMessage],
    question: Question,
    answer: ModelAnswer,
) -> None:
    findings = [
        MessageFinding(answer.observations[message.id], message, message.observation_id)
        for message in messages
        if message.id in answer.observations
    ]
    ends = [message for message in messages if message.id == question.reply]
    if ends and (verdict := answer.observations.get(ends[0].id)):
        # The agent's own words stay.
        fields = {name: verdict[name] for name in VERDICT if name in verdict}
        if reply := reply_record(store, session, ends[0]):
            findings.append(MessageFinding(fields, replaces=reply.id))
    try:
        with store.transaction():
            store_observations(
                store,
                session,
                findings,
                _summaries(store, session, messages, answer.summary),
                messages,
                by=f"model {settings.name}",
                at=messages[-1].created_at,
                prompt_number=messages[-1].prompt_number,
            )
            correct_facts(store, session, messages[-1].prompt_number, answer.lasting, answer.wrong)
    except LeaseLostError:
        # Whoever has the messages now asks again; the rules' record stands until then.
        return


def _summaries(
    store: Store,
    session: Session,
    messages: Sequence[PendingMessage],
    model_fields: dict[str, str] | None,
) -> SummariesByLevel | None:
    """Return the session's summary after the turn that the messages are; None where they don't end it."""
    ends = [message for message in messages if message.kind == "summary"]
    if not ends or not model_fields:
        return None
    return updated_summaries(store, session, [(ends[-1], reply_of(store, ends[-1]))], model_fields)


def _handle(
    store: Store,
    settings: ModelSettings,
    messages: Sequence[PendingMessage],
    error: ProviderError,
    done: ModelResult,
) -> None:
    """Give the messages back or up as an error's rule says, and back off where it says so."""
    rule, reason = error.rule, str(error)
    for message in messages:
        if not rule.counts:
            store.pending.release(message, reason)
        elif rule.final and len(messages) == 1:
            store.pending.refuse(message, reason)
        else:
            # Which message of several it was shows when each is tried alone.
            alone = 0 if len(messages) > 1 else rule.delay_ms * RETRY_FACTOR ** (message.attempts - 1)
            store.pending.fail(message, reason, alone)
    if rule.backoff_ms:
        back_off(store, settings, error)
        done.stopped = reason
