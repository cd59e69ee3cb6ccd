"""Write amounts of money and spans of time as text."""

from __future__ import annotations


def dollars(amount: float) -> str:
    """Return a sum as it is shown."""
    return f"${amount:,.4f}"


def span(seconds: float) -> str:
    """Return about how long something takes."""
    from ....observe.jobs.checks import duration

    return f"about {duration(max(1_000, round(seconds * 1_000)))}"
