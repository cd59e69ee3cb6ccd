"""`mem export`: write down what is remembered, for other programs, other machines, or people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ...platform.errors import StoreError
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.kinds import ref_of
from ...text.plural import count_noun, count_nouns
from ..command import Call, ReadingCommand, group
from ..output.console import Row, localized, print_json, print_rows, progress_bar, tell
from ..typer_later import typer
from .chosen import chosen

if TYPE_CHECKING:
    from ...formats.common.session_content import SessionContent
    from ...formats.export import ExportResult


app = group()


@app.command("export", cls=ReadingCommand)
def export_memory(
    call: Call,
    format: Annotated[
        str, typer.Argument(metavar="FORMAT", help="jsonl, claude-mem, scheme-c, markdown or html.")
    ],
    path: Annotated[
        str,
        typer.Argument(
            metavar="PATH",
            help="A new file; for scheme-c, markdown and html a directory; - prints jsonl.",
        ),
    ],
    with_private: Annotated[
        bool, typer.Option("--with-private", help="Private memories too, marked as such.")
    ] = False,
    with_deleted: Annotated[
        bool, typer.Option("--with-deleted", help="Deleted memories too, marked as such.")
    ] = False,
    query: Annotated[
        str | None,
        typer.Option("--query", metavar="QUERY", help="Only what a search matches exactly."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option("--session", metavar="ID", help="Only a session and all that it holds."),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="NAME", help="Only what a project holds, notes too."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file, or write into the directory.")
    ] = False,
) -> None:
    """Write the store down in another format.

    jsonl is lossless: imported by you into an empty store and exported again it is the same file;
    by another user, or on a machine that it doesn't sync with, secrets are looked for once more. The
    others hold what their shape can, and what it can't is told. html is pages to show somebody, with
    a search, that need no server: open index.html. With --query the memories that it matches go, and
    the sessions that they are of; with --session one is shared, without what is private, and told what
    is in it and what was left out. A Markdown PATH that ends in .md is one page of them. The file
    appears when it is whole, and only you can read it.
    """
    from ...formats.common.scope import Scope, choose_project
    from ...formats.common.session_content import session_content
    from ...formats.export import FLAGGED, FORMATS, export_to, formats_here

    if format not in FORMATS:
        raise typer.BadParameter(
            _("{format!r} is not one of {names}.", format=format, names=_(", ").join(formats_here())),
            param_hint="FORMAT",
        )
    if path == "-" and (format != "jsonl" or call.json):
        raise typer.BadParameter(_("Only jsonl can be printed, and then nothing else."))
    if (with_private or with_deleted) and format not in FLAGGED:
        raise typer.BadParameter(
            _(
                "{format} can't say that a memory is private or deleted, so it holds none that is.",
                format=format,
            )
        )
    if query is not None and not query.strip():
        raise typer.BadParameter(_("The query is empty; leave --query out to export everything."))
    if sum(text is not None for text in (query, session, project)) > 1:
        raise typer.BadParameter(_("Give one of --query, --session and --project."))
    scope = Scope(private=with_private, deleted=with_deleted)
    with call.reading() as store, progress_bar(_("Exporting"), is_counted=True) as progress:
        refs = None if query is None else chosen(store, None, query)
        if refs == []:
            raise StoreError(
                "Nothing matches {query}; nothing was written. Try the query with `mem search`.",
                query=query,
            )
        if session is not None:
            refs = [ref_of(store.sessions.get(session))]
        elif project is not None:
            scope = choose_project(store.db, project, scope)
            if set((scope.chosen or {}).values()) == {"[]"}:
                raise StoreError(
                    "There is nothing of a project {project}; nothing was written. `mem project "
                    "list` shows them.",
                    project=project,
                )
        made = export_to(
            store,
            format,
            None if path == "-" else Path(path),
            scope=scope,
            refs=refs,
            force=force,
            progress=progress,
        )
        held = session_content(store.db, refs[0], scope) if session is not None and refs else None
    show(call, made, held)


def show(call: Call, made: ExportResult, held: SessionContent | None) -> None:
    """Tell what was written, and what was not; of a session what is in it."""
    from ...formats.export import FLAGGED

    if call.json:
        print_json(asdict(made) | ({} if held is None else {"session": asdict(held)}))
        return
    counts = {name: count for name, count in made.counts.items() if count}
    if made.path == "-":
        tell("Exported {rows}.", rows=count_noun(sum(counts.values()), "rows"))
    else:
        rows = (Row(localized(name), f"{count:,}") for name, count in counts.items())
        print_rows(("kind", "exported"), rows, wide="kind")
    for sentence in made.unheld:
        tell(sentence)
    if held is not None:
        tell(held.sentence)
        return
    if made.left_out and made.format in FLAGGED:
        what = count_nouns(made.left_out)
        tell(
            "Left out, since private, deleted or pending: {what}. --with-private and "
            "--with-deleted take them along.",
            what=what,
        )
