"""What commands are declared with, are given, and answer with. typer isn't imported here:
`memtui.store.cli.app` makes its commands of these.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..platform.paths import default_path
from ..platform.system import posix
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass, field
from .output.console import print_changed, print_json, progress_bar, tell, tell_notices
from .typer_later import typer

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from ..records.rows import Common
    from ..store import Store


DATABASE_HELP = N_("The store's file; else MEMTUI_DB, else the one in your data directory.")
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
JSON_HELP = N_("Print one JSON document.")
AS_OF_HELP = N_("Read the store as it was then: 2026-02-17 (the end of that day), 2026-02-17T18:00, 3d.")


def print_ref(call: Call, record: Common, what: str) -> None:
    """Print the ref of the record that was written, on a terminal `what` was done, or with --json the
    record."""
    from .output.serializers import record_json, ref

    if call.json:
        print_json(record_json(record))
    else:
        print_changed([ref(record)], what)


class Command:
    """A kind of command: it takes --db and --json, has a `Call` as its context's object, and turns what the
    store refuses into one sentence on stderr and exit code 1."""

    can_look_back = False
    """Whether it can be asked of the store as it was (`--as-of`)."""
    flag: re.Pattern[str] | None = None
    """Of a command whose arguments are a query, how what is no word of it begins."""


class ReadingCommand(Command):
    """A command that only reads, also the store as it was at a date."""

    can_look_back = True


AnyFunction = TypeVar("AnyFunction", bound="Callable[..., object]")


@dataclass(frozen=True, slots=True)
class Declared:
    """A command: its function, which takes the `Call` first, then its options and arguments."""

    function: Callable[..., object]
    kind: type[Command]


@dataclass(slots=True)
class Group:
    """Commands by name; `alone` is the one that runs where none is named."""

    help: str | None = None
    alone: str = ""
    commands: dict[str, Declared] = field(default_factory=dict)

    def command(
        self, name: str | None = None, *, cls: type[Command]
    ) -> Callable[[AnyFunction], AnyFunction]:
        """Declare a command, named as its function unless another name is given."""

        def declared(function: AnyFunction) -> AnyFunction:
            self.commands[name or function.__name__.replace("_", "-")] = Declared(function, cls)
            return function

        return declared


def group(help: str | None = None, *, alone: str = "") -> Group:
    """Return a group of commands, still without any."""
    return Group(help, alone)


@dataclass(frozen=True, slots=True)
class Call:
    """What every command is given: the path of the store, whether to print JSON, and what the command
    is called ("mem delete"). `as_of` is the date that is looked back to, as it was typed."""

    database: str | None = None
    json: bool = False
    command: str = "mem"
    as_of: str | None = None
    past: Path | None = None
    """The copy of the store as it was then."""

    @property
    def path(self) -> Path:
        """The file of that store, whether it is there or not."""
        return Path(self.database) if self.database is not None else default_path()

    def answer(self, value: object, text: str, /, **values: object) -> None:
        """Say on stderr what was done, as `tell` does; with --json print a value instead."""
        if self.json:
            print_json(value)
        else:
            tell(text, **values)

    def check_person(self) -> None:
        """Raise StoreError in an agent's shell, where its user gives a word on what agents write."""
        from ..agents.shell import agent_shell
        from ..config import reviews_agents
        from ..database.transaction import ONLY_A_PERSON
        from ..platform.errors import StoreError

        if agent_shell(os.environ) is not None and reviews_agents():
            raise StoreError(ONLY_A_PERSON)

    @contextmanager
    def writing(self) -> Iterator[Store]:
        """Open the store for writing; it is made when it is missing."""
        from ..store import Store

        if self.past is not None:
            from ..platform.errors import ReadOnlyError

            raise ReadOnlyError(_unchangeable(self.command))
        with _finished(self._named(Store.open(self.database))) as store:
            yield store
            if store.held:
                from ..text.plural import count_noun

                memories = count_noun(store.held, "memories")
                tell("Waiting for the user's word (`mem review`): {memories}.", memories=memories)

    def reading(self, *, observing: bool = True) -> Store:
        """Open the store, with what hooks have left stored and, unless the queue itself is asked
        about, made memories of.

        It is never made, and read-only where it can't be written."""
        if self.past is not None:
            from ..store import Store

            return Store.open(self.past, read_only=True)
        from ..capture.ingest.catch_up import open_caught_up

        return _finished(self._named(open_caught_up(self.database, observing=observing)))

    def _named(self, store: Store) -> Store:
        """Have the journal say which command changes the store, and which agent runs it."""
        from ..agents.shell import agent_shell

        shell = agent_shell(os.environ)
        store.made_by(self.command, shell[0] if shell else None)
        return store


