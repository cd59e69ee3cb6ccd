"""`mem fact`: what is held true. `mem note`: core memory, MEMORY.md and its like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from ...platform.clock import local_time
from ...platform.errors import NotFoundError
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...records.rows import SHOWN_KINDS, Fact, FactKind, FactSource, ListRow, Note, Speaker, fact_kind
from ...tables.fact_sources import speaker_of, taken_by
from ...text.plural import count_noun
from .. import arguments
from ..arguments import session_of_shell, text_or_stdin
from ..command import Call, Command, ReadingCommand, group, print_ref
from ..output.console import (
    Row,
    localized,
    on_terminal,
    print_block,
    print_changed,
    print_json,
    print_rows,
    print_text,
    tell,
)
from ..output.serializers import Json, fact_fields, fact_json, named, record_json, ref
from ..typer_later import typer
from .chosen import DryRun

if TYPE_CHECKING:
    from ...store import Store


facts = group("Add, list and show facts.")
notes = group("Put, list and show notes.")


def read_kind(text: str) -> FactKind:
    """Return the kind of fact that is typed: a word, or the letter of scheme C."""
    if result := fact_kind(text):
        return result
    raise typer.BadParameter(
        _("{text!r} is not one of {names}.", text=text, names=_(", ").join(SHOWN_KINDS.values()))
    )


KINDS = "|".join(SHOWN_KINDS.values())


@facts.command(cls=Command)
def add(
    call: Call,
    content: Annotated[str, typer.Argument(help="What is true; - reads it from standard input.")],
    kind: Annotated[
        FactKind,
        typer.Option(
            "--kind", parser=read_kind, metavar=KINDS, help="What it is.", show_default="preference"
        ),
    ] = "O",
    project: arguments.ProjectOrHere = None,
    everywhere: arguments.Everywhere = False,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="ID",
            help="The session it was said in; else that of the agent in whose shell this runs.",
        ),
    ] = None,
    entity: Annotated[
        list[str] | None, typer.Option("--entity", help="Whom or what it names (repeatable).")
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", min=0, max=1, help="How sure it is.")] = 1.0,
    evidence: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="UID", help="A record that shows it (repeatable)."),
    ] = None,
    source: Annotated[
        list[str] | None, typer.Option("--source", help="Where it was said (repeatable).")
    ] = None,
    private: arguments.Private = False,
    at: arguments.At = None,
) -> None:
    """Add a fact and print its id; the same statement again adds a source to it."""
    statement = text_or_stdin(content)
    with call.writing() as store, store.change() as action:
        said_in = store.sessions.get(session) if session else session_of_shell(store)
        about = arguments.project_said(store, said_in, project, everywhere)
        added = store.facts.add(
            statement,
            kind=kind,
            project=about,
            session=said_in,
            speaker=arguments.speaker_here(),
            entities=entity or (),
            confidence=confidence,
            evidence=evidence or (),
            sources=source or (),
            private=private,
            at=at,
        )
        action.what = _("{named} added", named=named(added))
    print_ref(call, added, action.what)
    if added.superseded_by is not None:
        tell(
            "It is superseded, and no session is told it. mem fact reinstate {added} has it hold again.",
            added=ref(added),
        )


@facts.command(cls=Command)
def move(
    call: Call,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Their ids, such as f12.")],
    project: Annotated[str | None, typer.Option("--project", help="The project they are about.")] = None,
    everywhere: arguments.Everywhere = False,
) -> None:
    """Say in which project facts hold, or that they hold everywhere; prints their ids."""
    if (project is None) == (not everywhere):
        raise typer.BadParameter(_("Give --project NAME, or --everywhere."))
    with call.writing() as store, store.change() as action:
        moved = [store.facts.move(store.facts.get(text), project or "") for text in ids]
        action.what = _("{facts} moved", facts=count_noun(len(moved), "facts"))
    if call.json:
        print_json([record_json(fact) | spoken(fact) for fact in moved])
        return
    print_changed(map(ref, moved), action.what)


@facts.command("list", cls=ReadingCommand)
def list_facts(
    call: Call,
    kind: Annotated[
        FactKind | None,
        typer.Option("--kind", parser=read_kind, metavar=KINDS, help="Only this kind."),
    ] = None,
    project: arguments.OfProject = None,
    entity: Annotated[str | None, typer.Option("--entity", help="Only facts that name this.")] = None,
    everywhere: Annotated[
        bool, typer.Option("--everywhere", help="Only what holds in every project.")
    ] = False,
    speaker: Annotated[
        Speaker | None, typer.Option("--speaker", help="Only what the user, or an assistant, said.")
    ] = None,
    current: Annotated[
        bool, typer.Option("--current", help="Without those that another fact supersedes.")
    ] = False,
    limit: arguments.Limit = 50,
    offset: arguments.Offset = 0,
) -> None:
    """List facts, the newest first."""
    if everywhere:
        arguments.refuse_both(project)
        project = ""
    with call.reading() as store:
        facts = store.facts.list(kind, project, limit, offset, entity, speaker, is_current=current)
        successors = {
            item.uid: ref(by) for item in facts if (by := store.facts.successor(item)) is not None
        }
        pending = pending_marks(store, facts)
    if call.json:
        print_json([record_json(fact) | spoken(fact) for fact in facts])
        return
    if not facts:
        tell("There are no facts.")
    print_rows(
        ("id", "kind", "sure", "sources", "project", "since", "said by", "fact"),
        (
            Row(
                ref(fact),
                localized(SHOWN_KINDS.get(fact.kind, fact.kind)),
                f"{fact.confidence:.0%}",
                str(len(fact.sources) or 1),
                fact.project,
                local_time(fact.created_at),
                localized(taken_by(fact.extra)),
                pending[fact.uid] + superseded_mark(fact, successors) + fact.content,
            )
            for fact in facts
        ),
        wide="fact",
        first_out=("said by", "sources", "since", "sure", "kind"),
    )
    if facts and on_terminal():
        tell("`mem fact show ID` tells who said one and when, `mem fact supersede OLD NEW` replaces one.")


@facts.command("broken", cls=ReadingCommand)
def list_broken(call: Call, project: arguments.OfProject = None) -> None:
    """List rules that were broken after they were told, the most often broken first."""
    from ...context.broken_rules import broken_rules

    with call.reading() as store:
        uses = broken_rules(store, project)
    if call.json:
        print_json(
            [
                record_json(use.fact)
                | spoken(use.fact)
                | {"said": use.said, "told_at_starts": use.told, "broken": [*map(turn_json, use.turns)]}
                for use in uses
            ]
        )
        return
    if not uses:
        tell("No rule was broken after it was told, as far as that is known.")
    print_rows(
        ("id", "broken", "said", "told", "last", "by", "project", "rule"),
        (
            Row(
                ref(use.fact),
                str(len(use.turns)),
                str(use.said),
                str(use.told),
                local_time(use.turns[-1].created_at),
                use.turns[-1].ref,
                use.fact.project,
                use.fact.content,
            )
            for use in uses
        ),
        wide="rule",
        first_out=("told", "said", "project", "last"),
    )


@facts.command("show", cls=ReadingCommand)
def show_fact(
    call: Call,
    fact: Annotated[str, typer.Argument(metavar="ID", help="Its id, such as f12, or its uid.")],
) -> None:
    """Show a fact: who told it and when, how sure each was, and the memories it rests on."""
    with call.reading() as store:
        result = store.facts.get(fact)
        fact_sources = store.facts.sources_of(result)
        lines = {source.uid: source for source in fact_sources}
        evidence = [evidence_json(store, uid, lines) for uid in result.evidence]
        pointers = store.superseding.pointers(result)
    if call.json:
        sources = [asdict(fact_source) | spoken(fact_source) for fact_source in fact_sources]
        print_json(fact_json(result, pointers) | spoken(result) | {"told": sources, "rests_on": evidence})
        return
    unshown = ("sources", "evidence", "extra") if speaker_of(result.extra) else ("sources", "evidence")
    shown = [field for field in fact_fields(result, pointers) if field[0] not in unshown]
    print_block(_("fact {result}", result=ref(result)), shown)
    print_rows(
        ("told", "sure", "session", "where", "said by"),
        (
            Row(
                local_time(item.told_at),
                f"{item.confidence:.0%}" + (_(" (verdict)") if item.is_verdict else ""),
                item.session or "",
                ", ".join(item.places) or localized("here"),
                localized(taken_by(item.extra)),
            )
            for item in fact_sources
        ),
        wide="where",
    )
    print_rows(
        ("id", "evidence"),
        (Row(str(entry["ref"] or "-"), str(entry["title"])) for entry in evidence),
        wide="evidence",
    )


@facts.command(cls=Command)
def supersede(
    call: Call,
    old: Annotated[str, typer.Argument(metavar="OLD", help="What no longer holds, such as f3.")],
    new: Annotated[
        str | None, typer.Argument(metavar="[NEW]", help="What holds in its place, such as f12.")
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", help="Instead of NEW: what holds now; - reads standard input."),
    ] = None,
    dry_run: DryRun = False,
) -> None:
    """Have a fact take the place of another one; prints the id of the one that holds.

    The old one can still be found and read, and no session is told it. `mem fact reinstate OLD`, or
    `mem undo`, has it hold again.
    """
    if (new is None) == (text is None):
        raise typer.BadParameter(_("Give NEW, the fact that holds in its place, or --text."))
    statement = None if text is None else text_or_stdin(text)
    with call.reading() if dry_run else call.writing() as store:
        if dry_run:
            show_supersession(call, store, old, new, statement)
            return
        if statement is None:
            result = store.supersede(old, str(new))
        else:
            session, speaker = session_of_shell(store), arguments.speaker_here()
            result = store.supersede_by_text(old, statement, session=session, speaker=speaker)
        pointers = store.superseding.pointers(result.new)
    if call.json:
        old_one = record_json(result.old)
        print_json({"old": old_one, "new": fact_json(result.new, pointers), "changed": result.is_new})
        return
    what = (
        _("fact {old} superseded by {new}", old=ref(result.old), new=ref(result.new))
        if result.is_new
        else ""
    )
    print_changed([ref(result.new)], what)
    if result.old.superseded_by is None:
        tell("It supersedes fact {old} once the user has accepted it.", old=ref(result.old))
    elif not result.is_new:
        tell("Fact {old} was superseded by {new} already.", old=ref(result.old), new=ref(result.new))
    elif result.new.project not in ("", result.old.project):
        old = result.old.project
        where = _("project {project}", project=old) if old else _("other projects")
        tell(
            "{new} holds in project {project}: sessions of {where} are told neither. mem "
            "fact move {new} says where it holds.",
            new=ref(result.new),
            project=result.new.project,
            where=where,
        )


def show_supersession(call: Call, store: Store, old: str, new: str | None, text: str | None) -> None:
    """Tell what `mem fact supersede` would do; raise InvalidRecordError where it would be refused."""
    before = store.facts.get(old)
    after = None if new is None else store.facts.get(new)
    if after is None and text is not None:
        after = store.facts.find(text, before.kind, before.project)
    store.superseding.check(before, after)
    if call.json:
        named_new = None if after is None else ref(after)
        print_json({"dry_run": True, "old": ref(before), "new": named_new})
        return
    holds = (_("a new fact"), text or "") if after is None else (ref(after), after.content)
    rows = [Row(localized("old"), ref(before), before.content), Row(localized("new"), *holds)]
    print_rows(("", "id", "fact"), rows, wide="fact")
    tell("Nothing was changed.")


@facts.command(cls=Command)
def reinstate(
    call: Call,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Their ids, such as f3.")],
) -> None:
    """Have superseded facts hold again; prints their ids."""
    with call.writing() as store, store.change() as action:
        before = [store.facts.get(text) for text in ids]
        held = [store.reinstate(name) for name in ids]
        action.what = (
            _("fact {ref} reinstated", ref=ref(held[0]))
            if len(held) == 1
            else _("{facts} reinstated", facts=count_noun(len(held), "facts"))
        )
    if call.json:
        print_json([record_json(fact) for fact in held])
        return
    print_changed(map(ref, held), action.what)
    for was, fact in zip(before, held, strict=True):
        if was.superseded_by is None:
            tell("Nothing supersedes fact {fact}; it is as it was.", fact=ref(fact))


def turn_json(row: ListRow) -> Json:
    """Return what broke a rule: a prompt or an observation, by its ref, and its session."""
    session = None if row.session_id is None else f"@{row.session_id}"
    names = {"ref": row.ref, "kind": row.kind, "title": row.title}
    return names | {"session": session, "agent": row.agent, "created_at": row.created_at}


def superseded_mark(fact: Fact, successors: dict[str, str]) -> str:
    """What stands before a superseded fact's content in a list; "" for one that holds."""
    if fact.superseded_by is None:
        return ""
    by = successors.get(fact.uid)
    return _("[superseded by {by}] ", by=by) if by else _("[superseded] ")


