"""Foreign times: whatever a row says, as milliseconds since the epoch, UTC."""

from __future__ import annotations

from datetime import UTC, datetime

SECONDS_BELOW = 100_000_000_000
LATEST = 253_402_300_799_999
"""The end of the year 9999: a later number is no time that anything could show."""


def moment(epoch: int | None, text: str | None) -> int | None:
    """The time in ms, or None where neither value tells one.

    A number below 1e11 counts seconds; one that is no time at all gives way to the text, which is
    ISO 8601 and means UTC unless it says otherwise.
    """
    if epoch is not None:
        found = epoch * 1_000 if epoch < SECONDS_BELOW else epoch
        if 0 < found <= LATEST:
            return found
    try:
        parsed = datetime.fromisoformat(text or "")
        if parsed.tzinfo is None:
            parsed = parsed.replace(tzinfo=UTC)
        found = round(parsed.timestamp() * 1_000)
    except (ValueError, OverflowError):
        return None
    return found if 0 < found <= LATEST else None
