"""What each agent's hooks send, as events. Whose event it is, the event itself tells."""

from __future__ import annotations

from .sniffing import sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..events import Event
    from ..spool import SpoolRecord


def events_of(record: SpoolRecord) -> list[Event]:
    """The events that a hook's record tells of; none for what is worth no memory.

    Raises ValueError with a sentence when it is no agent's event, or lacks what every event has.
    """
    from importlib import import_module

    agent = sniff(record)
    module = import_module(f".{agent.replace('-', '_')}", __name__)
    read: Callable[[SpoolRecord], list[Event]] = module.events
    return read(record)
