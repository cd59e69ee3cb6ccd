"""`memtui`: the command that opens the browser."""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time

from store import ListRow, ReadOnlyError, Store, StoreError

from .startup import first_frame

DEMO = "demo"
NEWEST = 40


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the browser. Gives 1, and one sentence on stderr, when there is nothing to open."""
    options = _parser().parse_args(arguments)
    # Textual reads it when it is imported. It halves the time from a key to the screen.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # No collection before the first paint; the app turns it on again.
    gc.disable()
    try:
        if options.sources:
            _browse_foreign(options)
            return 0
        asked = DEMO if options.demo else _browse(options)
        if asked == DEMO:
            with _demo() as path:
                _browse(Namespace(db=path, read_only=options.read_only), is_demo=True)
    except StoreError as error:
        print(f"memtui: {error}", file=sys.stderr)
        return 1
    return 0


def on_terminal() -> bool:
    """Whether there is a terminal to paint on and to read keys from."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "memtui",
        description="See, search and curate what your coding agents remember.",
        epilog="Inside: type to search, ? shows all keys, q leaves.",
    )
    parser.add_argument(
        "--db",
        type=Path,
        metavar="PATH",
        help="the memory to open (MEMTUI_DB, or else the user's own)",
    )
    parser.add_argument(
        "--demo", action="store_true", help="open a made-up memory to look around in"
    )
    parser.add_argument(
        "--from",
        dest="sources",
        type=Path,
        action="append",
        default=[],
        metavar="PATH",
        help="look around in another memory, or a transcript, without importing it (repeatable)",
    )
    parser.add_argument("--read-only", action="store_true", help="change nothing")
    return parser


def _browse_foreign(options: Namespace) -> None:
    """Look around in other memories; the user's own is not even opened."""
    from .startup.foreign import foreign

    if options.db is not None or options.demo:
        raise StoreError("--from opens other memories: leave --db and --demo out.")
    _need_terminal()
    with foreign(options.sources) as found:
        _browse(Namespace(db=found.path, read_only=True), owner=found.owner, why=found.notice)


def _browse(
    options: Namespace, *, is_demo: bool = False, owner: str = "", why: str = ""
) -> str | None:
    path, notice, newest = _opened(options.db, options.read_only)
    _need_terminal()
    with first_frame.shown(newest) as painted:
        from .app import MemApp

        app = MemApp(
            path, read_only=bool(notice), notice=why or notice, is_demo=is_demo, owner=owner
        )
        if painted:
            from .startup.driver import SteadyDriver

            app.driver_class = SteadyDriver
        return app.run()


def _need_terminal() -> None:
    if not on_terminal():
        raise StoreError("The browser needs a terminal. In a pipe, use `mem search`.")


def _opened(path: Path | None, read_only: bool) -> tuple[Path, str, list[ListRow]]:
    """The memory's path, made when it is missing; why it can only be read, if so; its newest."""
    notice = "Read-only, as asked for: searching and reading work, nothing is changed."
    if not read_only:
        try:
            with Store.open(path) as store:
                return store.path, "", store.listing("", 0, NEWEST) or _taken_in(store)
        except ReadOnlyError as error:
            notice = f"Read-only: searching and reading work. {error}"
    with Store.open(path, read_only=True) as store:
        return store.path, notice, store.listing("", 0, NEWEST)


def _taken_in(store: Store) -> list[ListRow]:
    """The newest of what hooks have left for a memory that is new, or else looks empty."""
    from store.capture.ingest.catch_up import catch_up

    with suppress(StoreError):
        # The browser tells of it, and tries again.
        catch_up(store)
    return store.listing("", 0, NEWEST)


@contextmanager
def _demo() -> Iterator[Path]:
    """A memory of its own, filled with the demo, that is gone afterwards."""
    from tempfile import TemporaryDirectory

    from store.demo import fill

    with TemporaryDirectory(prefix="memtui-demo-") as directory:
        path = Path(directory) / "memory.db"
        with Store.open(path) as store:
            fill(store, now=int(time() * 1000))
        yield path


if __name__ == "__main__":
    sys.exit(main())
