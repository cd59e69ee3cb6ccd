"""`mem report`: saying of a memory that it is wrong, or was of use."""

from __future__ import annotations

from typing import Annotated, Literal

from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.kinds import ref_of
from ...text.plural import count_noun
from ..arguments import find_record
from ..command import Call, Command, group
from ..output.console import print_changed, print_json, tell
from ..typer_later import typer

app = group()

VerdictOrClear = Literal["wrong", "useful", "clear"]


@app.command(cls=Command)
def report(
    call: Call,
    id: Annotated[str, typer.Argument(metavar="ID", help="12, p12, s12, f12 or a uid.")],
    verdict: Annotated[
        VerdictOrClear,
        typer.Argument(
            metavar="wrong|useful|clear", help="What it is; clear takes all reports of it away."
        ),
    ],
    reason: Annotated[str, typer.Argument(metavar="[REASON]", help="Why, in a sentence.")] = "",
) -> None:
    """Report a memory as wrong or useful, for whoever curates.

    The browser shows it with the memory, and `mem search is:reported` (or is:wrong) finds it. Whoever
    reports it again replaces the report.
    """
    with call.writing() as store:
        record = find_record(store, id)
        name = ref_of(record)
        if verdict == "clear":
            cleared = store.reporting.clear(record)
            if call.json:
                print_json({"id": name, "cleared": cleared})
            else:
                tell(
                    "{reports} of {name} cleared.",
                    reports=count_noun(cleared, "reports"),
                    name=name,
                )
            return
        made = store.reporting.report(record, verdict, reason, store.maker[1])
    if call.json:
        print_json({"id": name, **asdict(made)})
    else:
        what = (
            _("{name} reported as wrong", name=name)
            if verdict == "wrong"
            else _("{name} reported as useful", name=name)
        )
        print_changed((name,), what)
