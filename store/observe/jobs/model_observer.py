"""The model observer: the messages of a turn that is over are claimed together and put to a model as one
question, within the daily cap; and what follows where a call fails.

Only what is stored is shown to the model, and nothing that is hidden.
"""

from __future__ import annotations

import difflib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ...config import ModelSettings
from ...platform.paths import observer_directory
from ...platform.translation import N_, _
from ...providers.errors import MINUTE, ProviderError
from ...providers.usage import TokenUsage
from ...records.dataclasses import dataclass
from ...records.events import ToolUse
from ...records.kinds import REPLY
from ...records.rows import Observation, PendingMessage, Session
from ...store import Store
from ..model import INSTRUCTIONS, ModelAnswer, ModelReply, Question, ask, estimate, read_answer
from ..rules import tools
from ..rules.edit_diff import edits_in, patches_in, written_content
from ..rules.tools import ParsedToolUse, parse_tool_use
from .findings import (
    LeaseLostError,
    MessageFinding,
    ModelResult,
    SummariesByLevel,
    correct_facts,
    stated_in,
    store_observations,
)
from .rule_observer import is_record_visible, parse_stored, reply_of, updated_summaries
from .worker import backoffs, current_backoff

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
            _TurnInquiry(store, settings, shown, done).run()
    return done


class _TurnInquiry:
    """Asks the model about the messages of one turn; `done` counts what it does."""

    def __init__(
        self, store: Store, settings: ModelSettings, messages: Sequence[PendingMessage], done: ModelResult
    ) -> None:
        self.store = store
        self.settings = settings
        self.messages = messages
        self.done = done
        self.session = store.sessions.get(messages[0].session_id)
        self.question = question_of(store, self.session, messages)
        self.usage = TokenUsage(store.db, store.transaction())

    def run(self) -> None:
        """Ask, once more where the answer is none, and store the answer."""
        for is_last in (False, True):
            reply = self._call()
            if reply is None:
                return
            try:
                answer = read_answer(reply.text, self.question)
                break
            except ProviderError as error:
                self.done.failed += 1
                self.usage.note_failure(self.settings)
                if is_last:
                    self._give_up(error)
                    return
                self.question = self.question.corrected
        self._keep(answer)
        backoffs(self.store).end()
        self.done.messages += len(self.messages)

    def _call(self) -> ModelReply | None:
        """Return the model's reply, counted; None, with the messages handled, where it gave none."""
        done = self.done
        reserved = self.usage.reserve(self.settings, *estimate(self.settings, self.question))
        if reserved is None:
            self._handle(ProviderError("quota", CAPPED))
            return None
        done.calls += 1
        try:
            reply = ask(self.settings, self.question, observer_directory(self.store.path))
        except ProviderError as error:
            done.failed += 1
            spent = (reserved.input, reserved.output) if error.spent else (0, 0)
            self.usage.settle(reserved, *spent, failed=True)
            self._handle(error)
            return None
        self.usage.settle(reserved, reply.input, reply.output)
        done.input, done.output = done.input + reply.input, done.output + reply.output
        return reply

    def _give_up(self, error: ProviderError) -> None:
        """Leave the turn to the rules: the model was told what was wrong, and answered so again."""
        for message in self.messages:
            reason = _("{error} Asked twice; the rules' record stands.", error=error)
            self.store.pending.refuse(message, reason)
        backoffs(self.store).begin(self.settings.fingerprint, error, again_ms=MINUTE)
        if current_backoff(self.store, self.settings):
            self.done.stopped = str(error)

    def _keep(self, answer: ModelAnswer) -> None:
        """Store what the model answered."""
        store, session, last = self.store, self.session, self.messages[-1]
        findings = [
            MessageFinding(answer.observations[message.id], message, message.observation_id)
            for message in self.messages
            if message.id in answer.observations
        ]
        ends = [message for message in self.messages if message.id == self.question.reply]
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
                    self._summaries(answer.summary),
                    self.messages,
                    by=f"model {self.settings.name}",
                    at=last.created_at,
                    prompt_number=last.prompt_number,
                )
                correct_facts(store, session, last.prompt_number, answer.lasting, answer.wrong)
        except LeaseLostError:
            # Whoever has the messages now asks again; the rules' record stands until then.
            return

    def _summaries(self, model_fields: dict[str, str] | None) -> SummariesByLevel | None:
        """Return the session's summary after the turn; None where the messages don't end it."""
        ends = [message for message in self.messages if message.kind == "summary"]
        if not ends or not model_fields:
            return None
        told = [(ends[-1], reply_of(self.store, ends[-1]))]
        return updated_summaries(self.store, self.session, told, model_fields)

    def _handle(self, error: ProviderError) -> None:
        """Give the messages back or up as an error's rule says, and back off where it says so."""
        rule, reason, pending = error.rule, str(error), self.store.pending
        is_alone = len(self.messages) == 1
        for message in self.messages:
            if not rule.counts:
                pending.release(message, reason)
            elif rule.final and is_alone:
                pending.refuse(message, reason)
            else:
                # Which message of several it was shows when each is tried alone.
                wait = rule.delay_ms * RETRY_FACTOR ** (message.attempts - 1) if is_alone else 0
                pending.fail(message, reason, wait)
        if rule.backoff_ms:
            backoffs(self.store).begin(self.settings.fingerprint, error)
            self.done.stopped = reason


