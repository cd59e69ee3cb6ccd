"""Records that say nothing, for tests that care for some of their fields only."""

from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from memtui.store import Observation


def empty_values() -> dict[str, Any]:
    """The fields of an observation, with the least that each can hold: None, 0, False, "" or ()."""
    hints = get_type_hints(Observation)
    return {
        name: None if NoneType in get_args(hint) else (get_origin(hint) or hint)()
        for name, hint in hints.items()
    }


def empty_row() -> dict[str, Any]:
    """The columns of a new observation's row, with the same."""
    return {name: "[]" if value == () else value for name, value in empty_values().items() if name != "id"}
