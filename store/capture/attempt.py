"""One line of the spool becomes rows, or a reason why it can't."""

from __future__ import annotations

import apsw

from ..errors import StoreError
from ..store import Store
from . import spool
from .agents import events_of
from .agents.sniffing import sniff
from .keeping import keep
from .spool import SpoolRecord

DAY_MS = 86_400_000

PASSING = (apsw.BusyError, apsw.FullError, apsw.IOError, apsw.InterruptError, apsw.ReadOnlyError)
"""What says nothing of the record: it will be tried again."""


def attempt(store: Store, line: bytes) -> str | None:
    """Store a line in the present unit of work; else why not, and nothing of it is stored."""
    db = store.db
    db.execute("SAVEPOINT record")
    try:
        record = spool.read_record(line)
        kept = [keep(store, event, "hook") for event in events_of(record)]
        note_run(store, record, sum(kept))
    except PASSING:
        raise
    except (StoreError, apsw.Error) as error:
        if isinstance(error.__cause__, PASSING) or not db.in_transaction:
            raise
        reason = str(error)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        # Whatever an event may hold, it must not keep those behind it from being stored.
        reason = (
            f"{type(error).__name__}: {error}" if not isinstance(error, ValueError) else str(error)
        )
    else:
        db.execute("RELEASE record")
        return None
    db.execute("ROLLBACK TO record")
    db.execute("RELEASE record")
    return reason


def note_run(store: Store, record: SpoolRecord, kept: int) -> None:
    """Remember how long the hook took, and that its agent is alive."""
    agent = sniff(record)
    store.db.execute(
        "INSERT INTO hook_runs (at, agent, microseconds) VALUES (?, ?, ?)",
        (record.at, agent, record.took),
    )
    store.db.execute(
        "INSERT INTO agent_days VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
        "events = events + excluded.events, last_at = max(last_at, excluded.last_at)",
        (agent, record.at // DAY_MS, kept, record.at),
    )
