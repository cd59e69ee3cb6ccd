"""`mem show`: records in full; `mem timeline`: what happened around one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from ...context.uses import UNUSED, use_of
from ...platform.clock import local_time
from ...platform.errors import NotFoundError
from ...platform.translation import N_, _
from ...records.dataclasses import asdict
from ...records.kinds import bare_ref, parse_ref
from ...records.rows import Fact, ListRow, Note, Observation, Record, Scope, Session, Summary
from ...store import Store
from ...text.plural import count_noun
from .. import arguments, completing
from ..arguments import minutes, refuse_without
from ..command import Call, ReadingCommand, group
from ..output.changed_files import changed_lines, refreshed_files
from ..output.console import Row, localized, print_answer, print_blocks, print_json, print_rows, tell
from ..output.hits import quoted_query, titled, type_of
from ..output.serializers import (
    Json,
    author_json,
    fact_fields,
    fact_json,
    list_row_json,
    named,
    record_fields,
    record_json,
    summary_fields,
    summary_json,
)
from ..output.session import full_session_json, session_blocks
from ..typer_later import typer

if TYPE_CHECKING:
    from ...links.destinations import Destination
    from ...tables.merges import MergedRecord
    from ..output.session import Block

app = group()

LISTED = 20
"""Memories that are listed where several are meant."""


@app.command(cls=ReadingCommand)
def show(
    call: Call,
    ids: arguments.Refs,
    for_agent: arguments.ForAgent = False,
    fields: Annotated[
        str | None,
        typer.Option("--fields", metavar="NAME,...", help="With --for-agent: only these fields of each."),
    ] = None,
    about: Annotated[
        str | None,
        typer.Option(
            "--about", metavar="WORDS", help="With --for-agent: of long texts what is about these."
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option("--max-tokens", min=1, help="With --for-agent: what is longer is cut; else 20,000."),
    ] = None,
    hidden: arguments.Hidden = False,
) -> None:
    """Show records in full, and sessions with all they hold. With --json an array.

    Beside whole ids it takes the beginning of a uid or of an agent's session, a file, a commit and a date.
    Where these name several memories they are listed on stderr, to choose from, and the exit code is 1.
    """
    if for_agent:
        _show_for_agent(call, ids, fields or "", about or "", max_tokens, hidden=hidden)
        return
    options = {"--fields": fields, "--about": about, "--max-tokens": max_tokens, "--hidden": hidden}
    for name, value in options.items():
        refuse_without(bool(value), name, "--for-agent")
    with call.reading() as store:
        records = [_named(store, text) for text in ids]
        if call.json:
            print_json([shown_json(store, record) for record in records])
            return
        blocks = [block for item in records for block in _blocks(store, item)]
    print_blocks(blocks)


def _named(store: Store, name: str) -> Record | Note | Session:
    """Return what an id names, or the only thing that its beginning, a file, a commit or a date leads to.
    Where there are several they are listed on stderr, to choose from, and typer.Exit is raised."""
    if parse_ref(bare_ref(name)):
        with suppress(NotFoundError):
            return store.any_record(name)
    from ...links.destinations import destinations

    places = destinations(store, name)
    if not places and parse_ref(bare_ref(name)):
        return store.any_record(name)
    if not places:
        raise NotFoundError(
            "There is no memory {given}, and none of a file, a commit or a date called "
            "so. `mem search` lists what there is.",
            given=name,
        )
    if len(places) == 1 and places[0].ref:
        return store.any_record(places[0].ref)
    tell("{given} names several. Give the id of one:", given=name)
    for line in _listed(store, places):
        tell(f"  {line}")
    raise typer.Exit(1)


def _listed(store: Store, destinations: list[Destination]) -> Iterator[str]:
    """Yield a line for each destination; of the only one for each of its memories, up to `LISTED`."""
    if len(destinations) > 1:
        for item in destinations:
            many = f" ({count_noun(item.count, 'memories')})" if item.query else ""
            yield f"{item.ref or localized(item.kind)}  {item.title}{many}"
        return
    for row in store.find(destinations[0].query).rows(0, LISTED):
        yield f"{row.ref}  {row.title}"
    if destinations[0].count > LISTED:
        more = destinations[0].count - LISTED
        yield _(
            "… and {more} more: mem search {query}",
            more=f"{more:,}",
            query=quoted_query(destinations[0].query),
        )


def _blocks(store: Store, record: Record | Note | Session) -> Iterator[Block]:
    if isinstance(record, Session):
        yield from session_blocks(store, record)
    else:
        yield named(record), list(shown_fields(store, record))


def _show_for_agent(
    call: Call, ids: list[str], fields: str, about: str, max_tokens: int | None, *, hidden: bool
) -> None:
    """Print the records that may be told, and for those that may not, why; exit code 1 where there are
    none."""
    from ...context.compact.answer import shell
    from ...context.compact.record import MOST_TOKENS, records

    names = [name for field in fields.split(",") if (name := field.strip())]
    room = MOST_TOKENS if max_tokens is None else max_tokens
    with call.reading() as store:
        compact_records = records(
            store, ids, names, about=about, hidden=hidden, max_tokens=room, wording=shell()
        )
    print_answer(compact_records, as_json=call.json)
    if not compact_records.records:
        raise typer.Exit(1)


def shown_json(store: Store, record: Record | Note | Session) -> Json:
    """A record with what belongs to it: a summary's brief level, what supersedes a fact."""
    if isinstance(record, Session):
        return full_session_json(store, record)
    merged: Json = {}
    if records := store.merged_into(record):
        merged["merged"] = [
            {"uid": merged_record.uid, "at": merged_record.at, "session": merged_record.session_uid}
            for merged_record in records
        ]
    if machine := store.machine_name(record.origin):
        merged["machine"] = machine
    if author := store.author_of(record):
        merged["author"] = author
    if (use := use_of(store, record)) != UNUSED:
        merged["use"] = asdict(use)
    if reports := store.reporting.of(record):
        merged["reports"] = [asdict(report) for report in reports]
    match record:
        case Summary():
            return summary_json(record, store.summaries.brief_levels(record)) | merged
        case Fact():
            return fact_json(record, store.superseding.pointers(record)) | merged
        case Observation():
            changed = [asdict(file) for file in refreshed_files(store, record)]
            return record_json(record) | merged | {"changed_files": changed}
    return record_json(record) | merged


