"""`memtui`: the command that opens the browser."""

from __future__ import annotations

import gc
import os
import sys
from argparse import Action, ArgumentParser, HelpFormatter, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, NoReturn

from memtui.store import IN_PROJECT_HERE, Hit, ReadOnlyError, Store, StoreError
from memtui.store.config import browser_settings
from memtui.store.platform.translation import _, translate_libraries
from memtui.store.text.display import safe
from memtui.store.text.wrapping import has_wide, lines

from .optional import part
from .startup import first_frame
from .tabs import tabs_of

if TYPE_CHECKING:
    from .startup.private_copies import PrivateCopy

DEMO = "demo"
SERVE = "serve"
MCP = "mcp"
NEWEST = 32


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the browser. Gives 1, and one sentence on stderr, when there is nothing to open."""
    given = sys.argv[1:] if arguments is None else [*arguments]
    if given[:1] == [SERVE]:
        return _serve(given[1:])
    if given[:1] == [MCP]:
        # Who has the server from a registry starts the program that is called as the package is.
        from memtui.store.cli import main as mem

        return mem()
    options = parser().parse_args(given)
    # Textual reads it when it is imported. It halves the time from a key to the screen.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # No collection before the first paint; the app turns it on again.
    gc.disable()
    try:
        if options.sources:
            return _code(_browse_foreign(options))
        left = DEMO if options.demo else _browse_at(options)
        if left == DEMO:
            with _demo() as path:
                where = Namespace(db=path, read_only=options.read_only, as_of=options.as_of)
                left = _browse_at(where, is_demo=True)
    except StoreError as error:
        print(f"memtui: {safe(str(error))}", file=sys.stderr)
        return 1
    return _code(left)


def _serve(arguments: Sequence[str]) -> int:
    """Show the browser in a web browser of this machine, until Ctrl+C. Nothing of it is imported else."""
    options = serve_parser().parse_args(arguments)
    # What each client's process is started with.
    passed = [f"--db={options.db}"] if options.db is not None else []
    passed += [f"--from={source}" for source in options.sources]
    passed += [f"--as-of={options.as_of}"] if options.as_of else []
    passed += [f"--{name.replace('_', '-')}" for name in ("demo", "read_only") if getattr(options, name)]
    try:
        status: int = part("serving.command").serve(passed, options.port)
    except StoreError as error:
        print(f"memtui: {safe(str(error))}", file=sys.stderr)
        return 1
    return status


def _code(left: str | int | None) -> int:
    """The exit code of a browser that was left so: what it was left with, or the code of its crash."""
    return left if isinstance(left, int) else 0


def on_terminal() -> bool:
    """Whether there is a terminal to paint on and to read keys from, or a server that passes both on."""
    is_served = os.environ.get("TEXTUAL_DRIVER", "").startswith("memtui.tui.leaves.serving.")
    return is_served or (sys.stdin.isatty() and sys.stdout.isatty())


class _Version(Action):
    """Prints the version and ends: read only then, since it takes longer than all other options."""

    def __call__(self, parser: ArgumentParser, *_values: object) -> None:
        from importlib.metadata import version

        print(f"memtui {version('memtui')}")
        parser.exit()


class _Help(HelpFormatter):
    """Folds a help that has wide characters by cells; argparse counts them as narrow."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return lines(text, width) if has_wide(text) else super()._split_lines(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if not has_wide(text):
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in lines(text, width - len(indent)))


class _Parser(ArgumentParser):
    """Says what was typed in a way that is fit for a terminal."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the command line, and end with exit code 2."""
        super().error(safe(message, newlines=True))


def parser(name: str = "memtui") -> ArgumentParser:
    """Return what reads the command line, and tells of it."""
    translate_libraries()
    options = _Parser(
        name,
        description=_("See, search and curate what your coding agents remember."),
        epilog=_(
            "Inside: type to search, ? shows all keys, q leaves. `memtui serve` shows it in a web browser."
        ),
        formatter_class=_Help,
    )
    options.add_argument(
        "--db",
        type=Path,
        metavar="PATH",
        help=_("the store to open (MEMTUI_DB, or else the user's own)"),
    )
    options.add_argument("--demo", action="store_true", help=_("open a made-up store to look around in"))
    options.add_argument(
        "--from",
        dest="sources",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help=_("look around in another store, or a transcript, without importing it (repeatable)"),
    )
    options.add_argument(
        "--as-of",
        metavar="DATE",
        help=_("look at the store as it was then: 2026-02-17 (the end of that day), 2026-02-17T18:00, 3d"),
    )
    options.add_argument("--read-only", action="store_true", help=_("change nothing"))
    options.add_argument("--version", action=_Version, nargs=0, help=_("show the version"))
    return options


