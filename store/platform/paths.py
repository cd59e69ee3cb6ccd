"""Where a memory's file and its spool lie, and which repository a directory is in.

A hook's process asks, which may import next to nothing: so paths are bytes, and only `posix` is
imported. File names need not be UTF-8, and nothing here looks into them.
"""

import sys

from .system import HAS_POSIX, account_home, is_absolute, posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FALLBACKS = (b"/run/user/%d", b"/tmp", b"/dev/shm")
"""Known to every process of a user, whatever its environment; /dev/shm has room on a full disk."""
APPLICATION_SUPPORT = b"Library/Application Support"
"""Below the home directory, where macOS wants programs' files, settings too."""
LONGEST_NAME = 180
PRIVATE, PRIVATE_FILE = 0o700, 0o600
DIRECTORY, REGULAR, KIND_OF_FILE, OTHERS = 0o040000, 0o100000, 0o170000, 0o077
MOST_LINKS = 40
TICKET = b".hook"
"""The end of the name of a pipe in the spool that a hook's process holds open until its event is there."""


def resolve_database_path(named: bytes | None) -> bytes:
    """The memory's absolute path: as named, else MEMTUI_DB, else in the user's data directory.

    Links are followed, for the spool lies beside their target.
    """
    result = named or posix.environ.get(b"MEMTUI_DB") or default_path_bytes()
    if not is_absolute(result):
        result = posix.getcwdb() + b"/" + result
    for _ in range(MOST_LINKS):
        try:
            target = posix.readlink(result)
        except OSError:
            break
        folder = result.rpartition(b"/")[0]
        result = target if is_absolute(target) else folder + b"/" + target
    return result


def default_path_bytes(environment: "Mapping[bytes, bytes]" = posix.environ) -> bytes:
    """Where the user's own memory lies unless MEMTUI_DB names it: in the platform's data directory."""
    return _user_directory(environment, b"XDG_DATA_HOME", b".local/share") + b"/memtui/memory.db"


def config_path_bytes(environment: "Mapping[bytes, bytes]" = posix.environ) -> bytes:
    """Where the user's configuration lies: MEMTUI_CONFIG, else in the platform's directory."""
    return environment.get(b"MEMTUI_CONFIG") or (
        _user_directory(environment, b"XDG_CONFIG_HOME", b".config") + b"/memtui/config.toml"
    )


