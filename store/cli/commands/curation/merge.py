"""`mem merge`: several memories of one kind become one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ....platform.translation import _
from ....records.fields import editable, title_of
from ....records.kinds import kind_of
from ....text.plural import count_noun
from ...arguments import text_or_stdin
from ...command import Call, Command, group
from ...output.console import on_terminal, print_json, print_line, tell
from ...output.diff import print_difference
from ...output.serializers import record_json, ref
from ...typer_later import typer
from .chosen import DryRun, Ids, check, chosen

if TYPE_CHECKING:
    from ....curation.merging import MergePlan
    from ....store import Store


app = group()


@app.command(cls=Command)
def merge(
    call: Call,
    ids: Ids = None,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="ID", help="The one to keep; else the pinned one, else the oldest."),
    ] = None,
    take: Annotated[
        list[str] | None,
        typer.Option("--take", metavar="FIELD=ID", help="A field as another of them has it; repeatable."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Of observations.")] = None,
    narrative: Annotated[
        str | None,
        typer.Option("--narrative", help="Of observations; - reads it from standard input."),
    ] = None,
    type: Annotated[str | None, typer.Option("--type", help="Of observations.")] = None,
    content: Annotated[str | None, typer.Option("--content", help="Of facts.")] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", help="Of prompts and notes; - reads it from standard input."),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Merge several memories of one kind into one; print its id. It is one undo.

    It keeps the sources, evidence, tags and files of all, and what no option says of its own texts;
    it is private if one of them is. The others are deleted, and no import brings them back.
    """
    given = {
        "title": title, "narrative": narrative, "type": type, "content": content, "text": text,
    }  # fmt: skip
    fields: dict[str, Any] = {name: word for name, word in given.items() if word is not None}
    for name in ("narrative", "text"):
        if fields.get(name) == "-":
            fields[name] = text_or_stdin("-")
    check(ids, None)
    with call.reading() if dry_run else call.writing() as store:
        refs = chosen(store, ids, None)
        fields = taken(store, take or []) | fields
        plan = store.plan_merge(refs, fields, into)
        if dry_run:
            show(call, plan)
            return
        done = store.merge(refs, fields, into=into, expected=plan)
        if call.json:
            kept = record_json(done.record)
            print_json({"into": ref(done.record), "merged": list(done.refs), "record": kept})
            return
    if not on_terminal():
        print_line(ref(done.record))
    tell(
        "Merged: {memories} are “{title}” now. `mem undo` takes it back.",
        memories=count_noun(len(done.refs) + 1, "memories"),
        title=title_of(done.record),
    )


def taken(store: Store, choices: list[str]) -> dict[str, Any]:
    """Return the fields that FIELD=ID names, as that memory has them."""
    results: dict[str, Any] = {}
    for choice in choices:
        name, equals, of = choice.partition("=")
        record = store.any_record(of) if equals and of else None
        known = editable(kind_of(record))
        if record is None or name not in known:
            problem = _("--take is FIELD=ID, such as title=12, not {choice!r}.", choice=choice)
            fields = _("There is: {names}.", names=", ".join(known)) if known else ""
            raise typer.BadParameter(f"{problem} {fields}".rstrip())
        results[name] = getattr(record, name)
    return results


def show(call: Call, plan: MergePlan) -> None:
    """Print what a merge would make, field by field."""
    merged = [ref(item) for item in plan.others]
    if call.json:
        fields = {
            name: list(value) if isinstance(value, tuple) else value for name, value in plan.fields.items()
        }
        print_json({"into": ref(plan.into), "merged": merged, "fields": fields, "dry_run": True})
        return
    print_line(
        _(
            "{names} into {into} {title}",
            names=", ".join(merged),
            into=ref(plan.into),
            title=title_of(plan.into),
        )
    )
    for name, value in plan.fields.items():
        before = getattr(plan.into, name, None)
        if before != value:
            print_difference(name, before, value)
    tell("Nothing was changed.")
