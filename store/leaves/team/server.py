"""All that is said to a team's server. Each call is one transaction."""

from __future__ import annotations

import os
import random
import re
import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Timer
from time import sleep
from typing import Any, LiteralString, Self

from ...platform.clock import now_ms, uuid7
from ...platform.errors import InvalidRecordError
from ..sync.machines import in_a_team
from .driver import TeamError, errors, psycopg, replica_dsn, sql, translated
from .entries import PUSHED, FoundEntry, Greeting, Key, Removal, TeamEntry, TeamMember, Verdict, slot_of

CROSSED = (errors.SerializationFailure, errors.DeadlockDetected)
"""The errors with which the server refuses a transaction because another one crossed it."""
SCHEMA = 4
"""The version of the server's schema that this program speaks with."""
STEPS = Path(__file__).parent / "schema"
FUNCTIONS = STEPS / "functions.sql"
DISTRIBUTED = STEPS / "distributed.sql"
TRIES = 9
"""So often a transaction is tried that another one stood in the way of."""
SECONDS = 10
SILENCE_SECONDS = 60
"""So long an answer is waited for."""
STATEMENT_SECONDS = 30
"""So long a statement of a member may take, and a transaction wait for their next one, by settings of their
role: that a pooler leaves alone."""
PAGE, PAGE_BYTES = 2_000, 4 * 1024 * 1024
"""So many rows, and bytes of them, are asked for at once, and stored in one transaction."""
COMPARED = 10_000
"""So many rows one digest is of."""
BATCH = 200
"""So many rows are written in one transaction there: whoever writes meanwhile waits no longer."""
NAME = re.compile(r"[a-z][a-z0-9_.-]{0,62}")