def read_config(longest: int = 1 << 20) -> bytes:
    """Return the first bytes of the configuration, and wait for no pipe. Raises OSError."""
    file = posix.open(config_path_bytes(), posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    try:
        return posix.read(file, longest)
    finally:
        posix.close(file)


def state_path_bytes(name: bytes, environment: "Mapping[bytes, bytes]" = posix.environ) -> bytes:
    """Where a program keeps what it should still know at its next start, and could do without."""
    return _user_directory(environment, b"XDG_STATE_HOME", b".local/state") + b"/memtui/" + name


def _user_directory(environment: "Mapping[bytes, bytes]", variable: bytes, usual: bytes) -> bytes:
    """A directory that a variable of the environment names, else the platform's."""
    base = environment.get(variable, b"")
    if is_absolute(base):
        return base
    home = environment.get(b"HOME", b"")
    if not is_absolute(home):
        home = account_home()
    return home + b"/" + (APPLICATION_SUPPORT if is_mac() else usual)


def current_environment() -> "Mapping[bytes, bytes]":
    """The environment as it is now; `posix.environ` is what the process began with."""
    import os

    if hasattr(os, "environb"):
        return os.environb
    return {os.fsencode(name): os.fsencode(value) for name, value in os.environ.items()}


def is_mac() -> bool:
    """Whether programs keep their files where macOS wants them."""
    return sys.platform == "darwin"


def default_path_text() -> str:
    """The user's own memory, as `default_path` gives it, without importing pathlib."""
    import os

    return os.environ.get("MEMTUI_DB") or os.fsdecode(default_path_bytes(current_environment()))


def default_path() -> "Path":
    """The user's own memory: MEMTUI_DB, else in the platform's data directory."""
    from pathlib import Path

    return Path(default_path_text())


def spool_path(database: bytes) -> bytes:
    """The directory in which a memory's events wait, and where capture is paused."""
    return database + b"-spool"


STARTS_FOLDER, PREPARED = b"/starts/", b".start"
"""The folder in the spool that holds what starts are told, and the end of its files' names."""

DUE = b".due" + PREPARED
"""The end of the name of a file that holds what a session is told at its first prompt."""

CHOSEN = b".chosen"
"""The end of the name of a file that holds what somebody chose for a session's next prompt. Unlike what is
prepared it stays until something is purged: what it names is looked up when it is told."""

HANDED_OVER = b"MEMTUI_HANDED_OVER"
"""The variable that holds what a session is handed over that begins now, below the agent's name and the
time in seconds since the epoch."""


def starts_path(database: bytes) -> bytes:
    """The folder of what is prepared for the starts of sessions, and of what starts were told of it."""
    return spool_path(database) + STARTS_FOLDER


def forget_starts(database: str, end: bytes = PREPARED) -> None:
    """Remove what is prepared for the starts of sessions, or chosen for prompts: some of it may not be told
    any more."""
    for path in files_in(starts_path(database.encode("utf-8", "surrogateescape")), end):
        try:  # noqa: SIM105 - contextlib would have to be imported
            posix.unlink(path)
        except FileNotFoundError:
            # A session was told it meanwhile.
            pass


def files_in(folder: bytes, end: bytes | tuple[bytes, ...]) -> list[bytes]:
    """The paths of the files in a folder, which a slash ends, whose names end so, the newest last; none
    where it can't be read."""
    try:
        paths = [folder + name for name in posix.listdir(folder) if name.endswith(end)]
    except OSError:
        return []
    return sorted(paths, key=written_at)


def written_at(path: bytes) -> int:
    """When a file was written last, in ns since the epoch; 0 where it isn't there."""
    try:
        return posix.stat(path).st_mtime_ns
    except OSError:
        return 0


def fallback_spools(database: bytes) -> list[bytes]:
    """Where events wait when the spool itself can't be written, the best place first.

    A hook's environment may lack what its reader's has, and the other way round: but for the
    session's own directory, what only the environment tells comes last.
    """
    user = posix.geteuid()
    bases = [posix.environ.get(b"XDG_RUNTIME_DIR", b"")]
    bases += [base.replace(b"%d", b"%d" % user) for base in FALLBACKS]
    bases.append(posix.environ.get(b"TMPDIR", b""))
    last = database.replace(b"%", b"%25").replace(b"/", b"%2F")[-LONGEST_NAME:] + b"-spool"
    results: list[bytes] = []
    for base in bases:
        place = b"%b/memtui-%d/%b" % (base.rstrip(b"/"), user, last)
        if is_absolute(base) and place not in results:
            results.append(place)
    return results


def is_private_directory(folder: bytes) -> bool:
    """Whether a directory is the user's own and nobody else's: anybody can make one in /tmp."""
    try:
        result = posix.lstat(folder)
    except OSError:
        return False
    mode = result.st_mode
    return (
        mode & KIND_OF_FILE == DIRECTORY
        and result.st_uid == posix.geteuid()
        and not (HAS_POSIX and mode & OTHERS)
    )


def repository_root(folder: str) -> str | None:
    """The directory of the repository that an absolute directory is in; None where it is in none.

    Of a worktree it is the worktree's own.
    """
    above = folder.rstrip("/")
    while True:
        try:
            posix.stat(f"{above}/.git")
        except OSError:
            if not above:
                return None
            above = above.rpartition("/")[0]
        else:
            return above or "/"


def current_folder() -> str | None:
    """The directory of the repository that the current directory is in, else that directory; None where
    it is gone."""
    try:
        here = posix.getcwd()
    except FileNotFoundError:
        return None
    return repository_root(here) or here


def make_private_directories(folder: bytes) -> None:
    """Make a directory, and those above it that are missing, for the user alone whatever the umask;
    those that exist stay as they are. Raises OSError."""
    try:
        _make_private(folder)
    except FileNotFoundError:
        make_private_directories(folder.rpartition(b"/")[0])
        _make_private(folder)


def make_last_two(folder: bytes) -> None:
    """Make a directory and the one above it, for the user alone whatever the umask; what is above that
    belongs to the system."""
    for data in (folder.rpartition(b"/")[0], folder):
        _make_private(data)


def _make_private(folder: bytes) -> None:
    try:
        posix.mkdir(folder, PRIVATE)
    except FileExistsError:
        return
    posix.chmod(folder, PRIVATE)


def spool_directory(database: "Path") -> "Path":
    """The directory beside a memory's file, whether it is there or not: it holds events that wait,
    settings that hooks read, a worker's lock and marker."""
    if database not in _spool_directories:
        from os import fsdecode, fsencode
        from os.path import realpath
        from pathlib import Path

        spool = spool_path(realpath(fsencode(database)))
        _spool_directories[database] = Path(fsdecode(spool))
    return _spool_directories[database]


_spool_directories: "dict[Path, Path]" = {}


def make_spool_directory(database: "Path") -> "Path":
    """The same directory, made if it is missing."""
    directory = spool_directory(database)
    make_private_directories(bytes(directory))
    return directory


def observer_directory(database: "Path") -> "Path":
    """The directory in which a model's command runs: what an agent does there is no memory."""
    path = database.absolute()
    return path.with_name(f"{path.name}-observer")
