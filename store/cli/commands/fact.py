"""`mem fact`: what is held true."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from ...errors import NotFoundError
from ...records import FactKind
from .. import arguments
from ..arguments import text_or_stdin
from ..command import Call, Command, group, print_ref
from ..output.console import Row, print_block, print_json, print_rows, tell
from ..output.serializers import Json, local_time, record_fields, record_json, ref

if TYPE_CHECKING:
    from ...records import FactSource
    from ...store import Store


app = group("Add, list and show facts.")


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
    private: arguments.Private = False,
    at: arguments.At = None,
) -> None:
    """Add a fact and print its id; the same statement again adds a source to it."""
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
    print_ref(call, added)


@app.command("list", cls=Command)
def list_facts(
    ctx: typer.Context,
    kind: Annotated[FactKind | None, typer.Option("--kind", help="Only this kind.")] = None,
    project: arguments.OfProject = None,
    entity: Annotated[
        str | None, typer.Option("--entity", help="Only facts that name this.")
    ] = None,
    limit: arguments.Limit = 50,
    offset: arguments.Offset = 0,
) -> None:
    """List facts, the newest first."""
    call: Call = ctx.obj
    with call.reading() as store:
        facts = store.facts.list(kind, project, limit, offset, entity)
    if call.json:
        print_json([record_json(fact) for fact in facts])
        return
    if not facts:
        tell("There are no facts.")
    print_rows(
        ("id", "kind", "sure", "sources", "project", "since", "fact"),
        (
            Row(
                (
                    ref(fact),
                    fact.kind,
                    f"{fact.confidence:.0%}",
                    str(len(fact.sources) or 1),
                    fact.project,
                    local_time(fact.created_at),
                    fact.content,
                )
            )
            for fact in facts
        ),
        wide="fact",
    )


@app.command(cls=Command)
def show(
    ctx: typer.Context,
    fact: Annotated[str, typer.Argument(metavar="ID", help="Its id, such as f12, or its uid.")],
) -> None:
    """Show a fact: who told it and when, how sure each was, and the memories it rests on."""
    call: Call = ctx.obj
    with call.reading() as store:
        found = store.facts.get(fact)
        told = store.facts.sources_of(found)
        lines = {one.uid: one for one in told}
        evidence = [evidence_json(store, uid, lines) for uid in found.evidence]
    if call.json:
        sources = [asdict(one) for one in told]
        print_json(record_json(found) | {"told": sources, "rests_on": evidence})
        return
    shown = [field for field in record_fields(found) if field[0] not in ("sources", "evidence")]
    print_block(f"fact {ref(found)}", shown)
    print_rows(
        ("told", "sure", "session", "where"),
        (
            Row(
                (
                    local_time(one.told_at),
                    f"{one.confidence:.0%}" + (" (verdict)" if one.is_verdict else ""),
                    one.session or "",
                    ", ".join(one.places) or "here",
                )
            )
            for one in told
        ),
        wide="where",
    )
    print_rows(
        ("id", "evidence"),
        (Row((str(one["ref"] or "-"), str(one["title"]))) for one in evidence),
        wide="evidence",
    )


def evidence_json(store: Store, uid: str, told: dict[str, FactSource]) -> Json:
    """What a fact rests on: a memory, a line that told it, or what is not in this memory."""
    if uid in told:
        return {"uid": uid, "ref": None, "title": ", ".join(told[uid].places)}
    try:
        entry = store.list_row(store.record(uid))
    except NotFoundError:
        return {"uid": uid, "ref": None, "title": f"{uid} (not in this memory)"}
    return {"uid": uid, "ref": entry.ref, "title": entry.title}
