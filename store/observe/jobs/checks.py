"""What `mem doctor` says of the queue and its observer."""

from __future__ import annotations

from collections.abc import Iterator

from ...config import ModelSettings, model_settings
from ...database.health import Check
from ...platform.clock import DAY_MS, now_ms
from ...platform.errors import ConfigurationError
from ...platform.translation import N_, _
from ...providers.usage import TokenUsage
from ...store import Store
from ...tables.queue import boot_ms
from ...text.plural import count_noun
from .worker import current_backoff, held_for

STUCK_SECONDS = 1_800
"""A worker is at one message for seconds, with a slow model for minutes."""

LONG_WAIT_MS = DAY_MS
"""What has waited so long for the rules isn't worked on by anybody."""
LONG_LEASE_MS = 600_000
"""Nor is what stays leased, or has no summary, so long after its time."""
FEW_FAILURES = 2
"""Calls that may fail in a day before that says anything of the model."""


def observer_checks(store: Store) -> Iterator[Check]:
    """Yield the checks of the observer, of messages that were given up, and of a queue that doesn't
    go."""
    yield observer_check(store)
    failed = store.pending.given_up()
    yield Check(
        N_("queue"),
        failed == 0,
        _("{messages} given up", messages=count_noun(failed, "messages"))
        + (f" ({store.pending.why_given_up()})" if failed else ""),
        _("mem queue list --status failed and --status abandoned tell why; then mem queue retry or drop"),
    )
    yield from _waiting(store)


def _waiting(store: Store) -> Iterator[Check]:
    """A message without a record is worked on within minutes: by hooks, the browser or a command."""
    oldest = store.pending.oldest_unobserved()
    if oldest is not None and now_ms() - oldest > LONG_WAIT_MS:
        yield Check(
            N_("queue waits"),
            False,
            _(
                "{messages}, the first for {days}",
                messages=count_noun(store.pending.counts().get("pending", 0), "messages"),
                days=count_noun((now_ms() - oldest) // DAY_MS, "days"),
            ),
            _("mem queue process; if that does nothing, another process holds the worker's lock."),
        )
    expired = store.pending.longest_expired()
    if expired > LONG_LEASE_MS:
        yield Check(
            N_("leases"),
            False,
            _("a worker let its message lie for {time}", time=duration(expired)),
            _("mem queue process frees it and works on it."),
        )
    overdue = store.pending.overdue_summaries(now_ms() - LONG_LEASE_MS)
    if overdue:
        yield Check(
            N_("summaries"),
            False,
            _("1 session without the summary of its last turn")
            if overdue == 1
            else _(
                "{sessions} without the summary of their last turn",
                sessions=count_noun(overdue, "sessions"),
            ),
            _("mem queue process makes them; mem queue list tells why one could not be made."),
        )
    age = held_for(store.path)
    if age is not None and age > STUCK_SECONDS:
        yield Check(
            N_("worker"),
            False,
            _(
                "one has worked on the same message for {minutes}",
                minutes=count_noun(round(age / 60), "minutes"),
            ),
            _(
                "End that process (`fuser` or `lsof` on the spool's worker lock names it); its "
                "message is taken up again."
            ),
        )


def configuration_check() -> Check:
    """Return who is to observe, as far as the configuration alone tells."""
    try:
        settings = model_settings()
    except ConfigurationError as error:
        remedy = _("What waits for a model waits until then.")
        return Check("observer", False, str(error), remedy)
    content = _("rules") if settings is None else _("rules, then {model}", model=settings.name)
    return Check("observer", True, content)


def observer_check(store: Store) -> Check:
    """Return who observes; not well where `config.toml` can't be read, or a backoff holds."""
    check = configuration_check()
    settings = model_settings() if check.ok else None
    return check if settings is None else _of_model(store, settings)


def _of_model(store: Store, settings: ModelSettings) -> Check:
    backoff = current_backoff(store, settings)
    if backoff is None:
        return _of_calls(store, settings)
    return Check(
        "observer",
        False,
        _(
            "{model} rests for {time} ({kind}): {reason}",
            model=settings.name,
            time=duration(backoff.until - boot_ms()),
            kind=backoff.kind,
            reason=backoff.reason,
        ),
        _("mem queue process asks it at once."),
    )


def _of_calls(store: Store, settings: ModelSettings) -> Check:
    """What became of today's calls (UTC): a model whose answers can't be used isn't well."""
    for usage in TokenUsage(store.db, store.transaction()).days(1):
        failed = _(
            "{number} of {calls} failed today",
            number=f"{usage.failed:,}",
            calls=count_noun(usage.calls, "calls"),
        )
        if (
            usage.model == settings.name
            and usage.failed >= FEW_FAILURES
            and 2 * usage.failed >= usage.calls
        ):
            return Check(
                "observer",
                False,
                _("rules, then {model}: {failed}", model=settings.name, failed=failed),
                _("mem queue list tells why; another model, or json_schema = false, may answer better."),
            )
    return Check("observer", True, _("rules, then {model}", model=settings.name))


def duration(ms: int) -> str:
    """Return a time span in words of its own size: 7 s, 3 min, 5 h, 2 days; never less than it is."""
    for unit, text, longest in (
        (1_000, N_("{number} s"), 120), (60_000, N_("{number} min"), 120),
        (3_600_000, N_("{number} h"), 48),
    ):  # fmt: skip
        if (number := -(-ms // unit)) < longest:
            return _(text, number=number)
    return count_noun(ms // DAY_MS, "days")
