"""Which memories a command is about: ids, lines of standard input, or all that a query matches; and
doing one thing to all of them.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from ...platform.translation import _
from ...records.fields import title_of
from ...records.kinds import kind_of, parse_ref
from ...text.plural import count_noun
from .. import completing
from ..arguments import lines_of_stdin
from ..command import Call
from ..output.changed_files import refresh_for
from ..output.console import (
    Row,
    localized,
    on_terminal,
    print_changed,
    print_json,
    print_rows,
    progress_bar,
    tell,
)
from ..output.hits import tell_remarks
from ..output.serializers import record_json
from ..typer_later import typer

if TYPE_CHECKING:
    from ...curation.editing import AnyRecord
    from ...curation.many import Action, Changed
    from ...store import Store


Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID]...",
        autocompletion=completing.refs,
        help="12, p12 (prompt), s12 (summary), f12 (fact), n12 (note), @12 (session), or a uid; - "
        "reads them from standard input, one a line.",
    ),
]
WithQuery = Annotated[
    str | None,
    typer.Option(
        "--query",
        metavar="QUERY",
        help="All that a search matches exactly, such as 'type:bugfix until:2025-01-01'.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what it is about, and change nothing.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask on a terminal.")]

SHOWN = 20


def perform(
    call: Call,
    action: Action,
    ids: list[str] | None,
    query: str | None,
    *,
    dry_run: bool,
    yes: bool,
) -> None:
    """Do one thing to all the memories that are named, or to none; print their ids. It is one undo."""
    check(ids, query)
    from ...observe.curating import change_many

    with call.reading() if dry_run else call.writing() as store:
        refs = chosen(store, ids, query, deleted=action.name == "restore")
        if dry_run:
            show(call, store, store.whole(refs, action.name))
            return
        if query is not None and not yes and not confirmed(len(refs), action.done):
            tell("Nothing was changed.")
            raise typer.Exit(1)
        with progress_bar(_(action.name.capitalize()), is_counted=True) as progress:
            result = change_many(store, refs, action, progress=progress)
        same = () if action.name == "restore" else result.unchanged
        print_done(call, store, (*result.refs, *same), result.what if result.refs else "")
    tell_done(result, action, is_query=query is not None)


def check(ids: list[str] | None, query: str | None) -> None:
    """Refuse what names nothing, or both ids and a query."""
    if bool(ids) == (query is not None):
        raise typer.BadParameter(_("Give ids, - for ids from standard input, or --query."))
    if query is not None and not query.strip():
        raise typer.BadParameter(
            _("An empty query is everything. If you mean that, say 'kind:observation,prompt,summary,fact'.")
        )


def chosen(store: Store, ids: list[str] | None, query: str | None, *, deleted: bool = False) -> list[str]:
    """Return the refs that are meant, as they were given; of a query, of all that it matches."""
    if query is None:
        return given(ids)
    if not deleted:
        tell_remarks(store, query, "--query")
    refresh_for(store, query)
    return store.find(query).refs(deleted=deleted)


def given(ids: list[str] | None) -> list[str]:
    """Return ids as they were typed, with those of standard input in the place of -."""
    results: list[str] = []
    for text in ids or ():
        if text == "-":
            lines = (line.decode("utf-8", "replace").split() for line in lines_of_stdin())
            # What another command printed may have more columns.
            results += [words[0] for words in lines if words]
        else:
            results.append(text)
    return results


def records(store: Store, refs: list[str] | tuple[str, ...]) -> list[AnyRecord]:
    """Return the records of refs, in their order."""
    by_kind: dict[str, list[int]] = {}
    named = [parse_ref(ref) for ref in refs]
    for pair in filter(None, named):
        by_kind.setdefault(pair[0], []).append(pair[1])
    known: dict[tuple[str, int], Any] = {
        (kind, record.id): record
        for kind, numbers in by_kind.items()
        for record in store.tables[kind].by_ids(numbers)
    }
    return [
        known[key] if key and key in known else store.any_record(text)
        for text, key in zip(refs, named, strict=True)
    ]


def show(call: Call, store: Store, refs: list[str]) -> None:
    """Tell what a command would be about."""
    if call.json:
        print_json({"dry_run": True, "refs": refs})
        return
    rows = [
        Row(text, localized(kind_of(record)), title_of(record))
        for text, record in zip(refs, records(store, refs[:SHOWN]), strict=False)
    ]
    print_rows(("id", "kind", "title"), rows, wide="title")
    if len(refs) > SHOWN:
        tell("And {more} more.", more=f"{len(refs) - SHOWN:,}")
    tell("{memories}. Nothing was changed.", memories=count_noun(len(refs), "memories"))


def confirmed(many: int, done: str) -> bool:
    """Ask on a terminal whether that many are meant; elsewhere they are."""
    if not many or not sys.stdin.isatty():
        return True
    return typer.confirm(
        _("{memories} will be {done}. Go on?", memories=count_noun(many, "memories"), done=_(done)),
        err=True,
    )


def print_done(call: Call, store: Store, refs: tuple[str, ...], what: str) -> None:
    """Print the ids of what was changed, on a terminal `what` was done; with --json the records."""
    if call.json:
        print_json([record_json(record) for record in records(store, refs)])
        return
    print_changed(refs, what)


def tell_done(result: Changed, action: Action, *, is_query: bool) -> None:
    """Say what became of many, as far as it isn't what was asked for; exit code 1 where nothing was."""
    if is_query and not on_terminal():
        tell(result.what[:1].upper() + result.what[1:] + _("."))
    for sentence in result.left:
        tell(sentence)
    if on_terminal() and not result.refs and result.unchanged and action.name != "restore":
        tell(
            "Nothing was changed: {refs} already {done}.",
            refs=_some(result.unchanged),
            done=_(action.done),
        )
    if action.name == "restore" and result.unchanged:
        tell("Not deleted, so there is nothing to restore: {refs}.", refs=_some(result.unchanged))
    has_any = result.refs or (result.unchanged and action.name != "restore")
    if not has_any and (result.left or result.unchanged):
        raise typer.Exit(1)


def _some(refs: tuple[str, ...]) -> str:
    return ", ".join(refs[:5]) + (" …" if len(refs) > 5 else "")
