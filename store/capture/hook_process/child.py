"""The process that a hook leaves behind cleans the event and appends it to the spool; at the end of a turn
or of a session it also stores what waits.

Nobody waits for it, and nothing of the event is written before it is clean, wherever it is killed.
Where there can be no such process, the hook itself does the same before it ends.
"""

import time

from ...platform.paths import PRIVATE_FILE, spool_path
from ...platform.system import posix
from ...text.redaction import table_version
from ..ingest.cleaning import clean_event
from ..ingest.spool_files import append, segment_name, wait_for_hooks
from . import AGENT_VARIABLES, CHILD, HandedOver, Ticket, exclusion_globs, in_spite_of_errors

ORDER_SECONDS = 10.0
"""How long an event waits for those that were handed over before."""

ANSWER_SECONDS = 0.25
"""How long a hook does that has no child and has to answer."""

MOST_FILES = 256
"""Numbers of files that the agent may have left open to its hooks."""


def finish(event: HandedOver, ticket: Ticket, is_end: bool) -> None:
    """Do what is left to do of an event, in a process of its own; `is_end` if it ends a turn or session."""
    posix.closerange(3, ticket.file)
    posix.closerange(ticket.file + 1, MOST_FILES)

    def leave() -> None:
        ticket.give_back()
        in_spite_of_errors(note_end, spool_path(event.database))

    try:
        is_stored = store_event(event, ticket.name)
    except BaseException:
        ticket.give_back()
        raise
    if is_stored and is_end:
        # The ticket is kept until then: a session that starts now is told what this one came to.
        try:
            from .session_start import answer

            answer(event.agent, event.raw, event.database, time.monotonic(), ticket.name, leave)
        except Exception:
            # The event isn't lost: whoever comes next stores it.
            pass
    leave()


def store_event(event: HandedOver, ticket: bytes, patience: float = ORDER_SECONDS) -> bool:
    """Clean an event and append it behind those that were handed over before it, as its ticket's name
    tells; False for one that is excluded."""
    import gc

    # So short a process has nothing to collect, and would be searched again and again.
    gc.disable()
    spool = spool_path(event.database)
    cleaned = clean_event(event.raw, event.folder, exclusion_globs(spool))
    if cleaned is None:
        return False
    if ticket:
        wait_for_hooks(spool, patience, ticket)
    append(event.database, spool, segment_name(), spool_line(event, *cleaned))
    return True


def spool_line(event: HandedOver, raw: bytes, folder: bytes) -> bytes:
    """The line to append: a header, then the event as it was cleaned.

    A line break on either side: a record that was torn by a crash spoils only itself.
    """
    variables = b'","'.join(name for name in AGENT_VARIABLES if name in posix.environ)
    return b'\n{"at":%d,"took":%d,"agent":"%b","env":[%b],"cleaned":"%b","cwd":"%b","event":%b}\n' % (
        event.at,
        event.took,
        event.agent.encode(),
        b'"' + variables + b'"' if variables else b"",
        table_version().encode(),
        folder,
        raw,
    )


def note_end(spool: bytes) -> None:
    """Note this process's id, unless that of one which nobody has waited for is there."""
    own = b"%b/%d%b" % (spool, posix.getpid(), CHILD)
    for name in posix.listdir(spool):
        if name.endswith(CHILD):
            if not in_spite_of_errors(posix.stat, b"/proc/" + name[: -len(CHILD)]):
                posix.unlink(spool + b"/" + name)
            else:
                return
    posix.close(posix.open(own, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL, PRIVATE_FILE))
