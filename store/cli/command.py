"""What commands that write answer with."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import ExitStack, contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer._click.exceptions import UsageError
from typer.core import TyperCommand, TyperGroup, TyperOption

from ..records.dataclasses import dataclass
from .output.console import print_json, print_line, tell, tell_notices
from .output.serializers import record_json, ref

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command as BaseCommand
    from typer._click import Context, HelpFormatter

    from ..records import Common
    from ..store import Store


DATABASE_HELP = "The memory's file; else MEMTUI_DB, else the one in your data directory."
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
JSON_HELP = "Print one JSON document."
AS_OF_HELP = (
    "Read the memory as it was then: 2026-02-17 (the end of that day), 2026-02-17T18:00, 3d."
)


def print_ref(call: Call, record: Common) -> None:
    """Print the ref of the record that was written, or with --json the record."""
    if call.json:
        print_json(record_json(record))
    else:
        print_line(ref(record))


class Group(TyperGroup):
    """A group of commands, whose help has every command's whole first sentence."""

    def lines(self, ctx: Context) -> list[tuple[str, str]]:
        """Every command's name and its line in the help."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        return [
            (name, _first_paragraph(command.help or ""))
            for name, command in found
            if command is not None and not command.hidden
        ]

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the list of commands, folded where a line is too narrow, and never cut."""
        if lines := self.lines(ctx):
            with formatter.section("Commands"):
                formatter.write_dl(lines)

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, BaseCommand | None, list[str]]:
        """Find the command that is named first; what is none is told with the nearest there is."""
        try:
            return self._click_resolve_command(ctx, args)
        except UsageError as error:
            near = get_close_matches(args[0], self.list_commands(ctx)) if args else []
            if near:
                names = " or ".join(f"`{ctx.command_path} {name}`" for name in near)
                error.message = f"{error.message} Did you mean {names}?"
            raise


def _first_paragraph(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split())


