"""Passwords and certificates: SCRAM and TLS as documented, and a sentence for whatever is wrong."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from memtui.store import Store
from memtui.store.leaves.team.driver import TeamError
from memtui.store.leaves.team.joining import create_team, invite, join_team
from memtui.store.leaves.team.membership import own_team, password_file
from memtui.store.leaves.team.server import Server

from .colleagues import share, status, sync, titles
from .conftest import OWNER, Place
from .servers import QUICK, Postgres, binaries

pytestmark = pytest.mark.long

HBA = "local all all trust\nhost{} all all 127.0.0.1/32 scram-sha-256\n"


class Authority:
    """Who signs certificates, by the command openssl."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.certificate = folder / "ca.crt"
        self._openssl(
            "req", "-x509", *self._key("ca"), "-out", self.certificate, "-days", "2",
            "-subj", f"/CN=the authority {folder.name}",
        )  # fmt: skip

    def sign(self, name: str, days: int = 2) -> tuple[Path, Path]:
        """A certificate of localhost, and its key."""
        request, certificate = self.folder / f"{name}.csr", self.folder / f"{name}.crt"
        self._openssl("req", *self._key(name), "-out", request, "-subj", "/CN=localhost")
        self._openssl(
            "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.folder / "ca.key",
            "-CAcreateserial", "-days", days, "-out", certificate,
        )  # fmt: skip
        return certificate, self.folder / f"{name}.key"

    def _key(self, name: str) -> tuple[object, ...]:
        kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
        return *kind, "-keyout", self.folder / f"{name}.key"

    def _openssl(self, *arguments: object) -> None:
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A server that asks for passwords, by SCRAM, where TCP is used; the system's knows TLS too."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = {"listen_addresses": "127.0.0.1", "password_encryption": "scram-sha-256"}
    with Postgres(binaries(of_system=True), QUICK | settings, port=port) as server:
        allow(server, HBA.format(""))
        yield server


@pytest.fixture(scope="module")
def place(server: Postgres) -> Place:
    """The server, as its superuser."""
    return Place(server.dsn, server.dsn, is_serializable=False)


@pytest.fixture(scope="module")
def authority(server: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """Who signed the certificate of the server, which has TLS from now on."""
    if not shutil.which("openssl"):
        pytest.skip("needs openssl")
    authority = Authority(tmp_path_factory.mktemp("tls") / "own")
    try:
        serve_with(server, *authority.sign("server"))
    except psycopg.Error:
        pytest.skip("this PostgreSQL was built without TLS")
    return authority


def allow(server: Postgres, rules: str) -> None:
    (server.data / "pg_hba.conf").write_text(rules)
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute("SELECT pg_reload_conf()")


def serve_with(server: Postgres, certificate: Path, key: Path) -> None:
    """Have the server show a certificate to who connects from now on."""
    for source, name in ((certificate, "server.crt"), (key, "server.key")):
        target = server.data / name
        shutil.copyfile(source, target)
        target.chmod(0o600)
        if server.user:
            shutil.chown(target, server.user)
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET ssl = on")
    server.restart()


@pytest.fixture
def dsn(database: str, server: Postgres) -> str:
    """The DSN of the team's owner, by TCP and without a password, which is 'of the owner'."""
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {OWNER} PASSWORD 'of the owner'")
    parts = conninfo_to_dict(database) | {"host": "localhost"}
    return make_conninfo("", **parts)


@pytest.fixture
def ada(dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A member who came by an invitation, and has a row that waits."""
    with Store.open(tmp_path / "owner.db") as owner, Store.open(tmp_path / "ada.db") as ada:
        monkeypatch.setenv("PGPASSWORD", "of the owner")
        create_team(owner, dsn, "crew")
        invitation = invite(owner, "ada", "writer", None)
        monkeypatch.delenv("PGPASSWORD")
        join_team(ada, invitation.dsn)
        share(ada)
        sync(ada)
        ada.observations.add("one", title="first", project="atlas")
        yield ada


def move_to(store: Store, dsn: str) -> None:
    store.db.execute("UPDATE team SET dsn = ?", (dsn,))


def verified(store: Store) -> str:
    """A store's DSN, asking for a certificate that is right in all."""
    return make_conninfo(own_team(store).dsn, sslmode="verify-full")


def refused(store: Store, dsn: str) -> str:
    """What a meeting at this address fails with; nothing is lost, and the next one goes on."""
    before = own_team(store).dsn
    move_to(store, dsn)
    with pytest.raises(TeamError) as failed:
        sync(store)
    assert own_team(store).trouble == str(failed.value)
    assert titles(store) == {"first"}
    assert status(store).waiting != 0
    move_to(store, before)
    return str(failed.value)


def test_an_invitation_logs_in_by_scram_and_a_wrong_password_does_not(
    ada: Store, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(server.dsn) as connection:
        sql = "SELECT rolpassword FROM pg_authid WHERE rolname = 'ada'"
        assert str(connection.execute(sql).fetchone()).startswith("('SCRAM-SHA-256$")
    assert "password" not in own_team(ada).dsn
    assert password_file().stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("PGPASSWORD", "another one")
    sentence = refused(ada, own_team(ada).dsn)
    assert "does not accept the password" in sentence and "another one" not in sentence
    monkeypatch.delenv("PGPASSWORD")
    assert sync(ada).given["stored"]


def test_a_certificate_that_is_right_in_all_is_taken(
    ada: Store, authority: Authority, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGSSLROOTCERT", str(authority.certificate))
    allow(server, HBA.format("ssl"))
    try:
        assert "does not let you in" in refused(ada, make_conninfo(own_team(ada).dsn, sslmode="disable"))
        move_to(ada, verified(ada))
        assert sync(ada).given["stored"]
        with Server(own_team(ada).dsn) as connection:
            sql = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
            assert connection.run(sql) == [(True,)]
    finally:
        allow(server, HBA.format(""))


def test_a_certificate_of_somebody_else_is_refused(
    ada: Store, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = Authority(tmp_path / "foreign")
    monkeypatch.setenv("PGSSLROOTCERT", str(foreign.certificate))
    assert "certificate of the team's server is not to be trusted" in refused(ada, verified(ada))
    monkeypatch.setenv("PGSSLROOTCERT", str(authority.certificate))
    elsewhere = make_conninfo(verified(ada), host="db.example.org", hostaddr="127.0.0.1")
    assert "is not to be trusted" in refused(ada, elsewhere)
    assert sync(ada).given["stored"]


def test_an_expired_certificate_is_refused(
    ada: Store, authority: Authority, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGSSLROOTCERT", str(authority.certificate))
    serve_with(server, *authority.sign("expired", days=-1))
    try:
        assert "not to be trusted: it expired" in refused(ada, verified(ada))
    finally:
        serve_with(server, *authority.sign("server"))
    assert sync(ada).given["stored"]


def test_a_server_without_tls_is_refused_where_tls_is_asked_for(
    ada: Store, server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        [(before,)] = connection.execute("SHOW ssl").fetchall()
        connection.execute("ALTER SYSTEM SET ssl = off")
    server.restart()
    try:
        needs = make_conninfo(own_team(ada).dsn, sslmode="require")
        assert "could not be made safe" in refused(ada, needs)
    finally:
        with psycopg.connect(server.dsn, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET ssl = {before}")
        server.restart()
