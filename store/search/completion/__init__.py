"""What is offered while a query is typed: names and values that complete it, and, where a part of it
can't be understood or matches nothing, the nearest that exists.
"""

from __future__ import annotations

from ..query.grammar import may_name_a_time


def may_be_remarked_on(text: str) -> bool:
    """Return whether a query may have remarks. It is quick and imports nothing, since most have none."""
    return ":" in text or may_name_a_time(text)