def group(
    help: str | None = None, cls: type[TyperGroup] = Group, *, completes: bool = False
) -> typer.Typer:
    """A group of commands. Its help is plain, since agents and pipes read it too."""
    return typer.Typer(
        help=help,
        cls=cls,
        no_args_is_help=True,
        add_completion=completes,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


@dataclass(frozen=True, slots=True)
class Call:
    """What every command is given: the path of the memory, whether to print JSON, and what the command
    is called ("mem delete"). `as_of` is the date that is looked back to, as it was typed."""

    database: str | None = None
    json: bool = False
    command: str = "mem"
    as_of: str | None = None
    past: Path | None = None
    """The copy of the memory as it was then."""

    @property
    def path(self) -> Path:
        """The file of that memory, whether it is there or not."""
        from ..paths import default_path

        return Path(self.database) if self.database is not None else default_path()

    @contextmanager
    def writing(self) -> Iterator[Store]:
        """Open the memory for writing; it is made when it is missing. The vectors of what was changed
        follow in the background."""
        from ..store import Store

        if self.past is not None:
            from ..errors import ReadOnlyError

            raise ReadOnlyError(_unchangeable(self.command))
        with _finished(self._named(Store.open(self.database))) as store:
            yield store
            _have_vectors_follow(store)

    def reading(self, *, observing: bool = True) -> Store:
        """Open the memory, with what hooks have left stored and, unless the queue itself is asked
        about, made memory of.

        It is never made, and read-only where it can't be written."""
        if self.past is not None:
            from ..store import Store

            return Store.open(self.past, read_only=True)
        from ..capture.ingest.catch_up import open_caught_up

        return _finished(self._named(open_caught_up(self.database, observing=observing)))

    def _named(self, store: Store) -> Store:
        """Have the journal say which command changes the memory, and which agent runs it."""
        from ..agents.shell import agent_shell

        shell = agent_shell(os.environ)
        store.made_by(self.command, shell[0] if shell else None)
        return store


def _finished(store: Store) -> Store:
    """Finish a purge that was killed, or waited for a reader to go, if that can be done at once."""
    from ..errors import StoreError
    from ..tables.purge import is_unfinished

    if not store.read_only and is_unfinished(store.db):
        from ..maintain.purge import finish_interrupted

        with suppress(StoreError):
            finish_interrupted(store)
    return store


def _have_vectors_follow(store: Store) -> None:
    from ..embeddings import waiting

    if waiting.are_kept(store.db):
        import apsw

        from ..errors import StoreError
        from ..observe.jobs.job import start_job_for_vectors

        # What the command was called for is done.
        with suppress(StoreError, apsw.Error, OSError):
            start_job_for_vectors(store)


def _unchangeable(command: str) -> str:
    return (
        f"`{command}` can't change the past: run it without --as-of to change the current memory."
    )


class Command(TyperCommand):
    """A command that takes --db and --json, has a `Call` as its context's object, and turns what
    the store refuses into one sentence on stderr and exit code 1."""

    can_look_back = False
    """Whether it can be asked of the memory as it was (`--as-of`)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [
            TyperOption(param_decls=["--json"], is_flag=True, default=False, help=JSON_HELP),
            TyperOption(param_decls=["--db"], metavar="PATH", help=DATABASE_HELP),
            TyperOption(
                param_decls=["--as-of"],
                metavar="DATE",
                help=AS_OF_HELP,
                hidden=not self.can_look_back,
            ),
        ]

    def invoke(self, ctx: Context) -> Any:
        from ..database import atomic, temporary

        before: Call = ctx.obj
        database, as_json = ctx.params.pop("db"), ctx.params.pop("json")
        as_of = ctx.params.pop("as_of") or before.as_of
        place = before.database if database is None else database
        ctx.obj = Call(place, as_json or before.json, ctx.command_path, as_of)
        if as_of is not None and not self.can_look_back:
            tell(_unchangeable(ctx.command_path))
            raise typer.Exit(2)
        temporary.work_for(ctx.obj.path)
        temporary.sweep(ctx.obj.path)
        atomic.sweep(ctx.obj.path)
        try:
            with ExitStack() as stack:
                if as_of is not None:
                    ctx.obj = _looking_back(ctx.obj, as_of, stack)
                result = super().invoke(ctx)
                sys.stdout.flush()
        except BrokenPipeError:
            # The reader has seen enough; what is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            message = failure_sentence(error) or odd_values_sentence(ctx.obj, error)
            if message is None:
                raise
            tell(message)
            raise typer.Exit(1) from None
        finally:
            tell_notices()
        return result


class ReadingCommand(Command):
    """A command that only reads, also the memory as it was at a date."""

    can_look_back = True


def _looking_back(call: Call, date: str, stack: ExitStack) -> Call:
    """Return the call with the memory as it was, which is gone when the stack ends, and say so."""
    from ..capture.ingest.catch_up import open_caught_up
    from ..errors import StoreError
    from ..maintain.past import as_of, moment_of
    from .output.progress import progress_bar

    try:
        at = moment_of(date)
    except StoreError as error:
        raise typer.BadParameter(str(error)) from None
    open_caught_up(call.database).close()
    with progress_bar("Looking back") as show:
        past = stack.enter_context(as_of(call.path, at, show and (lambda n, all: show(n, all, ""))))
    for sentence in (past.title, *past.notes):
        tell(sentence)
    return Call(call.database, call.json, call.command, date, past.path)


def odd_values_sentence(call: Call, error: Exception) -> str | None:
    """Return the sentence for a failure over what another program, or a failing disk, left in the
    memory; None where nothing of that kind is there."""
    if not isinstance(error, TypeError | ValueError | LookupError | AttributeError | OverflowError):
        return None
    import apsw

    from ..database.shapes import odd_values_sentence
    from ..errors import StoreError
    from ..store import Store

    try:
        with Store.open(call.database, read_only=True) as store:
            return odd_values_sentence(store.db)
    except (StoreError, apsw.Error):
        return None


def failure_sentence(error: Exception) -> str | None:
    """Return the sentence for a failure that is not this program's own; None for one that is."""
    import apsw

    from ..errors import StoreError

    if isinstance(error, StoreError):
        return str(error)
    if isinstance(error, apsw.Error | UnicodeDecodeError):
        return f"The memory could not be read ({error}). `mem doctor` looks for the cause."
    if isinstance(error, UnicodeEncodeError):
        return (
            f"{error.object} can't be opened, since its path is not UTF-8. Name another with --db."
        )
    if isinstance(error, OSError) and error.errno in NO_ROOM:
        place = f" for {error.filename}" if error.filename else ""
        return f"The disk is full{place} ({error.strerror}). Make room, then do it again."
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return None
