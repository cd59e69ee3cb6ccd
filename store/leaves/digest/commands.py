"""`mem digest`: what the work of some days came to, by project."""

from __future__ import annotations

from typing import Annotated

from ...cli import arguments
from ...cli.command import Call, ReadingCommand, group
from ...cli.output.console import print_json, print_text
from ...cli.typer_later import typer
from ...platform.translation import _

app = group()


@app.command(cls=ReadingCommand)
def digest(
    call: Call,
    since: Annotated[
        str, typer.Option("--since", metavar="TIME", help="From when on: yesterday, 7d, 2026-02-18.")
    ] = "yesterday",
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="TIME", help="Up to the end of this day; else up to now."),
    ] = None,
    project: arguments.OfProject = None,
) -> None:
    """Tell what was done, decided, left and failed since yesterday, by project.

    At most 300 words of Markdown, with what it cost, and each line with the session that it is from.
    They are lines of summaries, made of what was said and done in that time, and facts that were stated in
    it; no model is asked.
    """
    from .digest import digest as digest_of
    from .digest import digest_json, moments

    for text in (since, until):
        if text is not None and moments(text) is None:
            raise typer.BadParameter(
                _(
                    "{text!r} is not a time. Give yesterday, last week, 7d, 2026-02 or 2026-02-18.",
                    text=text,
                )
            )
    first, last = moments(since, until) or (0, 0)
    if first >= last:
        raise typer.BadParameter(_("{since} is not before {until}.", since=since, until=until or _("now")))
    with call.reading() as store:
        result = digest_of(store, first, last, project)
    if call.json:
        print_json(digest_json(result))
    else:
        print_text(result.text)
