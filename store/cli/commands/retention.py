"""`mem store retention`: how long memories are kept, and letting the older ones go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ...platform.clock import local_time
from ...platform.errors import InvalidRecordError
from ...platform.leaves import leaf, offers
from ...platform.translation import _
from ...records.dataclasses import asdict
from ...text.plural import count_noun, count_nouns
from .. import arguments
from ..command import Call, Command, group
from ..output.console import Row, print_json, print_rows, tell
from ..typer_later import typer

if TYPE_CHECKING:
    from ...maintain.retention import Due, Retention


app = group("Say how long memories are kept, and let the older ones go.")

OfPolicy = Annotated[
    str, typer.Option("--project", help="A project; else all that have no policy of their own.")
]
OfTeammates = Annotated[bool, typer.Option("--teammates", help="What teammates shared, of all projects.")]
EVERY_OTHER = "*"

DAY = len("2026-02-17")
"""Characters of a local time that name the day."""


def days_of(text: str) -> float:
    """Return a span in days: a number of days, `12h`, `90m`, `2d`, or `now`."""
    plain = str(text).strip().lower()
    if plain == "now":
        return 0.0
    if plain.isdecimal():
        return float(plain)
    return arguments.minutes(plain) / 1_440


@app.command("set", cls=Command)
def set_policy(
    call: Call,
    days: Annotated[
        float | None,
        typer.Option(
            "--days",
            parser=days_of,
            metavar="SPAN",
            help="Older memories are deleted: 90, 12h or now.",
        ),
    ] = None,
    project: OfPolicy = EVERY_OTHER,
    grace: Annotated[
        float,
        typer.Option(
            "--grace",
            parser=days_of,
            metavar="SPAN",
            help="Purged so long after they were deleted.",
        ),
    ] = "30",  # type: ignore[assignment]  # as it is typed: the parser reads it too
    teammates: OfTeammates = False,
    most: Annotated[
        int | None,
        typer.Option("--most", metavar="N", help="With --teammates: only the newest N."),
    ] = None,
) -> None:
    """Say for how long memories are kept: days, hours (12h), or now. Nothing is deleted before `run`.

    Pinned memories, facts and notes stay whatever their age. What teammates shared is only removed here,
    and a longer time brings it back from the team.
    """
    from ...maintain.retention import Retention

    if teammates:
        _set_of_teammates(call, days, most, project)
        return
    if days is None or most is not None:
        raise InvalidRecordError("Give --days; --most goes with --teammates only.")
    with call.writing() as store:
        policy = Retention(store).set(days, project, grace)
    call.answer(
        asdict(policy),
        "{named}: {span}. `mem store retention run --dry-run` shows what that means.",
        named=named(project),
        span=span(policy.days),
    )


def _set_of_teammates(call: Call, days: float | None, most: int | None, project: str) -> None:
    if project != EVERY_OTHER or (days is None and most is None):
        raise InvalidRecordError(
            "Give --days, --most or both; what teammates shared is kept by one rule for all projects."
        )
    with call.writing() as store:
        rule = leaf("team.retention").TeamRetention(store).set(days, most)
    kept = _of_teammates(rule.days, rule.most)
    hint = _("`mem store retention run --dry-run` shows what that means.")
    call.answer(asdict(rule), f"{kept} {hint}")


def _of_teammates(days: float | None, most: int | None) -> str:
    """Return the rule for what teammates shared as people read it."""
    if days is None:
        return _("What teammates shared: the newest {most:,}.", most=most)
    if most is None:
        return _("What teammates shared: {span}.", span=span(days))
    return _("What teammates shared: {span}, and at most the newest {most:,}.", span=span(days), most=most)


@app.command("list", cls=Command)
def list_policies(call: Call) -> None:
    """List how long memories are kept."""
    from ...maintain.retention import Retention

    with call.reading() as store:
        policies = Retention(store).list()
        rules = [rule for offered in offers("retention") if (rule := offered(store).rule()) is not None]
    if call.json:
        of_teammates = [{"teammates": True} | asdict(rule) for rule in rules]
        print_json([asdict(policy) for policy in policies] + of_teammates)
        return
    for rule in rules:
        tell(_of_teammates(rule.days, rule.most))
    if not rules and not policies:
        tell("All memories are kept for good.")
    print_rows(
        ("project", "days", "grace"),
        (Row(named(item.project), f"{item.days:g}", f"{item.grace_days:g}") for item in policies),
        wide="project",
    )


@app.command(cls=Command)
def clear(call: Call, project: OfPolicy = EVERY_OTHER, teammates: OfTeammates = False) -> None:
    """Keep a project's memories for good again, or all that teammates shared."""
    from ...maintain.retention import Retention

    with call.writing() as store:
        if teammates:
            leaf("team.retention").TeamRetention(store).clear()
        else:
            Retention(store).clear(project)
    if call.json:
        print_json({"cleared": "teammates" if teammates else project})
    elif teammates:
        tell("What teammates shared is kept for good; the next `mem sync` brings back what was removed.")
    else:
        tell("{named}: kept for good.", named=named(project))


@app.command(cls=Command)
def run(
    call: Call,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be deleted and purged.")
    ] = False,
) -> None:
    """Delete what is older than its project's policy, and purge what was deleted long enough ago.

    What is deleted can be brought back until it is purged: `mem undo`, `mem restore`.
    """
    from ...maintain.retention import Retention

    with call.reading() if dry_run else call.writing() as store:
        retention, others = Retention(store), [offered(store) for offered in offers("retention")]
        at = None
        due = retention.due(at)
        pulled = {table: many for other in others for table, many in other.due().items()}
        if not call.json:
            if pulled:
                tell("Removed here of what teammates shared: {what}.", what=count_nouns(pulled))
            if due or not pulled:
                show(due, retention, dry_run=dry_run)
        if not dry_run and (copy := retention.back_up_before(due)) is not None:
            tell(
                "{copy} holds what is purged now; it goes with the next ones, or remove it.",
                copy=copy,
            )
        removed = 0 if dry_run else retention.run(at) + sum(other.run() for other in others)
    if call.json:
        print_json(
            {
                "dry_run": dry_run,
                "done": removed,
                "due": [asdict(item) for item in due],
                "teammates": pulled,
            }
        )
    elif not dry_run and (due or pulled):
        tell("Done: {records}.", records=count_noun(removed, "records"))
        if any(entry.deleted for entry in due):
            tell("`mem undo` brings back what was deleted, until it is purged.")


def show(due: tuple[Due, ...], retention: Retention, *, dry_run: bool) -> None:
    """Tell what is due before anything is done."""
    if not due:
        tell(retention.why_nothing())
        return
    print_rows(
        ("project", "kept", "oldest", "newest", "purge", "delete"),
        (
            Row(
                item.project or _("(none)"),
                span(item.days),
                local_time(item.first_at)[:DAY],
                local_time(item.last_at)[:DAY],
                count_nouns(item.purged),
                count_nouns(item.deleted),
            )
            for item in due
        ),
        wide="delete",
        fold=True,
    )
    if dry_run:
        tell("Nothing was changed; `mem store retention run` does it.")


def span(days: float) -> str:
    """Return a span of days as people read it: 90 days, 12 hours, now."""
    if days == 0:
        return _("now")
    if days == int(days):
        return count_noun(int(days), "days")
    return _("{hours} hours", hours=f"{days * 24:g}")


def named(project: str) -> str:
    """A policy's project as people read it."""
    return _("all other projects") if project == EVERY_OTHER else project or _("(none)")
