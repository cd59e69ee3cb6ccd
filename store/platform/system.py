"""What not every system has, with what stands in for it: the one module that imports `posix`, `fcntl`,
`pwd` and `resource`.

A hook's process imports this, so next to nothing else is imported here. What costs more is in
`processes.py`.
"""

try:
    import posix as posix
except ImportError:
    from . import windows as posix  # type: ignore[no-redef]


def with_slashes(path: str) -> str:
    """A path of this system with slashes between its parts."""
    return path if HAS_POSIX else path.replace("\\", "/")


def is_absolute(path: bytes) -> bool:
    """Whether a path, with slashes between its parts, begins at a root, or on Windows at a drive's."""
    return path[:1] == b"/" or (path[1:3] == b":/" and not HAS_POSIX)


HAS_POSIX = hasattr(posix, "fork")

ENOLCK = 37
"""What a file system says that has no locks, as `errno` has it."""


def lock(descriptor: int, shared: bool = False) -> None:
    """Lock an open file without waiting, until it is closed.

    Raises OSError: BlockingIOError or PermissionError where another process holds it, ENOLCK where
    there are no locks.
    """
    try:
        import fcntl
    except ImportError:
        _lock_first_byte(descriptor)
        return
    fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def _lock_first_byte(descriptor: int) -> None:
    try:
        from msvcrt import LK_NBLCK, locking  # type: ignore[attr-defined]
    except ImportError:
        raise OSError(ENOLCK, "this system has no locks") from None
    locking(descriptor, LK_NBLCK, 1)


def account_home() -> bytes:
    """The user's home directory as the system knows it; empty for a user without an account, as
    containers run with: the root, where it will be told that it can't write."""
    try:
        import pwd
    except ImportError:
        return posix.environ.get(b"USERPROFILE", b"").replace(b"\\", b"/")
    try:
        return pwd.getpwuid(posix.getuid()).pw_dir.encode()
    except KeyError:
        return b""


def forbid_core_dumps() -> None:
    """Keep what this process holds out of files that the system writes of processes that crash."""
    try:
        from resource import RLIMIT_CORE, getrlimit, setrlimit
    except ImportError:
        return
    # A byte keeps out also the program that takes dumps by a pipe, which is asked whatever the limit is.
    limit = int(getrlimit(RLIMIT_CORE)[1] != 0)
    setrlimit(RLIMIT_CORE, (limit, limit))