MOST = 20
TURN_TIMEOUT_MS = 600_000
"""A turn without an event for so long counts as over."""

LONGEST = 3_000
"""Characters of one field of an event that are shown."""
LONGEST_TURN = 40_000
"""Characters of all events together; fields get shorter where there are many."""
EARLIER, FEW = 10, 2
"""Prompts of the session that are shown before the turn's own, where a summary is wanted: while there is
none so far, and with it."""
SO_FAR = 800
"""Characters of one field of the summary so far that are shown."""
COLUMNS = ("request", "investigated", "learned", "completed", "next_steps")

CHARACTERS_A_TOKEN = 3.5
TOKENS_A_RECORD = 250
"""Tokens that a model writes for an observation or a summary, about."""


def is_turn_due(store: Store) -> bool:
    """Return whether any turn is over and may be asked about now."""
    return store.pending.is_turn_due(TURN_TIMEOUT_MS)


def claim_turn(store: Store, owner: str) -> Sequence[PendingMessage]:
    """Lease the messages of the oldest turn that is over; nothing where there is none."""
    return store.pending.claim_turn(owner, TURN_TIMEOUT_MS, MOST)


def question_of(store: Store, session: Session, messages: Sequence[PendingMessage]) -> Question:
    """Return the question about the messages of one turn, whose ids its answer names."""
    tools = [message for message in messages if message.kind == "observation"]
    ends = [message for message in messages if message.kind == "summary"]
    room = min(LONGEST, LONGEST_TURN // max(1, 2 * len(tools)))
    prompts = store.prompts.standing(session)
    number = messages[0].prompt_number
    asked = [prompt.text for prompt in prompts if prompt.prompt_number == number]
    shown: dict[str, Any] = {
        "project": session.project,
        "prompt": excerpt(" ".join(asked), LONGEST),
        "events": [_event(store, session, message, room) for message in tools],
    }
    reply = reply_record(store, session, ends[-1]) if ends else None
    facts = stated_in(store, session, number) if ends else []
    if ends:
        if reply is not None:
            shown["reply_id"], shown["reply_rules"] = ends[-1].id, reply.type
        if facts:
            shown["rules_held"] = {str(fact.id): fact.content for fact in facts}
        so_far = _summary(store, session)
        earlier = [item for item in prompts if number is None or item.prompt_number < number]
        # What the summary so far says of them needn't be said again.
        shown["earlier_prompts"] = [
            excerpt(entry.text, 300) for entry in earlier[-(FEW if so_far else EARLIER) :]
        ]
        shown["reply"] = excerpt(reply_of(store, ends[-1]) or "", LONGEST)
        shown["summary_so_far"] = so_far
    shown["wanted"] = [
        *(["observations"] if tools else []),
        *(["summary"] if ends else []),
    ]
    text = json.dumps(shown, ensure_ascii=False)
    ids = tuple(message.id for message in (*tools, *(ends[-1:] if reply else ())))
    return Question(
        text,
        ids,
        bool(ends),
        ends[-1].id if reply else None,
        tuple(fact.id for fact in facts),
    )


def reply_record(store: Store, session: Session, end: PendingMessage) -> Observation | None:
    """Return the rules' record of the reply that ended a turn; None where it said nothing worth one."""
    if end.prompt_number is None or not end.last_assistant_message:
        return None
    said = [
        observation
        for observation in store.observations.of_turn(session.id, end.prompt_number)
        if observation.tool_name == REPLY and observation.created_at <= end.created_at
    ]
    return max(said, key=lambda reply: (reply.created_at, reply.id), default=None)


def _event(store: Store, session: Session, message: PendingMessage, room: int) -> dict[str, Any]:
    assert message.observation_id is not None
    rules: Observation = store.observations.get(message.observation_id)
    tool = ToolUse(
        message.tool_name or "unknown",
        parse_stored(message.tool_input),
        parse_stored(message.tool_response),
    )
    return {
        "id": message.id,
        "tool": message.tool_name,
        **event_text(tool, session.project_path or message.cwd, room),
        "rules": f"{rules.type}: {rules.title}",
    }


def _summary(store: Store, session: Session) -> dict[str, str]:
    standing = store.summaries.of_observer(session, "detailed")
    fields = {name: getattr(standing, name) for name in COLUMNS} if standing else {}
    return {name: excerpt(text, SO_FAR) for name, text in fields.items() if text}


@dataclass(frozen=True, slots=True)
class Forecast:
    """How many messages wait for a model, and about how many tokens it would read and write; `dollars` is
    None where no prices are configured."""

    messages: int = 0
    input: int = 0
    output: int = 0
    dollars: float | None = None


def forecast(store: Store, settings: ModelSettings | None) -> Forecast:
    """Return what asking about all waiting messages would take; zeros where no model is configured."""
    if settings is None:
        return Forecast()
    messages, turns, characters = store.pending.sizes(LONGEST)
    calls = max(turns, -(-messages // MOST))
    read = round((characters + calls * 2 * len(INSTRUCTIONS)) / CHARACTERS_A_TOKEN)
    written = min(messages * TOKENS_A_RECORD, calls * settings.output_tokens)
    return Forecast(messages, read, written, settings.dollars(read, written))


CONTEXT = 2
"""Unchanged lines that are shown around a change."""
MOST_DIFFED = 4_000
"""Lines of both sides of an edit that are compared; what is longer is shown by head and tail."""
READ_SHARE = 3
"""What was read, or written anew, is shown by this part of the room: it stands in the project."""


def event_text(tool: ToolUse, root: str | None, room: int) -> dict[str, str]:
    """Return what is shown of a tool use, by name, in about twice `room` characters at most: `edit` with
    `paths`, or `input`, and `response` where it says more."""
    used = parse_tool_use(tool, root)
    paths = ", ".join(used.named(used.paths))
    shown: dict[str, str] = {}
    if used.action in (tools.EDIT, tools.WRITE) and (edit := _edit(used)):
        part = room if used.action == tools.EDIT else room // READ_SHARE
        shown = {"paths": paths, "edit": excerpt(edit, part)}
        if used.failed:
            shown["response"] = excerpt(used.output.text, part)
    else:
        given = used.line or _given(used.given)
        part = room // READ_SHARE if used.action == tools.READ else room
        shown = {"input": excerpt(given, room), "response": excerpt(used.output.text, part)}
    return {name: text for name, text in shown.items() if text}


def excerpt(text: str, most: int) -> str:
    """Return the head and the tail of a text longer than `most` characters; a shorter one as it is."""
    if len(text) <= most:
        return text
    return f"{text[: most * 3 // 4]}\n[… {len(text) - most:,} characters …]\n{text[-(most // 4) :]}"


def _edit(used: ParsedToolUse) -> str:
    """Return what an edit changed, as far as its input tells: a patch as it is, else a diff; the text of a
    file that was written."""
    if patch := next(patches_in(used.given), ""):
        return patch
    changes = [_change(before, after) for before, after in edits_in(used.given)]
    return "\n".join(changes) if changes else written_content(used)


def _change(before: str, after: str) -> str:
    """Return the diff of two texts; of long ones the text after."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > MOST_DIFFED:
        return after
    lines = difflib.unified_diff(old, new, n=CONTEXT, lineterm="")
    # The names and numbers of a file's lines aren't known here: the texts are parts of it.
    return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def _given(given: Mapping[str, Any]) -> str:
    """Return a tool's input: its text where it is one, else as JSON."""
    if len(given) == 1 and isinstance(only := next(iter(given.values())), str):
        return only
    return json.dumps(given, ensure_ascii=False) if given else ""
