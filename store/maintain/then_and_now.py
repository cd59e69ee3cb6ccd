"""What a session was given at its start, rebuilt as of that moment, beside what it would be given now."""

from __future__ import annotations

from collections.abc import Sequence

from ..context.block import Context, compose
from ..context.log_entries import LogEntry
from ..context.own_files import AgentsFile, own_files
from ..context.scope import scope_of
from ..context.wrapper import BLANK_NONCE, random_nonce
from ..database.transaction import snapshot
from ..formats.common.progress import ImportProgress
from ..records.dataclasses import dataclass
from ..store import Store
from ..text.plural import count_noun
from ..text.tokens import estimate_tokens
from ..translation import _
from .past import as_of

LIGHTEST_NONCE = "a" * len(BLANK_NONCE)
"""No nonce takes fewer tokens, and none takes more than the blank one."""


@dataclass(frozen=True, slots=True)
class ThenAndNow:
    """What the log says that a session was given, the block as it is rebuilt of the memories and the
    profile of then, and the one of now; both by the rules of this version. It `is_exact` where the log
    names the same memories in as many tokens; else `notes` say, sentence by sentence, why not."""

    logged: LogEntry
    then: Context
    now: Context
    is_exact: bool
    notes: tuple[str, ...]


def then_and_now(store: Store, logged: LogEntry, progress: ImportProgress | None = None) -> ThenAndNow:
    """Compare what a session was given with what it would be given now. Errors are those of
    `memtui.store.maintain.past.as_of`."""
    nonce = random_nonce()
    # What its own files said then is not known; as they are now is next to it.
    own = own_files(store.db, logged.project, logged.agent)
    with (
        as_of(store.path, logged.at, progress) as result,
        Store.open(result.path, read_only=True) as past,
    ):
        then = _composed(past, logged, nonce, own)
    now = _composed(store, logged, nonce, own)
    # The nonce that it was given had letters and digits, which take more than letters.
    texts = (then.text.replace(nonce, text) for text in (LIGHTEST_NONCE, BLANK_NONCE))
    least, most = map(estimate_tokens, texts)
    is_exact = then.refs == logged.refs and least <= logged.tokens <= most
    notes = () if is_exact else (_difference(logged, then), *result.notes)
    return ThenAndNow(logged, then, now, is_exact, notes)


def _composed(store: Store, logged: LogEntry, nonce: str, own: Sequence[AgentsFile]) -> Context:
    with snapshot(store.db):
        scope = scope_of(store.db, logged.agent, logged.session, logged.occasion, before=logged.at)
        return compose(store.db, logged.project, scope=scope, nonce=nonce, own=own)


def _difference(logged: LogEntry, then: Context) -> str:
    missing = [ref for ref in logged.refs if ref not in then.refs]
    more = [ref for ref in then.refs if ref not in logged.refs]
    here, there = (
        _(
            "{memories}, {tokens}",
            memories=count_noun(len(item.refs), "memories"),
            tokens=count_noun(item.tokens, "tokens"),
        )
        for item in (then, logged)
    )
    sentences = [_("Not exact: {here} here; {there} in the log.", here=here, there=there)]
    if missing:
        sentences.append(_("Missing: {refs}.", refs=_(", ").join(missing)))
    if more:
        sentences.append(_("Extra: {refs}.", refs=_(", ").join(more)))
    return " ".join(sentences)
