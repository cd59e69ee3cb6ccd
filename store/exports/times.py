"""Moments as other programs and people read them in a file."""

from __future__ import annotations

from datetime import UTC, datetime


def iso(at: int) -> str:
    """A moment, ms since the epoch, as `2026-02-17T19:31:40.000Z`; '' for one that no calendar has."""
    try:
        found = datetime.fromtimestamp(at / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return f"{found:%Y-%m-%dT%H:%M:%S}.{at % 1000:03}Z"
