"""`mem files promote` and `adopt`: memories into agents' files, and what these say into the memory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ....cli.command import Call, print_ref
from ....cli.output.console import tell
from ....cli.output.serializers import named
from ....cli.typer_later import typer
from ....platform.translation import _
from ....text.late_pattern import late_pattern
from .editing import Force, path_of, report

PLACE = late_pattern(r"(?P<path>.+?)(?::(?P<line>\d+)|[:#](?P<heading>[^:/]+))?")


def promote(
    call: Call,
    id: Annotated[str, typer.Argument(metavar="ID", help="The memory, such as f12.")],
    to: Annotated[
        str, typer.Option("--to", metavar="AGENT|FILE[:HEADING]", help="Where agents are told it.")
    ],
    force: Force = False,
) -> None:
    """Put a memory into an agent's file: a bullet of a section, or a note of its own.

    It stays linked: promoted again, what stands there is renewed.
    """
    from ....agents.homes import AgentHomes
    from ..linking import Promotion

    is_path = "/" in to or "." in to
    with call.writing() as store:
        promotion = Promotion(store, is_forced=force)
        if is_path:
            path, _line, heading = place_of(to)
            if path.is_dir():
                promoted = promotion.to_note(id, path)
            else:
                promoted = promotion.to_file(id, path, heading)
        else:
            here = AgentHomes.own()
            promoted = promotion.to_agent(id, to, here, Path.cwd().resolve())
    done = (
        _("{id} promoted to {path}", id=id, path=promoted.path)
        if promoted.is_new
        else _("{id} renewed in {path}", id=id, path=promoted.path)
    )
    report(call, promoted.path, done)


def adopt(
    call: Call,
    place: Annotated[
        str,
        typer.Argument(metavar="PATH[:LINE|:HEADING]", help="What is adopted of an agent's file."),
    ],
    form: Annotated[
        str | None,
        typer.Option("--as", help="fact (else for a line), decision or note (else)."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", help="The project that it is about; else the one here."),
    ] = None,
) -> None:
    """Make what an agent's file says a memory of ours, and print its id; adopted again it is the same."""
    from ....tables.projects import project_here
    from ..linking import FORMS, passage
    from ..linking import adopt as adopt_passage

    path, line, heading = place_of(place)
    kind = form or ("fact" if line else "note")
    chosen = next((known for known in FORMS if known == kind), None)
    if chosen is None:
        raise typer.BadParameter(_("{form!r} isn't one of {names}.", form=form, names=", ".join(FORMS)))
    part = passage(path, line, heading)
    with call.writing() as store:
        where = project_here(store.db) if project is None else project
        record, is_new = adopt_passage(store, part, chosen, where)
    print_ref(call, record, _("{named} adopted", named=named(record)) if is_new else "")
    if not is_new:
        tell("{memory} says so already.", memory=named(record).capitalize())


def place_of(text: str) -> tuple[Path, int, str]:
    """Return a file, and a line (0 for none) or a heading of it ("" for none), as they were typed."""
    if path_of(text).exists():
        return path_of(text), 0, ""
    match = PLACE.fullmatch(text)
    assert match is not None
    return path_of(match["path"]), int(match["line"] or 0), match["heading"] or ""
