"""The errors of a call to a provider, and how each is retried."""

from __future__ import annotations

from typing import Literal

from ..records.dataclasses import dataclass

ErrorKind = Literal["auth", "quota", "rate", "unreachable", "timeout", "refused", "invalid"]

SECOND, MINUTE, HOUR = 1_000, 60_000, 3_600_000


@dataclass(frozen=True, slots=True)
class RetryRule:
    """How an error is retried. Where `counts`, it is an attempt of the message, which waits for
    `delay_ms` (four times as long after each further one); else whoever asks backs off for
    `backoff_ms` (twice as long after each further one, an hour at most). One that is `final` is not
    tried again."""

    counts: bool
    delay_ms: int = 0
    backoff_ms: int = 0
    final: bool = False


RULES: dict[ErrorKind, RetryRule] = {
    "auth": RetryRule(counts=False, backoff_ms=HOUR),
    "quota": RetryRule(counts=False, backoff_ms=HOUR),
    "rate": RetryRule(counts=False, backoff_ms=MINUTE),
    "unreachable": RetryRule(counts=False, backoff_ms=MINUTE),
    "timeout": RetryRule(counts=True, delay_ms=MINUTE, backoff_ms=10 * SECOND),
    "refused": RetryRule(counts=True, final=True),
    "invalid": RetryRule(counts=True, delay_ms=MINUTE),
}
"""auth: key, model, address or program is wrong. quota: nothing left to spend. rate: too many calls.
unreachable: no connection. timeout: slow, cut off, or the server's own fault. refused: the model
won't, or takes the request for a bad one. invalid: the answer isn't what was asked for."""


class ProviderError(Exception):
    """A call without a usable answer. `retry_ms` is how long the provider asked to wait; `spent` is
    whether the model may have worked, so that the call counts with its estimated tokens."""

    def __init__(
        self, kind: ErrorKind, reason: str, *, retry_ms: int | None = None, spent: bool = False
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.retry_ms = retry_ms
        self.spent = spent

    @property
    def rule(self) -> RetryRule:
        """How it is retried."""
        return RULES[self.kind]

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"
