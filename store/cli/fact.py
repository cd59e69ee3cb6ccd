"""`mem fact`: what is held true."""

from __future__ import annotations

from typing import Annotated

import typer

from ..records import FactKind
from . import options
from .answers import put_ref
from .command import Call, Command, group
from .output import Row, put_json, put_rows, tell
from .shapes import record_json, ref
from .stdin import text_or_stdin
from .times import local_time

app = group("Add and list facts.")


@app.command(cls=Command)
def add(
    ctx: typer.Context,
    content: Annotated[str, typer.Argument(help="What is true; - reads it from standard input.")],
    kind: Annotated[
        FactKind, typer.Option("--kind", help="W(orld), B(iographical), O(pinion) or S(ummary).")
    ] = "O",
    project: Annotated[
        str, typer.Option("--project", help="The project it is about; else it holds everywhere.")
    ] = "",
    entity: Annotated[
        list[str] | None, typer.Option("--entity", help="Whom or what it names (repeatable).")
    ] = None,
    confidence: Annotated[
        float, typer.Option("--confidence", min=0, max=1, help="How sure it is.")
    ] = 1.0,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="UID", help="A record that shows it (repeatable)."),
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Where it was said (repeatable).")
    ] = None,
    private: options.Private = False,
    at: options.At = None,
) -> None:
    """Add a fact and print its id; the same statement twice is one fact."""
    call: Call = ctx.obj
    statement = text_or_stdin(content)
    with call.writing() as store:
        added = store.facts.add(
            statement,
            kind=kind,
            project=project,
            entities=entity or (),
            confidence=confidence,
            evidence=evidence or (),
            sources=source or (),
            private=private,
            at=at,
        )
    put_ref(call, added)


@app.command("list", cls=Command)
def list_facts(
    ctx: typer.Context,
    kind: Annotated[FactKind | None, typer.Option("--kind", help="Only this kind.")] = None,
    project: options.OfProject = None,
    limit: options.Limit = 50,
    offset: options.Offset = 0,
) -> None:
    """List facts, the newest first."""
    call: Call = ctx.obj
    with call.reading() as store:
        facts = store.facts.list(kind, project, limit, offset)
    if call.json:
        put_json([record_json(fact) for fact in facts])
        return
    if not facts:
        tell("There are no facts.")
    put_rows(
        ("id", "kind", "sure", "project", "since", "fact"),
        (
            Row(
                (
                    ref(fact),
                    fact.kind,
                    f"{fact.confidence:.0%}",
                    fact.project,
                    local_time(fact.created_at),
                    fact.content,
                )
            )
            for fact in facts
        ),
        wide="fact",
    )