class Server:
    """A connection to the database of a team. Raises TeamError."""

    replica: Server | None = None
    """What pulls ask in its place."""

    def __init__(self, dsn: str, *, seconds: int = SECONDS) -> None:
        self.dsn, self.seconds = dsn, seconds
        self.named: set[str] = set()
        """The machines that the server was told are the member's, if they are nobody's."""
        with translated():
            # A pooler hands each transaction to another connection, which knows no prepared statement.
            self.connection = psycopg.connect(
                dsn,
                autocommit=True,
                prepare_threshold=None,
                connect_timeout=seconds,
                # One that is cut off is noticed within as much again.
                keepalives_idle=seconds,
                keepalives_interval=1,
                keepalives_count=seconds,
                tcp_user_timeout=seconds * 2_000,
                application_name="memtui",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        if self.replica is not None:
            self.replica.connection.close()

    def read_from(self, read_dsn: str) -> None:
        """Have pulls ask a replica, as long as it's there and not behind."""
        with suppress(TeamError):
            self.replica = _replica(self.dsn, read_dsn, self.seconds)

    def create(
        self,
        name: str,
        read_dsn: str | None = None,
        *,
        is_distributed: bool = False,
        current: tuple[str, str] | None = None,
    ) -> str:
        """Make, or bring up to date, the schema, and the team of this name with whoever asks as its
        administrator; have its members read from a replica if one is given, and its tables lie on all
        nodes of Citus; return the team's id. Where the store is in another team, by its id and name, make
        nothing and raise ConflictError."""
        with translated(), self.connection.transaction():
            # Citus makes tables by several connections, whose transactions would refuse each other.
            self._run("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
            self._check_encoding()
            is_new = not self._run("SELECT to_regclass('memtui.entry')")[0][0]
            if is_distributed and not self._run("SELECT 1 FROM pg_extension WHERE extname = 'citus'"):
                raise TeamError(
                    "This database has no Citus, which a distributed team needs: `CREATE EXTENSION citus` "
                    "there and on its workers first. Nothing was made."
                )
            team = self._create(name)
            if current is not None and current[0] != team:
                raise in_a_team(current[1])
            if is_distributed and is_new:
                self.connection.execute(DISTRIBUTED.read_bytes())
            if read_dsn is not None:
                self._run("UPDATE memtui.team SET read_dsn = %s WHERE team_id = %s", read_dsn, team)
            return team

    def _check_encoding(self) -> None:
        encoding = str(self._run("SHOW server_encoding")[0][0])
        if encoding != "UTF8":
            raise TeamError(
                "The database's encoding is {encoding}, in which not every text can be stored. Make one "
                "with UTF8 (`createdb --template template0 --encoding UTF8`). Nothing was made.",
                encoding=encoding,
            )

    def _create(self, name: str) -> str:
        self._run("CREATE SCHEMA IF NOT EXISTS memtui")
        self._run(
            "CREATE TABLE IF NOT EXISTS memtui.schema_version (version integer PRIMARY KEY, at bigint)"
        )
        version = self._version()
        steps = sorted(STEPS.glob("[0-9]*.sql"))
        if 0 < version < int(steps[0].name[:4]):
            raise TeamError(
                "The team's server has schema {version} of a development version. Make the team again "
                "in another database (`mem team create`): what members share comes there when they "
                "join it.",
                version=version,
            )
        for step in steps:
            if (number := int(step.name[:4])) > version:
                self.connection.execute(step.read_bytes())
                self._run("INSERT INTO memtui.schema_version VALUES (%s, %s)", number, now_ms())
        if version < SCHEMA:
            self.connection.execute(FUNCTIONS.read_bytes())
        ids = self._run("SELECT team_id FROM memtui.team WHERE name = %s", name)
        if ids:
            return str(ids[0][0])
        team = uuid7(now_ms())
        self._run("INSERT INTO memtui.team VALUES (%s, %s, %s)", team, name, now_ms())
        self._run("INSERT INTO memtui.head SELECT slot, 0 FROM unnest(memtui.slots(%s)) AS slot", team)
        self._run(
            "INSERT INTO memtui.member VALUES (%s, session_user, 'admin', NULL, %s)",
            team,
            now_ms(),
        )
        return team

    def teams(self) -> dict[str, str]:
        """Return the names of the teams that whoever asks is a member of, by id."""
        self.check_version()
        return {str(team): str(name) for team, name in self.run("SELECT * FROM memtui.teams()")}

    def check_version(self) -> None:
        """Raise TeamError where the server's schema is older or newer than this program's."""
        with translated():
            try:
                version = int(self._run("SELECT memtui.version()")[0][0])
            except errors.UndefinedFunction:
                version = self._version()
        if version > SCHEMA:
            raise TeamError(
                "The team's server has schema {version}, and this memtui speaks with "
                "{schema}: bring memtui up to date. Everything here goes on, and what waits "
                "is kept.",
                version=version,
                schema=SCHEMA,
            )
        if version < SCHEMA:
            raise TeamError(
                "The team's server has schema {version}, and this memtui speaks with "
                "{schema}: its owner runs `mem team create` again. Everything here goes on, "
                "and what waits is kept.",
                version=version,
                schema=SCHEMA,
            )

    def greet(self, team: str, machine: str) -> Greeting:
        """Return how the server knows a store. Raises TeamError where it knows it no more."""
        try:
            [(name, role, _projects, heads, meeting, now, read_dsn, version)] = self.run(
                "SELECT * FROM memtui.greet(%s, %s)", team, machine
            )
        except TeamError as error:
            # An older schema lacks what is asked for.
            self.check_version()
            if isinstance(error.__cause__, errors.InsufficientPrivilege):
                raise TeamError(
                    "You are not a member of this team any more. What is here stays; `mem team leave` "
                    "ends it."
                ) from error
            raise
        if version != SCHEMA:
            self.check_version()
        return Greeting(name, role, tuple(heads), meeting, now, read_dsn)

    def pull(
        self, team: str, cursors: Sequence[int], heads: Sequence[int], machine: str | None
    ) -> list[TeamEntry]:
        """Return the next rows of each slot, up to its head, that other machines than one brought, in
        their order; none where all are here."""
        if self.replica is not None:
            with suppress(TeamError), translated(), self.replica.connection.transaction():
                if self.replica.has(team, heads):
                    return self.replica.pull(team, cursors, heads, machine)
            self.replica.connection.close()
            self.replica = None
        sql_text = "SELECT * FROM memtui.pull(%s, %s::bigint[], %s::bigint[], %s, %s, %s)"
        rows = self.run(sql_text, team, [*cursors], [*heads], machine, PAGE, PAGE_BYTES)
        return [TeamEntry(*row) for row in rows]

    def has(self, team: str, heads: Sequence[int]) -> bool:
        """Whether a team's rows up to these numbers are here: a replica is behind."""
        with translated(), self.connection.transaction():
            here = self._run("SELECT memtui.heads(%s)", team)[0][0]
        return all(number >= head for number, head in zip(here, heads, strict=True))

    def fetch(self, team: str, keys: Sequence[tuple[str, str]]) -> list[TeamEntry]:
        """Return rows by kind and uid."""
        kinds, uids = [kind for kind, _ in keys], [uid for _, uid in keys]
        rows = self.run("SELECT * FROM memtui.fetch(%s, %s::text[], %s::text[])", team, kinds, uids)
        return [TeamEntry(*row) for row in rows]

    def push(self, team: str, machine: str, entries: Sequence[TeamEntry]) -> list[Verdict]:
        """Store rows, those of a slot in one transaction, and return what became of each. Raises psycopg's
        errors of values that the server can't store."""
        machines = {machine, *(entry.editor for entry in entries)} - self.named
        if machines:
            self.run("SELECT memtui.name_machines(%s, %s::text[])", team, sorted(machines))
            self.named |= machines
        by_slot: dict[int, list[TeamEntry]] = {}
        for entry in entries:
            by_slot.setdefault(slot_of(entry.uid), []).append(entry)
        verdicts: list[Verdict] = []
        for slot, some in by_slot.items():
            columns = [[entry[place] for entry in some] for place in range(PUSHED)]
            rows = self.run(
                "SELECT * FROM memtui.push(%s, %s, %s, %s::text[], %s::text[], %s::text[], %s::text[], "
                "%s::bigint[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::bigint[], %s::text[], "
                "%s::text[], %s::text[], %s::text[])",
                *(team, machine, slot, *columns),
            )
            verdicts += [Verdict(*row) for row in rows]
        return verdicts

    def foreign_machines(self, team: str) -> dict[str, str]:
        """Return the machines of the other members, each with whose it is."""
        sql_text = "SELECT * FROM memtui.machines(%s) WHERE out_member <> session_user"
        return {str(machine): str(member) for machine, member in self.run(sql_text, team)}

    def met(self, team: str, machine: str, name: str, meeting: str) -> None:
        """Note the name of a meeting that ends now."""
        self.run("SELECT memtui.met(%s, %s, %s, %s)", team, machine, name, meeting)

    def digest(self, team: str, after: Key) -> tuple[int, Key, str]:
        """Return of the next rows behind one how many there are, the last of them and a digest of all."""
        [(rows, kind, uid, digest)] = self.run(
            "SELECT * FROM memtui.digest(%s, %s, %s, %s)", team, *after, COMPARED
        )
        return rows, (kind or "", uid or ""), digest or ""

    def listing(self, team: str, after: Key) -> dict[Key, tuple[str, str]]:
        """Return state and version of the next rows behind one, by what names them."""
        rows = self.run("SELECT * FROM memtui.listing(%s, %s, %s, %s)", team, *after, COMPARED)
        return {(kind, uid): (state, version) for kind, uid, state, version in rows}

    def search(
        self,
        team: str,
        words: Sequence[int],
        *,
        kinds: Sequence[str] | None,
        projects: Sequence[str] | None,
        authors: Sequence[str] | None,
        since: int | None,
        until: int | None,
        limit: int,
        seconds: float,
    ) -> list[FoundEntry]:
        """Return the best of about the newest 2,000 memories that hold all words. Raises TeamError where
        that takes longer than `seconds`."""
        with translated(), self.connection.transaction():
            self._run("SELECT set_config('statement_timeout', %s, true)", str(int(seconds * 1000)))
            rows = self._run(
                "SELECT * FROM memtui.search(%s, %s::integer[], %s::text[], %s::text[], %s::text[], "
                "%s, %s, %s)",
                *(team, [*words], kinds, projects, authors, since, until, limit),
            )
        return [FoundEntry(*row) for row in rows]

    def members(self, team: str) -> list[TeamMember]:
        """Return the members, by name."""
        rows = self.run("SELECT * FROM memtui.members(%s)", team)
        return [
            TeamMember(name, role, None if projects is None else tuple(projects), *rest)
            for name, role, projects, *rest in rows
        ]

    def removals(self, team: str, limit: int) -> list[Removal]:
        """Return what was last taken away by others than its authors, the newest first."""
        sql_text = "SELECT * FROM memtui.removals(%s, %s)"
        return [Removal(*row) for row in self.run(sql_text, team, limit)]

    def invite(self, team: str, name: str, role: str, projects: Sequence[str] | None) -> str | None:
        """Make someone a member, or change their role. Return the password of the database's role that was
        made for them; None where there was one of this name."""
        if NAME.fullmatch(name) is None or name.startswith("pg_"):
            raise InvalidRecordError(
                "{name} is not a member's name: give lower-case letters, digits, dots and dashes.",
                name=name,
            )
        password = None
        with translated(), self.connection.transaction():
            roles = self._run("SELECT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname = %s", name)
            if roles == [(False,)]:
                self._let_log_in(name)
            elif not roles:
                password = secrets.token_urlsafe(24)
                self.connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                        sql.Identifier(name), sql.Literal(self._verifier(name, password))
                    )
                )
                for setting in ("statement_timeout", "idle_in_transaction_session_timeout"):
                    self.connection.execute(
                        sql.SQL("ALTER ROLE {} SET {} = {}").format(
                            sql.Identifier(name), sql.Identifier(setting), f"{STATEMENT_SECONDS}s"
                        )
                    )
            listed = None if projects is None else list(projects)
            self._run("SELECT memtui.set_member(%s, %s, %s, %s)", team, name, role, listed)
        return password

    def _let_log_in(self, name: str) -> None:
        """Undo what revoking did to a role. Raises InvalidRecordError where that isn't permitted."""
        try:
            self.connection.execute(sql.SQL("ALTER ROLE {} LOGIN").format(sql.Identifier(name)))
        except psycopg.errors.InsufficientPrivilege as error:
            raise InvalidRecordError(
                "{name} may not log in at the database, and you may not change that. Nothing was "
                "changed; whoever may runs `ALTER ROLE {name} LOGIN`, then invite again.",
                name=name,
            ) from error

    def rename(self, team: str, name: str) -> None:
        """Give a team another name. Raises TeamError where that isn't the caller's to do."""
        self.run("SELECT memtui.rename_team(%s, %s)", team, name)

    def remove(self, team: str) -> None:
        """Remove a team and all its rows, which members keep on their machines."""
        self.run("SELECT memtui.remove_team(%s)", team)

    def change_password(self, name: str) -> str:
        """Give a member's role, or one's own, a new password, and return it."""
        password = secrets.token_urlsafe(24)
        with translated():
            self.connection.execute(
                sql.SQL("ALTER ROLE {} PASSWORD {}").format(
                    sql.Identifier(name), sql.Literal(self._verifier(name, password))
                )
            )
        return password

    def _verifier(self, name: str, password: str) -> str:
        """Return what SCRAM keeps of a password: the server, and its log, are given no password."""
        kept = self.connection.pgconn.encrypt_password(password.encode(), name.encode(), b"scram-sha-256")
        return kept.decode()

    def revoke(self, team: str, name: str, heir: str | None) -> tuple[int, bool]:
        """End a membership, and give what they shared to another member if one is named; return how many
        rows that were, and whether they can't log in any more either."""
        many = 0
        with translated(), self.connection.transaction():
            if not self._run("SELECT 1 FROM memtui.members(%s) WHERE out_name = %s", team, name):
                raise InvalidRecordError(
                    "There is no member {name}. `mem team members` lists them.", name=name
                )
            if heir is not None:
                many = int(self._run("SELECT memtui.hand_over(%s, %s, %s)", team, name, heir)[0][0])
            self._run("SELECT memtui.set_member(%s, %s, NULL, NULL)", team, name)
        try:
            self.connection.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(sql.Identifier(name)))
        except psycopg.Error:
            return many, False
        return many, True

    def run(self, statement: LiteralString, *values: object) -> list[Any]:
        """Run one statement, again where another transaction stood in the way; return its rows."""
        for attempt in range(TRIES):
            try:
                with translated(passing=(*CROSSED, psycopg.DataError, psycopg.IntegrityError)):
                    return self._run(statement, *values)
            except CROSSED:
                sleep(random.uniform(0, 0.02) * 2**attempt)
        raise TeamError("The team's server is too busy; what waits is kept, and goes next time.")

    def _run(self, statement: LiteralString, *values: object) -> list[Any]:
        with self._not_for_ever():
            cursor = self.connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def _not_for_ever(self) -> Iterator[None]:
        """End the connection where the server answers nothing for a minute, though its kernel does: its
        machine is paused, or a proxy before it is stuck."""
        with socket.socket(fileno=os.dup(self.connection.fileno())) as wire:
            is_ended = Event()

            def end() -> None:
                is_ended.set()
                wire.shutdown(socket.SHUT_RDWR)

            timer = Timer(SILENCE_SECONDS, end)
            timer.daemon = True
            timer.start()
            try:
                yield
            except psycopg.OperationalError as error:
                if is_ended.is_set():
                    raise TeamError(
                        "The team's server said nothing for {seconds} s; everything here goes on, and what "
                        "waits is kept.",
                        seconds=SILENCE_SECONDS,
                    ) from error
                raise
            finally:
                timer.cancel()

    def _version(self) -> int:
        return int(self._run("SELECT coalesce(max(version), 0) FROM memtui.schema_version")[0][0])


def _replica(dsn: str, read_dsn: str, seconds: int) -> Server:
    server = Server(replica_dsn(dsn, read_dsn), seconds=seconds)
    # Where SERIALIZABLE is the default, a replica takes nothing that doesn't ask for less.
    server.connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
    return server


def server_for_search(dsn: str, read_dsn: str, team: str, heads: Sequence[int], *, seconds: int) -> Server:
    """Return a connection to the replica of a server; to that itself where there is none, or it is away
    or lacks rows up to these numbers."""
    if read_dsn:
        with suppress(TeamError):
            replica = _replica(dsn, read_dsn, seconds)
            with suppress(TeamError):
                if replica.has(team, heads):
                    return replica
            replica.connection.close()
    return Server(dsn, seconds=seconds)
