"""`mem review`: what agents, models and teammates wrote and waits for its user's word."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from ...database.transaction import ONLY_A_PERSON
from ...platform.errors import StoreError
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...text.plural import count_noun
from ..command import Call, Command, group
from ..output.console import Row, print_json, print_rows, tell
from ..typer_later import typer

if TYPE_CHECKING:
    from ...curation.reviewing import Verdict


app = group()


@app.command(cls=Command)
def review(
    call: Call,
    refs: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Those that you decide on.")
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="They hold: agents may be told them.")] = False,
    refuse: Annotated[
        bool,
        typer.Option("--refuse", help="They are deleted; a teammate's stays, and no agent is told it."),
    ] = False,
    reword: Annotated[
        str | None, typer.Option("--reword", metavar="TEXT", help="It holds in these words instead.")
    ] = None,
    dispute: Annotated[
        str | None,
        typer.Option(
            "--dispute", metavar="WHY", help="Of a teammate's: as --refuse, and the team reads why."
        ),
    ] = None,
) -> None:
    """Accept, reword or refuse what agents, models and teammates wrote. Without an ID it is listed.

    What agents add and models make waits where `review = "agents"` stands in `[memory]` of the
    configuration; teammates' facts and decisions always do. `mem undo` takes a decision back.
    """
    from ...agents.shell import agent_shell
    from ...maintain.reviews import give_verdict, reviews

    if accept + refuse + (reword is not None) + (dispute is not None) != bool(refs):
        raise typer.BadParameter(
            _("Name memories and one of {names}.", names="--accept, --refuse, --reword, --dispute")
        )
    if refs:
        if agent_shell(os.environ) is not None:
            raise StoreError(ONLY_A_PERSON)
        verdict: Verdict = "kept out" if refuse else "disputed" if dispute is not None else "accepted"
        with call.writing() as store:
            if reword is None:
                many = give_verdict(store, refs, verdict, dispute or "")
            elif len(refs) == 1:
                store.reviewing.reword(store.any_record(refs[0]), reword)
                many = 1
            else:
                raise typer.BadParameter(_("--reword is for one memory at a time."))
        document = {"verdict": verdict, "memories": many}
        call.answer(document, f"{count_noun(many, 'memories')} {verdict}.")
        return
    with call.reading() as store:
        waiting = reviews(store)
    if call.json:
        print_json([asdict(item) for item in waiting])
        return
    if not waiting:
        tell("Nothing waits for your word.")
    print_rows(
        ("id", "author", "project", "what it says", "disputed by"),
        (Row(item.id, item.author, item.project, item.title, "; ".join(item.disputes)) for item in waiting),
        wide="what it says",
    )
