"""What every reader does first: store what hooks have left, as far as that can be done at once."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from ...database import notices
from ...database.files.disk import is_unwritable
from ...platform.errors import DatabaseError, ReadOnlyError, StoreError, failure_of
from ...platform.paths import default_path
from ...platform.translation import _
from ...store import Store
from . import spool, spool_state

READER_SECONDS = 0.25
"""What a command that reads may spend on it."""

SETTLE_SECONDS = 1.0
"""How long it waits for what hooks have taken to be in the spool: more than a moment only on a machine that
can't keep up."""

PATIENCE_SECONDS = 0.05
"""How long it waits for another process that is writing."""


def catch_up(store: Store, seconds: float = READER_SECONDS, *, observing: bool = True) -> bool:
    """Store what is in the spool, then what is in transcripts beyond it, and have the rules make
    memory of it, unless a job comes next (`observing` is False); whether all was done.

    Nothing is imported where there is nothing to store. A memory that can only be read, or that
    another process is writing to, is left as it is.
    """
    if store.read_only or store.db.in_transaction:
        return True
    try:
        return _catch_up(store, seconds, observing=observing)
    except (StoreError, apsw.Error):
        raise
    except Exception as error:
        # Whatever waits, who reads goes on without it.
        notices.say(_("What agents told since can't be stored ({error}).", error=failure_of(error)))
        return True


def _catch_up(store: Store, seconds: float, *, observing: bool) -> bool:
    spool.narrow(store.path)
    spool.settle(store.path, SETTLE_SECONDS)
    end = time.monotonic() + seconds
    if any(segment.unstored for segment in spool_state.known_segments(store.db, store.path)):
        from .drain import drain

        if drain(store, seconds=seconds, settling=False).left:
            return False
    if not read_due_transcripts(store, max(0.05, end - time.monotonic())):
        return False
    finish_turns(store)
    return not observing or observe(store, max(0.05, end - time.monotonic()))


def waiting_events(store: Store) -> int:
    """Return how many events of hooks are not stored yet."""
    known = spool_state.known_segments(store.db, store.path)
    return sum(1 for _ in spool.unstored_lines(known)) if any(segment.unstored for segment in known) else 0


def still_waiting(store: Store) -> str:
    """Return the sentence that says that events wait, which a search may lack; '' where none does."""
    number = waiting_events(store)
    if not number:
        return ""
    if number == 1:
        return _("1 event of an agent is still being stored: there may be more.")
    return _("{number} events of agents are still being stored: there may be more.", number=f"{number:,}")


def read_due_transcripts(store: Store, seconds: float) -> bool:
    """Read on in the transcripts of which hooks have left a note, for about so many seconds; whether
    none is left."""
    if store.db.execute("SELECT 1 FROM transcripts WHERE is_due = 1 LIMIT 1").get is None:
        return True
    from .drain import busy_timeout, unless_busy
    from .transcripts import reconcile

    with unless_busy(), busy_timeout(store.db, PATIENCE_SECONDS):
        return reconcile(store, seconds=seconds)
    return False


def finish_turns(store: Store, agent: str = "", project: str = "", starting: str = "") -> None:
    """Queue the ends of turns that are over though nothing told so: of sessions that ended or are
    idle, and of those that an agent leaves in a project by `starting` another."""
    numbers = store.pending.unfinished_sessions(agent=agent, project=project, starting=starting)
    if not numbers:
        return
    from .drain import busy_timeout, unless_busy

    with unless_busy(), busy_timeout(store.db, PATIENCE_SECONDS), store.transaction():
        for number in numbers:
            store.pending.finish_turn(number, store.prompts.last_visible_text(number))


def observe(store: Store, seconds: float) -> bool:
    """Do what the rules can with the queue in about so many seconds; whether nothing is left to them."""
    if not store.pending.is_for_rules():
        return True
    from ...observe.jobs.job import process_by_rules
    from .drain import busy_timeout, unless_busy

    with unless_busy(), busy_timeout(store.db, PATIENCE_SECONDS):
        process_by_rules(store, seconds)
    return not store.pending.is_for_rules()


def is_there(path: Path) -> bool:
    """Whether there is a memory, or hooks have left events for it that make one."""
    spool.narrow(path)
    if path.exists():
        return True
    spool.settle(path, SETTLE_SECONDS)
    return any(segment.unstored for segment in spool.segments(path, spool.Stored(memory="")))


def open_caught_up(path: Path | str | None, *, observing: bool = True) -> Store:
    """Open a memory to read from and catch up; read-only where it can't be written.

    Raises what `Store.open` raises; a memory is made only where events wait for one.
    """
    database = Path(path) if path is not None else default_path()
    if is_there(database):
        try:
            store = Store.open(database)
        except ReadOnlyError:
            pass
        except DatabaseError as error:
            if not is_unwritable(error):
                raise
            _say_unwritten(error)
        else:
            try:
                store.db.pragma("temp_store", "memory")
                catch_up(store, observing=observing)
            except (StoreError, apsw.Error) as error:
                # A full disk, for example: what is stored can be read all the same.
                store.close()
                _say_unwritten(error)
            else:
                return store
    return Store.open(database, read_only=True)


def _say_unwritten(error: Exception) -> None:
    notices.say(_("{error} Until then the store is read as it is.", error=error))