def _finished(store: Store) -> Store:
    """Finish a purge that was killed, or waited for a reader to go, if that can be done at once."""
    from ..platform.errors import StoreError
    from ..tables.removal.purge import is_unfinished

    if not store.read_only and is_unfinished(store.db):
        from ..maintain.purge import finish_interrupted

        with suppress(StoreError):
            finish_interrupted(store)
    return store


def _unchangeable(command: str) -> str:
    return _(
        "`{command}` can't change the past: run it without --as-of to change the current store.",
        command=command,
    )


def carry_out(call: Call, kind: type[Command], do: Callable[[Call], object]) -> int:
    """Do what a command does; its exit code. typer's own exceptions are raised on."""
    from ..database.files import atomic, temporary

    if call.as_of is not None and not kind.can_look_back:
        tell(_unchangeable(call.command))
        return 2
    temporary.work_for(call.path)
    temporary.sweep(call.path)
    atomic.sweep(call.path)
    try:
        with ExitStack() as stack:
            if call.as_of is not None:
                call = _looking_back(call, call.as_of, stack)
            do(call)
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; what is still buffered goes nowhere.
        os.dup2(posix.open(os.devnull, posix.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        message = failure_sentence(error) or odd_values_sentence(call, error)
        if message is None and isinstance(error, OverflowError):
            message = _("A number that was given to `{command}` is too large.", command=call.command)
        if message is None:
            raise
        tell(message)
        return 1
    finally:
        tell_notices()
    return 0


def write_utf8() -> None:
    """Have JSON be UTF-8 whatever the locale; what a terminal has no letters for becomes \\uxxxx."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")


def _looking_back(call: Call, date: str, stack: ExitStack) -> Call:
    """Return the call with the store as it was, which is gone when the stack ends, and say so."""
    from ..capture.ingest.catch_up import open_caught_up
    from ..maintain.past import as_of, moment_of
    from ..platform.errors import StoreError

    try:
        at = moment_of(date)
    except StoreError as error:
        raise typer.BadParameter(str(error)) from None
    open_caught_up(call.database).close()
    with progress_bar(_("Looking back")) as show:
        past = stack.enter_context(as_of(call.path, at, show and (lambda n, all: show(n, all, ""))))
    for sentence in (past.title, *past.notes):
        tell(sentence)
    return Call(call.database, call.json, call.command, date, past.path)


def odd_values_sentence(call: Call, error: Exception) -> str | None:
    """Return the sentence for a failure over what another program, or a failing disk, left in the
    store; None where nothing of that kind is there."""
    if not isinstance(error, TypeError | ValueError | LookupError | AttributeError | OverflowError):
        return None
    import apsw

    from ..database.schema.shapes import odd_values_sentence
    from ..platform.errors import StoreError
    from ..store import Store

    try:
        with Store.open(call.database, read_only=True) as store:
            return odd_values_sentence(store.db)
    except (StoreError, apsw.Error):
        return None


def failure_sentence(error: Exception) -> str | None:
    """Return the sentence for a failure that is not this program's own; None for one that is."""
    import apsw

    from ..platform.errors import StoreError

    if isinstance(error, StoreError):
        return str(error)
    if isinstance(error, apsw.Error | UnicodeDecodeError):
        return _("The store could not be read ({error}). `mem doctor` looks for the cause.", error=error)
    if isinstance(error, UnicodeEncodeError):
        return _(
            "{path} can't be opened, since its path is not UTF-8. Name another with --db.",
            path=error.object,
        )
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        if error.filename:
            return _(
                "The disk is full for {path} ({reason}). Make room, then do it again.",
                path=error.filename,
                reason=error.strerror,
            )
        return _("The disk is full ({reason}). Make room, then do it again.", reason=error.strerror)
    if isinstance(error, OSError) and error.strerror:
        place = f"{os.fsdecode(error.filename)}: " if error.filename else ""
        return f"{place}{error.strerror}."
    return None
