"""`mem team create`, `join`, `leave`, `rename`, `remove`, `status`, `members`, `removals`, `invite`,
`password` and `revoke`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ....cli.command import Call, Command, group
from ....cli.output.console import Row, localized, print_json, print_line, print_rows, tell
from ....cli.typer_later import typer
from ....platform.clock import local_time
from ....platform.system import posix
from ....platform.translation import _
from ....records.dataclasses import asdict
from ....text.plural import count_noun
from ...sync.commands.machines import tell_amiss

if TYPE_CHECKING:
    from ..joining import Invitation

app = group(
    "Share memories with a team, on a PostgreSQL of yours; `mem sync team` meets it.\n\n"
    "Nothing is shared until `mem team share` says so. `pip install 'memtui[team]'` brings the driver."
)

Dsn = Annotated[
    str,
    typer.Argument(
        metavar="DSN",
        help="postgresql://USER@HOST/DATABASE, service=NAME, or - for one on standard input.",
    ),
]
Named = Annotated[str, typer.Argument(metavar="NAME", help="A member, as they log in there.")]
ROLES = ("reader", "writer", "admin")


@app.command(cls=Command)
def create(
    call: Call,
    dsn: Dsn,
    name: Annotated[str, typer.Option("--name", help="What the team is called.")] = "team",
    read_dsn: Annotated[
        str | None,
        typer.Option(
            "--read-dsn",
            metavar="DSN",
            help='A replica, "host=NAME port=5432", that all members search and pull from.',
        ),
    ] = None,
    distributed: Annotated[
        bool,
        typer.Option("--distributed", help="Have its rows lie on all nodes of Citus, which is there."),
    ] = False,
) -> None:
    """Make a team in a database that you own, or bring its schema up to date, and join it."""
    from ..joining import create_team

    with call.writing() as store:
        team = create_team(store, _without_secrets(dsn), name, read_dsn, is_distributed=distributed)
    call.answer(
        asdict(team),
        "You are {member}, its administrator. `mem team invite NAME` invites somebody.",
        member=team.member,
    )


@app.command(cls=Command)
def join(
    call: Call,
    dsn: Dsn,
    name: Annotated[
        str | None, typer.Option("--name", help="Which team, where a database has several.")
    ] = None,
) -> None:
    """Join the team that you were invited to.

    A DSN with a password is taken on standard input only; the password goes into a file beside your
    configuration that only you can read.
    """
    from ..joining import join_team

    with call.writing() as store:
        team = join_team(store, _without_secrets(dsn), name)
    call.answer(
        asdict(team),
        "You are {member} ({role}) in {name}. `mem sync team` brings what it shares; "
        "nothing of yours goes until `mem team share`.",
        member=team.member,
        role=team.role,
        name=team.name,
    )


@app.command(cls=Command)
def leave(
    call: Call,
    keep: Annotated[bool, typer.Option("--keep", help="Keep what teammates shared.")] = False,
    drop: Annotated[
        bool,
        typer.Option("--drop", help="Remove from here what they shared and you have not changed."),
    ] = False,
) -> None:
    """Leave the team. What you shared stays there; joining again brings back what --drop removed."""
    from ..joining import leave_team

    if keep == drop:
        raise typer.BadParameter(_("Say what becomes of what teammates shared: --keep or --drop."))
    with call.writing() as store:
        deleted = leave_team(store, keep=keep)
    memories = count_noun(deleted, "memories")
    call.answer({"deleted": deleted}, "Left; {memories} removed from here.", memories=memories)


@app.command(cls=Command)
def status(call: Call) -> None:
    """Show the team, when it was met last, what is shared, and what it refused."""
    from ...sync.machines import TEAM, Machines
    from ..membership import own_team
    from ..sharing import Sharing

    with call.reading() as store:
        team = own_team(store)
        rules = Sharing(store).rules()
        place = next(it for it in Machines(store).status() if it.name == TEAM)
        items, marked = place.refused, place.waiting
    if call.json:
        print_json(
            asdict(team)
            | {
                "shared": [asdict(rule) for rule in rules],
                "refused": [asdict(item) for item in items],
                "changed_rows": marked,
            }
        )
        return
    print_rows(
        ("team", "you", "role", "last met", "waits", "refused"),
        (
            Row(
                team.name,
                team.member,
                team.role,
                local_time(team.met_at) if team.met_at else localized("never"),
                localized("all") if marked is None else str(marked),
                str(len(items)),
            ),
        ),
        wide="team",
    )
    for rule in rules:
        types = _(", ").join(map(_, rule.types)) or _("all but prompts, notes and noise")
        whom = _("the whole team") if rule.visibility == "team" else _("whoever is in it")
        values = {"project": rule.project, "whom": whom, "types": types}
        tell(
            _(
                "{project} is shared with {whom} since {time}: {types}.",
                time=local_time(rule.since),
                **values,
            )
            if rule.since
            else _("{project} is shared with {whom}: {types}.", **values)
        )
    tell_amiss(place)
    if team.read_dsn:
        tell("Searches and pulls go to a replica: {address}.", address=team.read_dsn)


@app.command(cls=Command)
def members(call: Call) -> None:
    """List the members, what they may do, and when they met the team."""
    from ..joining import own_server

    with call.reading() as store, own_server(store) as (team, server):
        listed = server.members(team.team_id)
    if call.json:
        print_json([asdict(member) for member in listed])
        return
    print_rows(
        ("name", "role", "projects", "joined", "machines", "last met"),
        (
            Row(
                member.name,
                localized("revoked") if member.revoked_at else localized(member.role),
                localized("all") if member.projects is None else ", ".join(member.projects),
                local_time(member.joined_at),
                str(member.machines),
                local_time(member.met_at) if member.met_at else localized("never"),
            )
            for member in listed
        ),
        wide="projects",
    )


@app.command(cls=Command)
def removals(
    call: Call,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Only the newest N.")] = 20,
) -> None:
    """List what administrators did: whom they invited or revoked, whose memories they took away."""
    from ..joining import own_server

    with call.reading() as store, own_server(store) as (team, server):
        listed = server.removals(team.team_id, limit)
    if call.json:
        print_json([asdict(removal) for removal in listed])
        return
    print_rows(
        ("when", "by", "what", "kind", "uid", "author", "project"),
        (
            Row(
                local_time(removal.at),
                removal.member,
                removal.state,
                removal.kind,
                removal.uid,
                removal.author,
                removal.project,
            )
            for removal in listed
        ),
        wide="project",
    )


@app.command(cls=Command)
def invite(
    call: Call,
    name: Named,
    role: Annotated[
        str, typer.Option("--role", help="reader, writer or admin.", metavar="ROLE")
    ] = "writer",
    projects: Annotated[
        list[str] | None,
        typer.Option("--project", metavar="PROJECT", help="Only this one; again for more."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Write the DSN there, for you alone to read."),
    ] = None,
) -> None:
    """Invite somebody, or change what a member may do; print the DSN by which they join, once.

    It has a password, unless the database knows a role of this name. Pass it on as you would a key.
    """
    from ..joining import invite as invite_member

    if role not in ROLES:
        raise typer.BadParameter(_("A role is one of {names}.", names=_(", ").join(ROLES)))
    with call.writing() as store:
        invitation = invite_member(store, name, role, projects or None)
    _print_invitation(call, invitation, file)
    if not invitation.has_password:
        tell("The database has a role {name} already, whose password stays as it is.", name=name)


def _print_invitation(call: Call, invitation: Invitation, file: Path | None) -> None:
    if file is not None:
        descriptor = posix.open(file, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as out:
            out.write(f"{invitation.dsn}\n")
    elif call.json:
        print_json(asdict(invitation))
    else:
        print_line(invitation.dsn)


@app.command(cls=Command)
def password(
    call: Call,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A member; yourself without.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Write the DSN there, for you alone to read."),
    ] = None,
) -> None:
    """Give yourself, or as administrator a member, a new password; print the DSN, once.

    The old one ends at once. Other machines of the member join again by the new DSN.
    """
    from ..joining import change_password

    with call.writing() as store:
        invitation = change_password(store, name)
    _print_invitation(call, invitation, file)


@app.command(cls=Command)
def rename(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the team is called from now on.")],
) -> None:
    """Give the team another name."""
    from ..joining import rename_team

    with call.writing() as store:
        rename_team(store, name)
    tell("The team is called {name} now.", name=name)


@app.command(cls=Command)
def remove(
    call: Call,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The team's name, as a confirmation.")],
) -> None:
    """Remove the team from its server, with all that is there, and leave it. Nothing brings it back.

    What members have on their machines stays there.
    """
    from ..joining import remove_team
    from ..membership import own_team

    with call.writing() as store:
        if own_team(store).name != name:
            raise typer.BadParameter(_("Your team is {name}.", name=own_team(store).name))
        many = remove_team(store)
    tell(
        "{name} is gone from its server; it had {members}.", name=name, members=count_noun(many, "members")
    )


@app.command(cls=Command)
def revoke(
    call: Call,
    name: Named,
    heir: Annotated[
        str | None,
        typer.Option("--to", metavar="NAME", help="Give what they shared to this member."),
    ] = None,
) -> None:
    """End somebody's membership. What they shared stays, theirs or another member's."""
    from ..joining import own_server

    with call.writing() as store, own_server(store) as (team, server):
        many, is_locked = server.revoke(team.team_id, name, heir)
    if call.json:
        print_json({"revoked": name, "handed_over": many, "can_log_in": not is_locked})
        return
    tell("{name} reads and writes there no more.", name=name)
    if heir:
        tell("{rows} are {heir}'s now.", rows=count_noun(many, "rows"), heir=heir)
    if not is_locked:
        tell(
            "The role can still log in, and see nothing: its maker runs ALTER ROLE {name} NOLOGIN.",
            name=name,
        )


def _without_secrets(dsn: str) -> str:
    """Return a DSN from the command line, where it may hold no password, or from standard input."""
    from ..driver import without_password

    if dsn == "-":
        return sys.stdin.readline().strip()
    if without_password(dsn)[1] is not None:
        raise typer.BadParameter(
            _("Whoever lists processes sees a password there: give - and the DSN on standard input.")
        )
    return dsn
