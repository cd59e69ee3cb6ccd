"""`mem handoff`: a cited brief of a session or a query, for another agent or a colleague."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ...cli.command import Call, ReadingCommand, group
from ...cli.output.console import print_json, print_text, tell
from ...cli.typer_later import typer
from ...platform.translation import _
from ...text.plural import count_noun

if TYPE_CHECKING:
    from .brief import Handoff

app = group()

COLLEAGUE, BUDGET, LEAST_BUDGET = "colleague", 2_000, 200


@app.command(cls=ReadingCommand)
def handoff(
    call: Call,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="A session (@12) or one of its memories (12, p12, s12); else the newest one here.",
        ),
    ] = None,
    query: Annotated[
        str | None,
        typer.Option("--query", metavar="Q", help="What a search finds, instead of a session."),
    ] = None,
    to: Annotated[
        str,
        typer.Option("--to", metavar="AGENT", help="The agent it is for: codex, claude-code …"),
    ] = COLLEAGUE,
    budget: Annotated[
        int,
        typer.Option("--budget", min=LEAST_BUDGET, metavar="TOKENS", help="About how many tokens at most."),
    ] = BUDGET,
    project: Annotated[
        str | None, typer.Option("--project", help="Whose newest session; else the project here.")
    ] = None,
) -> None:
    """Hand a session over: a brief of what was asked, decided, done and left.

    Each line names the memory that it rests on ([mem 276]); nothing private, deleted, superseded or
    noise is told. For a colleague it is Markdown, for an agent (--to) a block that it takes as data.
    """
    from ...tables.projects import project_here
    from .brief import handoff_of_query, handoff_of_session, newest_session, session_named

    if query is not None and id is not None:
        raise typer.BadParameter(_("ID and --query exclude each other. Give one of them."))
    if query is not None and not query.strip():
        raise typer.BadParameter(_("The query is empty. Leave --query out to hand a session over."))
    with call.reading() as store:
        if query is not None:
            result = handoff_of_query(store, query, to=to, budget=budget)
        else:
            if id is not None:
                session = session_named(store, id)
            else:
                session = newest_session(store, project_here(store.db) if project is None else project)
            result = handoff_of_session(store, session, to=to, budget=budget)
    if call.json:
        print_json(handoff_json(result))
        return
    print_text(result.text)
    total = len(result.refs) + result.left_out
    tokens, memories = f"{result.tokens:,}", count_noun(total, "memories")
    tell(
        _(
            "About {tokens} tokens, from {some} of {memories}.",
            tokens=tokens,
            some=f"{len(result.refs):,}",
            memories=memories,
        )
        if result.left_out
        else _("About {tokens} tokens, from {memories}.", tokens=tokens, memories=memories)
    )


def handoff_json(brief: Handoff) -> dict[str, object]:
    """Return a hand over's own fields; `sections` by name, each a list of lines with their refs."""
    session = brief.session and {
        "ref": f"@{brief.session.id}", "id": brief.session.content_session_id,
        "agent": brief.session.agent, "project": brief.session.project,
    }  # fmt: skip
    return {
        "to": brief.to,
        "title": brief.title,
        "session": session,
        "query": brief.query or None,
        "tokens": brief.tokens,
        "refs": brief.refs,
        "left_out": brief.left_out,
        "sections": {
            name: [
                {"text": line.text, "refs": line.refs, "reported_wrong": line.is_wrong} for line in lines
            ]
            for name, lines in brief.sections.items()
        },
        "text": brief.text,
    }