def pending_marks(store: Store, records: Sequence[Fact] | Sequence[Note]) -> dict[str, str]:
    """What stands before what records say in a list, by uid: whether they wait for their user's word."""
    return {it.uid: _("[pending] ") if store.reviewing.is_waiting(it) else "" for it in records}


def spoken(statement: Fact | FactSource) -> Json:
    """Who stated a fact, or an assertion of one ("user", "assistant"), and who took it ("agreed" where an
    agent proposed it and the user agreed); None where that isn't known."""
    return {"speaker": speaker_of(statement.extra) or None, "taken_by": taken_by(statement.extra) or None}


def evidence_json(store: Store, uid: str, sources: dict[str, FactSource]) -> Json:
    """What a fact rests on: a memory, a line that told it, or what is not in this store."""
    if uid in sources:
        return {"uid": uid, "ref": None, "title": ", ".join(sources[uid].places)}
    try:
        entry = store.list_row(store.record(uid))
    except NotFoundError:
        return {"uid": uid, "ref": None, "title": f"{uid} (not in this store)"}
    return {"uid": uid, "ref": entry.ref, "title": entry.title}


@notes.command(cls=Command)
def put(
    call: Call,
    path: Annotated[str, typer.Argument(help="Its name, such as MEMORY.md.")],
    text: Annotated[str, typer.Argument(help="Its text; - reads it from standard input.")] = "-",
    project: Annotated[str, typer.Option("--project", help="The project it belongs to; else to all.")] = "",
) -> None:
    """Store a note under its path, and print its id.

    It takes the place of what was there.
    """
    content = text_or_stdin(text)
    with call.writing() as store, store.change() as action:
        written = store.notes.upsert(path, content, project=project)
        action.what = _("{named} put", named=named(written))
    print_ref(call, written, action.what)


@notes.command("list", cls=ReadingCommand)
def list_notes(call: Call, project: arguments.OfProject = None) -> None:
    """List notes by project and path."""
    with call.reading() as store:
        listed = store.notes.list(project)
        pending = pending_marks(store, listed)
    if call.json:
        print_json([record_json(note) for note in listed])
        return
    if not listed:
        tell("There are no notes.")
    print_rows(
        ("id", "project", "path", "changed", "text"),
        (
            Row(ref(row), row.project, row.path, local_time(row.updated_at), pending[row.uid] + row.text)
            for row in listed
        ),
        wide="text",
    )


@notes.command("show", cls=ReadingCommand)
def show_note(
    call: Call,
    note: Annotated[str, typer.Argument(metavar="ID", help="Its id, such as n1, or its uid.")],
) -> None:
    """Print a note's text; with --json also its sections, and their bullets, by lines."""
    with call.reading() as store:
        result = store.notes.get(note)
    if call.json:
        from ...text.markup import sections

        print_json(
            record_json(result) | {"outline": [asdict(section) for section in sections(result.text)]}
        )
    else:
        print_text(result.text)
