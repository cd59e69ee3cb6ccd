"""Write amounts of money and spans of time as text."""

from __future__ import annotations

from ....translation import _


def dollars(amount: float) -> str:
    """Return a sum as it is shown."""
    return f"${amount:,.4f}"


def span(seconds: float) -> str:
    """Return about how long something takes."""
    from ....observe.jobs.checks import duration

    return _("about {duration}", duration=duration(max(1000, round(seconds * 1000))))
