"""`mem merge`: several memories of one kind become one of them. `mem dedupe`: which say nearly the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ...platform.translation import _
from ...records.fields import editable, title_of
from ...records.kinds import kind_of
from ...text.plural import count_noun
from .. import arguments
from ..arguments import text_or_stdin
from ..command import Call, Command, ReadingCommand, group
from ..output.console import (
    Row,
    on_terminal,
    print_difference,
    print_json,
    print_line,
    print_rows,
    progress_bar,
    tell,
)
from ..output.serializers import record_json, ref
from ..typer_later import typer
from .chosen import DryRun, Ids, check, chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...curation.merging import MergePlan
    from ...maintain.duplicates.alike import Cluster
    from ...maintain.duplicates.candidates import MergeCandidate
    from ...store import Store


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


@app.command(cls=ReadingCommand)
def dedupe(
    call: Call,
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID]...", help="With --not-duplicates: two memories or more."),
    ] = None,
    not_duplicates: Annotated[
        bool,
        typer.Option(
            "--not-duplicates",
            help="Remember that the memories named are not duplicates: they are never offered as such"
            " again.",
        ),
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Make each cluster one memory; `undo` takes it back.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only list them, as without --merge.")] = False,
    project: arguments.OfProject = None,
    similarity: Annotated[
        float,
        typer.Option(
            "--similarity",
            min=50,
            max=100,
            help="How alike they have to be by their letters, in %.",
        ),
    ] = 50,
) -> None:
    """List memories that say nearly the same, and why.

    The first of each cluster is the one to keep: the pinned one, else the oldest. With --merge it
    gains what the others' lists hold, and the others are deleted.
    """
    from ...maintain.duplicates.alike import clusters, merge_all

    if not_duplicates != bool(ids):
        raise typer.BadParameter(_("--not-duplicates needs the ids of memories; nothing else takes ids."))
    if ids:
        if merge or dry_run:
            raise typer.BadParameter(_("--not-duplicates takes ids, and no other option."))
        tell_apart(call, ids)
        return
    if merge and dry_run:
        raise typer.BadParameter(_("--merge changes the store, --dry-run doesn't: give one of them."))
    with call.writing() if merge else call.reading() as store:
        apart = [] if merge else [*conflicts_of(store, project)]
        with progress_bar(_("Comparing"), is_counted=True) as progress:
            results = list(clusters(store, project=project, similarity=similarity, progress=progress))
        chosen = results if merge else []
        what = _("{clusters} of duplicates merged", clusters=count_noun(len(chosen), "clusters"))
        merged = (
            [observation is not None for observation in merge_all(store, chosen, what)] if chosen else []
        )
        merged += [False] * (len(results) - len(merged))
    if call.json:
        found = [json_of(cluster, done) for cluster, done in zip(results, merged, strict=True)]
        print_json([*map(conflict_json, apart), *found])
        return
    rows = [row for item in apart for row in conflict_rows(item)]
    rows += [row for cluster in results for row in rows_of(cluster)]
    print_rows(("keep", "like it", "alike", "why", "title"), rows, wide="title")
    if apart:
        tell(
            "{memories} changed on two machines: `m` in the browser compares both "
            "versions, and `mem merge KEEP OTHER` makes them one.",
            memories=count_noun(len(apart), "memories"),
        )
    if not results:
        tell("No two memories say nearly the same.")
    elif merge:
        many = count_noun(sum(merged), "clusters")
        tell(
            "Merged: {clusters}. `mem undo` takes all of it back."
            if any(merged)
            else "Merged: {clusters}.",
            clusters=many,
        )
        if left := len(chosen) - sum(merged):
            tell(
                "Left alone, since changed meanwhile: {clusters}.",
                clusters=count_noun(left, "clusters"),
            )
    else:
        spare = count_noun(sum(len(cluster.twins) for cluster in results), "memories")
        many = count_noun(len(results), "clusters")
        tell("{clusters}, in which {memories} can go.", clusters=many, memories=spare)
        tell("--merge makes each cluster one memory.")


def tell_apart(call: Call, ids: list[str]) -> None:
    """Remember that memories are not duplicates."""
    with call.writing() as store:
        pairs = store.not_duplicates(ids)
    if call.json:
        print_json({"not_duplicates": ids, "new_pairs": pairs})
    elif pairs:
        tell("Remembered: they are never offered as duplicates again. `mem undo` takes it back.")
    else:
        tell("That was known already.")


def conflicts_of(store: Store, project: str | None) -> Iterator[MergeCandidate]:
    """Yield what was changed on two machines, in one project or all."""
    from ...maintain.duplicates.candidates import conflicts

    for item in conflicts(store):
        if project is None or item.project == project:
            yield item


def conflict_rows(item: MergeCandidate) -> list[Row]:
    """Return both versions of a memory as rows."""
    kept, lost = item.refs
    return [
        Row(kept, "", "", _("as it is"), item.title),
        Row("", lost, "", _(item.why), item.title),
    ]


def conflict_json(item: MergeCandidate) -> dict[str, object]:
    """Return both versions of a memory as a JSON object, as of a cluster."""
    kept, lost = item.refs
    like = {"ref": lost, "similarity": None, "why": item.why, "title": item.title}
    return {
        "keep": kept, "project": item.project, "title": item.title, "like": [like],
        "merged": False,
    }  # fmt: skip


def rows_of(cluster: Cluster) -> list[Row]:
    """Return a cluster as rows: the one to keep, then what is like it."""
    keep = cluster.keep
    why = _("pinned") if keep.pinned else _("oldest")
    if keep.project:
        why = _("{why} of {project}", why=why, project=keep.project)
    first = Row(ref(keep), "", "", why, _title(keep))
    return [
        first,
        *(
            Row(
                "",
                ref(twin.observation),
                f"{twin.similarity:.1f}%",
                _(twin.why),
                _title(twin.observation),
            )
            for twin in cluster.twins
        ),
    ]


def json_of(cluster: Cluster, merged: bool) -> dict[str, object]:
    """Return a cluster as a JSON object."""
    return {
        "keep": ref(cluster.keep),
        "project": cluster.keep.project,
        "title": _title(cluster.keep),
        "like": [
            {
                "ref": ref(twin.observation),
                "similarity": twin.similarity,
                "why": twin.why,
                "title": _title(twin.observation),
            }
            for twin in cluster.twins
        ],
        "merged": merged,
    }


def _title(item: object) -> str:
    return getattr(item, "title", None) or getattr(item, "subtitle", None) or ""
