"""`mem files watch`: agents' files as they change."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import print_json_line, print_line, shown_path, tell
from ....cli.typer_later import typer
from ....platform.clock import local_time, now_ms
from ....platform.translation import _
from ....text.plural import count_noun
from .check import Folder

if TYPE_CHECKING:
    from ..watching import SeenChange


def watch(
    call: Call,
    folder: Folder = None,
    all: Annotated[bool, typer.Option("--all", help="Every project that is known.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Keep a version of each file now, and end.")] = False,
) -> None:
    """Tell of agents' files as they change, and keep each version: `mem history PATH` lists them."""
    from ..watching import FileWatch
    from .discovered import discovered

    place = folder or Path.cwd()

    def known() -> list[Path]:
        return [
            file.path
            for file in discovered(call, place, all=all).files
            if file.kind not in ("transcript", "prompt")
        ]

    with call.writing() as store:
        watched = FileWatch(store, known)
        if once:
            return
        tell("Watching {files}; Ctrl+C ends it.", files=count_noun(len(watched.stamps), "files"))
        try:
            while True:
                time.sleep(watched.seconds)
                for change in watched.look(time.monotonic()):
                    _print(call, change)
        except KeyboardInterrupt:
            return


def _print(call: Call, change: SeenChange) -> None:
    who = "mem" if change.is_ours else _("another program")
    if call.json:
        print_json_line(
            {
                "at": now_ms(),
                "path": str(change.path),
                "what": change.what,
                "added": change.added,
                "removed": change.removed,
                "by": "mem" if change.is_ours else None,
            }
        )
        return
    lines = f"+{change.added} -{change.removed}"
    print_line(f"{local_time(now_ms())}  {shown_path(change.path)}  {change.what} {lines}  by {who}")
