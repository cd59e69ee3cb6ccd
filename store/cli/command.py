"""What commands that write answer with."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from ..records.dataclasses import dataclass
from .output.console import print_json, print_line, tell
from .output.serializers import record_json, ref

if TYPE_CHECKING:
    from typer._click import Context

    from ..records import Common
    from ..store import Store


DATABASE_HELP = "The memory's file; else MEMTUI_DB, else the one in your data directory."
JSON_HELP = "Print one JSON document."


def print_ref(call: Call, record: Common) -> None:
    """Print the ref of the record that was written, or with --json the record."""
    if call.json:
        print_json(record_json(record))
    else:
        print_line(ref(record))


def group(help: str | None = None, cls: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """A group of commands. Its help is plain, since agents and pipes read it too."""
    return typer.Typer(
        help=help,
        cls=cls,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


@dataclass(frozen=True, slots=True)
class Call:
    """What every command is given: the path of the memory, and whether to print JSON."""

    database: str | None = None
    json: bool = False

    @property
    def path(self) -> Path:
        """The file of that memory, whether it is there or not."""
        from ..paths import default_path

        return Path(self.database) if self.database is not None else default_path()

    def writing(self) -> Store:
        """Open the memory for writing; it is made when it is missing."""
        from ..store import Store

        return Store.open(self.database)

    def reading(self) -> Store:
        """Open the memory, with what hooks have left stored.

        It is never made, and read-only where it can't be written."""
        from ..capture.ingest.catch_up import open_caught_up

        return open_caught_up(self.database)


class Command(TyperCommand):
    """A command that takes --db and --json, has a `Call` as its context's object, and turns what
    the store refuses into one sentence on stderr and exit code 1."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [
            TyperOption(param_decls=["--json"], is_flag=True, default=False, help=JSON_HELP),
            TyperOption(param_decls=["--db"], metavar="PATH", help=DATABASE_HELP),
        ]

    def invoke(self, ctx: Context) -> Any:
        before: Call = ctx.obj
        database, as_json = ctx.params.pop("db"), ctx.params.pop("json")
        ctx.obj = Call(before.database if database is None else database, as_json or before.json)
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # The reader has seen enough; what is still buffered goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(0) from None
        except Exception as error:
            message = failure_sentence(error)
            if message is None:
                raise
            tell(message)
            raise typer.Exit(1) from None
        return result


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
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return None
