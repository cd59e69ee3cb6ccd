"""The boundary around what the rules make of one event: whatever one of them raises, the event stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import apsw

from ..errors import StoreError, failure_of

T = TypeVar("T")


def judged(rules: Callable[[], T], plain: Callable[[], T]) -> tuple[T, str]:
    """Return what the rules make of an event and "", or where one fails what `plain` does and the
    failure in a line. An error of the store itself is none of the rules'."""
    try:
        return rules(), ""
    except (apsw.Error, StoreError):
        raise
    except Exception as error:
        return plain(), failure_of(error)
