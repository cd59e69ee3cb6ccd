"""`mem dedupe`: memories that say nearly the same, and making them one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ...cli import arguments
from ...platform.translation import _
from ...text.plural import count_noun
from ..command import Call, ReadingCommand, group
from ..output.console import Row, print_json, print_rows, progress_bar, tell
from ..output.serializers import ref
from ..typer_later import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...maintain.duplicates.candidates import MergeCandidate
    from ...maintain.duplicates.dedupe import Cluster
    from ...store import Store


app = group()


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
    in_other_words: Annotated[
        bool,
        typer.Option(
            "--in-other-words",
            help="With --merge: those too that say the same in other words, by their vectors.",
        ),
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
    gains what the others' lists hold, and the others are deleted. Where vectors are kept (`mem
    embeddings`), what says the same in other words is listed last, and merged only if asked for.
    """
    from ...maintain.duplicates.dedupe import clusters, merge_all
    from ...maintain.duplicates.other_words import clusters_in_other_words

    if not_duplicates != bool(ids):
        raise typer.BadParameter(_("--not-duplicates needs the ids of memories; nothing else takes ids."))
    if ids:
        if merge or dry_run or in_other_words:
            raise typer.BadParameter(_("--not-duplicates takes ids, and no other option."))
        tell_apart(call, ids)
        return
    if merge and dry_run:
        raise typer.BadParameter(_("--merge changes the store, --dry-run doesn't: give one of them."))
    if in_other_words and not merge:
        raise typer.BadParameter(_("--in-other-words belongs to --merge: without it all are listed."))
    with call.writing() if merge else call.reading() as store:
        apart = [] if merge else [*conflicts_of(store, project)]
        with progress_bar(_("Comparing"), is_counted=True) as progress:
            results = list(clusters(store, project=project, similarity=similarity, progress=progress))
            twins = {twin.observation.id for cluster in results for twin in cluster.twins}
            others = clusters_in_other_words(store, twins, project=project, progress=progress)
        results += others.found
        chosen = [item for item in results if in_other_words or not item.is_in_other_words] if merge else []
        what = _("{clusters} of duplicates merged", clusters=count_noun(len(chosen), "clusters"))
        merged = (
            [observation is not None for observation in merge_all(store, chosen, what)] if chosen else []
        )
        merged += [False] * (len(results) - len(merged))
    if others.trouble:
        tell(others.trouble)
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
        if left := len(results) - len(chosen):
            tell(
                "Left alone, since in other words: {clusters}. --in-other-words merges these too.",
                clusters=count_noun(left, "clusters"),
            )
    else:
        spare = count_noun(sum(len(cluster.twins) for cluster in results), "memories")
        many = count_noun(len(results), "clusters")
        tell("{clusters}, in which {memories} can go.", clusters=many, memories=spare)
        if all(entry.is_in_other_words for entry in results):
            tell("--merge --in-other-words makes each cluster one memory.")
        else:
            tell("--merge makes each cluster of nearly the same words one memory.")


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
        "in_other_words": False, "merged": False,
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
        "in_other_words": cluster.is_in_other_words,
        "merged": merged,
    }


def _title(item: object) -> str:
    return getattr(item, "title", None) or getattr(item, "subtitle", None) or ""
