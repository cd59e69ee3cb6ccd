"""`mem files check` and `ignore`: what is wrong with agents' files; and `watch`: these as they change."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call
from ....cli.output.console import (
    Row,
    print_json,
    print_json_line,
    print_line,
    print_rows,
    shown_path,
    tell,
)
from ....cli.typer_later import typer
from ....platform.clock import local_time, now_ms
from ....platform.translation import _
from ....text.plural import count_noun
from .discovered import discovered

if TYPE_CHECKING:
    from ....cli.output.serializers import Json
    from ..checks import Finding
    from ..watching import SeenChange

Folder = Annotated[
    Path | None, typer.Argument(metavar="DIR", help="A project's folder; else the one you are in.")
]


def check(
    call: Call,
    folder: Folder = None,
    all: Annotated[bool, typer.Option("--all", help="Every project that is known.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what can be fixed, as one undo, then check again.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="With --fix: redact secrets too, without asking.")
    ] = False,
) -> None:
    """Say what is wrong with agents' files, each with its id and line; exit code 1 where anything is.

    `mem files ignore ID` leaves one out from then on.
    """
    from ..checks import key_of

    findings, projects = findings_in(call, folder or Path.cwd(), all=all)
    if fix and findings:
        _mend(call, findings, yes=yes)
        findings, projects = findings_in(call, folder or Path.cwd(), all=all)
    home = Path.home()
    keys = [key_of(finding, projects, home) for finding in findings]
    if call.json:
        print_json([_json(finding, key) for finding, key in zip(findings, keys, strict=True)])
    else:
        print_rows(
            ("id", "where", "finding", "fix"),
            (
                Row(key, _where(finding), finding.text, finding.fix or "")
                for finding, key in zip(findings, keys, strict=True)
            ),
            wide="finding",
            fold=True,
            first_out=("fix",),
        )
        if not findings:
            tell("Nothing is wrong.")
    if findings:
        tell(f"{count_noun(len(findings), 'findings')}.")
        raise typer.Exit(1)


def ignore(
    call: Call,
    finding: Annotated[
        str, typer.Argument(metavar="ID", help="A finding's id, as `mem files check` prints it.")
    ],
    folder: Folder = None,
) -> None:
    """Leave a finding out from now on: its id goes into the project's .memtui-files-ignore."""
    from ..checks import ignore as add
    from ..discovery import project_of

    if any(sign.isspace() for sign in finding) or not finding:
        raise typer.BadParameter(_("{finding!r} is not a finding's id.", finding=finding))
    path = add(project_of(folder or Path.cwd()), finding)
    if call.json:
        print_json({"ignored": finding, "path": str(path)})
    else:
        print_line(str(path))


def findings_in(call: Call, folder: Path, *, all: bool = False) -> tuple[list[Finding], list[Path]]:
    """Return what is wrong in a folder's project, or in all that are known, and their folders."""
    from ....agents.homes import AgentHomes
    from ..checks import check as run
    from ..discovery import project_of

    files = discovered(call, folder, all=all)
    projects = list(dict.fromkeys([project_of(folder), *(file.project for file in files.files)]))
    known = [project for project in projects if project is not None and project.is_dir()]
    for note in files.notes:
        tell(note)
    return run(AgentHomes.own(), known, files.files), known


def _mend(call: Call, findings: list[Finding], *, yes: bool) -> None:
    """Mend findings, and say which; secrets only where that is wanted."""
    from ..checks import SECRET, redact_secrets
    from ..checks import fix as mend

    secret = [finding for finding in findings if finding.id == SECRET]
    with call.writing() as store:
        for finding in mend(store, findings):
            tell("Fixed: {where}: {text}.", where=_where(finding), text=finding.text)
        if secret and (yes or _may_redact(secret)):
            for path in redact_secrets(store, secret):
                tell("Redacted: {path}.", path=shown_path(path))


def _may_redact(secret: list[Finding]) -> bool:
    """Ask whether secrets may be redacted, where there is somebody to ask."""
    if not sys.stdin.isatty():
        tell("Secrets stay: --yes redacts them, which can't be undone.")
        return False
    files = count_noun(len({finding.path for finding in secret}), "files")
    return bool(
        typer.confirm(
            _(
                "Redact the secrets of {files}? No version is kept, so it can't be undone.",
                files=files,
            ),
            err=True,
        )
    )


def _where(finding: Finding) -> str:
    shown = shown_path(finding.path)
    return f"{shown}:{finding.line}" if finding.line else shown


def _json(finding: Finding, key: str) -> Json:
    return {
        "id": key,
        "check": finding.id,
        "path": str(finding.path),
        "line": finding.line or None,
        "text": finding.text,
        "fix": finding.fix,
    }


def watch(
    call: Call,
    folder: Folder = None,
    all: Annotated[bool, typer.Option("--all", help="Every project that is known.")] = False,
    once: Annotated[bool, typer.Option("--once", help="Keep a version of each file now, and end.")] = False,
) -> None:
    """Tell of agents' files as they change, and keep each version: `mem history PATH` lists them."""
    from ..watching import FileWatch

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