def shown_fields(store: Store, record: Record | Note) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """The names and values of a record's fields that say something, with what belongs to it."""
    match record:
        case Summary():
            yield from summary_fields(record, store.summaries.brief_levels(record))
        case Fact():
            yield from fact_fields(record, store.superseding.pointers(record))
        case _:
            yield from record_fields(record)
    if machine := store.machine_name(record.origin):
        yield N_("made on"), machine
    if author := store.author_of(record):
        yield N_("shared by"), author
    if (use := use_of(store, record)) != UNUSED:
        yield N_("agents"), use.in_words(local_time(use.told_at or 0))
    if isinstance(record, Observation) and (changed := refreshed_files(store, record)):
        yield N_("files changed since"), changed_lines(changed)
    if reports := store.reporting.of(record):
        yield (
            N_("reported"),
            tuple(
                _(
                    "{verdict} by {maker}, {time}: {reason}",
                    verdict=_(report.verdict),
                    maker=report.by,
                    time=local_time(report.at),
                    reason=report.reason,
                ).removesuffix(": ")
                for report in reports
            ),
        )
    if merged := store.merged_into(record):
        yield (
            N_("merged into it"),
            tuple(
                " ".join(filter(None, (local_time(merged_record.at), _session_of(merged_record))))
                for merged_record in merged
            ),
        )


def _session_of(record: MergedRecord) -> str:
    return (
        _("of {session}", session=f"@{record.session_id} {record.session_title or ''}".rstrip())
        if record.session_id
        else ""
    )


@app.command(cls=ReadingCommand)
def timeline(
    call: Call,
    id: Annotated[
        str,
        typer.Argument(
            metavar="ID",
            help="12, p12, s12, f12 or a uid: what it is around.",
            autocompletion=completing.refs,
        ),
    ],
    window: Annotated[
        str,
        typer.Option("--window", metavar="SPAN", help="How far to either side: 30m, 2h, 1d."),
    ] = "30m",
    scope: Annotated[Scope, typer.Option("--scope", help="Whose memories.")] = "session",
    limit: arguments.Limit = 500,
    for_agent: arguments.ForAgent = False,
    before: Annotated[
        int, typer.Option("--before", min=0, help="With --for-agent: how many before it.")
    ] = 10,
    after: Annotated[int, typer.Option("--after", min=0, help="With --for-agent: how many after it.")] = 10,
    hidden: arguments.Hidden = False,
) -> None:
    """Show what happened around a memory, in time order."""
    if for_agent:
        from ...context.compact.answer import shell
        from ...context.compact.timeline import timeline_rows

        with call.reading() as store:
            answer = timeline_rows(
                store, id, before=before, after=after, scope=scope, hidden=hidden, wording=shell()
            )
        print_answer(answer, as_json=call.json)
        return
    reach = minutes(window)
    with call.reading() as store:
        result = store.timeline(store.record(id), minutes=reach, scope=scope, limit=limit)
        authors = store.authors_of(entry.ref for entry in result.rows)
    if call.json:
        print_json(
            [
                list_row_json(entry) | {"anchor": place == result.anchor} | author_json(authors, entry.ref)
                for place, entry in enumerate(result.rows)
            ]
        )
        return
    print_rows(
        ("", "when", "id", "type", "memory", "project"),
        (
            timeline_row(entry, authors.get(entry.ref, ""), is_anchor=place == result.anchor)
            for place, entry in enumerate(result.rows)
        ),
        wide="memory",
        first_out=("project", "id"),
    )
    if result.truncated:
        tell("There is more; these are the nearest. -n {limit} shows more.", limit=limit * 2)


def timeline_row(entry: ListRow, author: str, *, is_anchor: bool) -> Row:
    """An entry as a line, the anchor behind an arrow; `author` is the teammate who shared it."""
    mark = ">" if is_anchor else ""
    return Row(
        mark,
        local_time(entry.created_at),
        entry.ref,
        type_of(entry),
        titled(entry.title, author),
        entry.project,
    )