def serve_parser() -> ArgumentParser:
    """Return what reads the command line of `memtui serve`."""
    options = parser(f"memtui {SERVE}")
    options.description = _("Show the browser in a web browser, to this machine only.")
    options.add_argument(
        "--port", type=int, default=0, help=_("the port to serve on (else any that is free)")
    )
    return options


def _browse_foreign(options: Namespace) -> str | int | None:
    """Look around in other memories; the user's own is not even opened."""
    from .startup.private_copies import foreign

    if options.db is not None or options.demo or options.as_of:
        raise StoreError("--from opens other memories: leave --db, --demo and --as-of out.")
    _need_terminal()
    with foreign(options.sources) as copy:
        return _browse_copy(copy)


def _browse_at(options: Namespace, *, is_demo: bool = False) -> str | int | None:
    """Look at a memory as it is, or as it was."""
    if not options.as_of:
        return _browse(options, is_demo=is_demo)
    from .startup.private_copies import past

    _need_terminal()
    with past(options.db, options.as_of) as copy:
        return _browse_copy(copy, is_demo=is_demo)


def _browse_copy(copy: PrivateCopy, *, is_demo: bool = False) -> str | int | None:
    where = Namespace(db=copy.path, read_only=True)
    return _browse(where, is_demo=is_demo, owner=copy.owner, as_of=copy.as_of, why=copy.notice)


def _browse(
    options: Namespace,
    *,
    is_demo: bool = False,
    owner: str = "",
    as_of: str = "",
    why: str = "",
) -> str | int | None:
    path, notice, here, newest = _opened(options.db, options.read_only, is_own=not owner)
    _need_terminal()
    settings, problems = browser_settings()
    tabs = tabs_of(owner, as_of, settings.keys)
    with first_frame.shown(newest, tabs, settings) as attributes:
        from .app import MemApp

        app = MemApp(
            path,
            read_only=bool(notice),
            notice=why or notice,
            is_demo=is_demo,
            owner=owner,
            as_of=as_of,
            here=here,
            settings=(settings, problems),
        )
        if attributes:
            from .startup.driver import driver_after_frame

            app.driver_class = driver_after_frame(attributes)
        try:
            left = app.run(mouse=settings.mouse)
            # Textual has told of a crash by then.
            return app.return_code or left
        finally:
            _sweep(path)


def _sweep(path: Path) -> None:
    """Remove what killed commands left; when the browser ends, since nobody waits then."""
    from memtui.store.database.files import temporary

    temporary.sweep(path)


def _need_terminal() -> None:
    if not on_terminal():
        raise StoreError("The browser needs a terminal. In a pipe, use `mem search`.")


def _opened(path: Path | None, read_only: bool, *, is_own: bool) -> tuple[Path, str, str, list[Hit]]:
    """The memory's path, made when it is missing; why it can only be read, if so; the project here, if it
    begins with that; and the newest that it begins with."""
    notice = _("Read-only, as asked for: searching and reading work, nothing is changed.")
    if not read_only:
        try:
            with Store.open(path) as store:
                here, newest = _newest(store, is_own=is_own)
                return store.path, "", here, newest or _taken_in(store)
        except ReadOnlyError as error:
            notice = _("Read-only: searching and reading work. {reason}", reason=error)
    with Store.open(path, read_only=True) as store:
        return store.path, notice, *_newest(store, is_own=is_own)


def _newest(store: Store, *, is_own: bool) -> tuple[str, list[Hit]]:
    here = store.here() if is_own else ""
    return here, store.find(IN_PROJECT_HERE if here else "").page(0, NEWEST).hits


def _taken_in(store: Store) -> list[Hit]:
    """The newest of what hooks have left for a memory that is new, or else looks empty."""
    from memtui.store.capture.ingest.catch_up import catch_up

    with suppress(StoreError):
        # The browser tells of it, and tries again.
        catch_up(store)
    return store.find("").page(0, NEWEST).hits


@contextmanager
def _demo() -> Iterator[Path]:
    """A memory of its own, filled with the demo, that is gone afterwards."""
    from memtui.store.capture.demo import fill
    from memtui.store.database.files import temporary

    with temporary.directory("memtui-demo-") as directory:
        path = directory / "memory.db"
        with Store.open(path) as store:
            fill(store, now=int(time() * 1000))
        yield path


if __name__ == "__main__":
    sys.exit(main())
