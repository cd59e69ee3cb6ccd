"""Repositories: which one a directory belongs to, its root, its remote and its first commit, read from its
files.

The lean `mem add` and a hook's process ask, so SQLite, `re` and pathlib are not imported here.
"""

# Paths are strings where a lean process asks: pathlib costs more than all of this.

from __future__ import annotations

import os
from time import monotonic

from ..platform.paths import repository_root
from ..platform.regular_file import FLAGS, checked, open_regular, read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

REMOTE_SECTION = r'\s*\[remote "(?P<name>[^"]*)"\]'
URL = r"\s*url\s*=\s*(?P<url>\S+)"
ADDRESS = (
    r"(?i)(?:[a-z0-9+.-]+://)?(?:[^@/\s]*@)?"
    r"(?P<host>[^:/\s]+)(?::\d+(?=/))?[:/]+(?P<path>\S+?)(?:\.git)?/*$"
)

HOME = r"(?:(?:/[^/]+){0,3}/(?:home|homes|Users)/[^/]+|/root|/var/root)"
SHARED = r"(?:\.[^/]+/worktrees|\.worktrees|\.[^/]+-worktrees|conductor/workspaces)"
BELOW_ID = r"(?P<root>.*/\.codex/worktrees/[^/]+/[^/]+).*"
BELOW_NAME = (
    rf"(?P<root>(?:{HOME}/{SHARED}|/.+?/\.(?:cursor|windsurf|conductor|superset)/worktrees)/[^/]+)/.+"
)
IN_REPOSITORY = (
    rf"(?!{HOME}/\.)(?P<root>.*?[^/])(?:/\.(?:work)?trees|/\.[^/]+/worktrees|/\.conductor|\.worktrees)/.+"
)
"""Where agents, editors and people put worktrees: in a directory of the user's home, below an id or
below the repository's name, or in the repository or beside it. A home may lie anywhere (`/var/home`,
network homes); some agents put them into a home only."""

SAME_SERVICE = (
    r"(?:(?:ssh|www|altssh)\.)?"
    r"(?P<service>github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)(?:-[\w-]+)?"
)
"""The hosts of one service, and the aliases of one that people define to choose a key."""
AZURE = r"(?:(?:vs-)?ssh\.dev\.azure\.com|dev\.azure\.com|(?:vs-ssh|(?P<own>[^.]+))\.visualstudio\.com)"
ANY_CASE = ("github", "gitlab", "bitbucket", "codeberg", "gitea", "forgejo", "dev.azure.com")
"""Parts of the names of hosts that take paths in any letter case."""

FRESH_SECONDS = 5.0
"""How long a location is taken as it was read: a drain asks for the same few again and again."""
MAXIMUM_KNOWN = 512
LONGEST_ENTRY = 4_096
"""Bytes of a line of a repository's log."""
BRANCH = "ref: refs/heads/"
"""How HEAD names the branch that a working copy is on."""
LONGEST_BRANCH = 250
"""Characters of its name."""


class Location:
    """Where something happened: the working copy's folder, its repository's root and remote. Of a clone
    whose remote is a directory that is `source`. `commit` is the first commit, "" where the repository's
    log doesn't begin with it.

    Of a worktree the root is its repository's; outside of repositories it is the directory itself.
    Where all that is known of the root is its name, that of the folder ends with it. The root of a
    file system has no name, and is no project.
    """

    __slots__ = ("commit", "folder", "is_named_only", "is_repository", "remote", "root", "source")

    def __init__(
        self,
        folder: str,
        root: str,
        remote: str | None,
        *,
        is_named_only: bool = False,
        is_repository: bool = True,
        source: str = "",
        commit: str = "",
    ) -> None:
        self.folder = folder
        self.root = root
        self.remote = remote
        self.is_named_only = is_named_only
        self.is_repository = is_repository
        self.source = source
        self.commit = commit

    @property
    def name(self) -> str:
        """What the project is called unless that name is taken: the remote's name, else the root's."""
        name = self.name_with_owner.rpartition("/")[2].removesuffix(".git")
        return "" if self.remote is None and name[1:] == ":" else name

    @property
    def name_with_owner(self) -> str:
        """The last two names of the remote, else of the root."""
        return "/".join((self.remote or _slashed(self.root)).strip("/").split("/")[-2:])


_known: dict[str, tuple[float, Location]] = {}


def locate(folder: str) -> Location:
    """Return the location of a directory, at most `FRESH_SECONDS` old.

    The directory may be gone or of another machine: then it is its own root, unless it lies where
    worktrees do.
    """
    now = monotonic()
    read_at, location = _known.get(folder, (-FRESH_SECONDS, None))
    if location is None or now - read_at >= FRESH_SECONDS:
        if len(_known) >= MAXIMUM_KNOWN:
            _known.clear()
        location = _read_location(folder)
        _known[folder] = (now, location)
    return location


def branch_in(folder: str, moment: int | None = None) -> str:
    """Return the branch that a working copy is on, and was at a moment (ms since the epoch); "" where it is
    on none, or was moved since then."""
    root = repository_root(folder) if folder.startswith("/") else None
    if root is None:
        return ""
    try:
        path = head_of(root)
        # In whole milliseconds, as the moment is.
        if moment is not None and os.stat(path).st_mtime_ns // 1_000_000 > moment:  # noqa: PTH116
            return ""
        head = _beginning(path).strip()
    except (OSError, ValueError):
        return ""
    name = head.removeprefix(BRANCH)
    return name if name != head and name.isprintable() and len(name) <= LONGEST_BRANCH else ""


def head_of(root: str) -> str:
    """Return the file that names the branch of a working copy, be it a worktree. Raises OSError."""
    git = f"{root}/.git"
    if os.path.isdir(git):  # noqa: PTH112
        return f"{git}/HEAD"
    named = _beginning(git).removeprefix("gitdir:").strip()
    return os.path.join(root, named, "HEAD")  # noqa: PTH118


def _beginning(path: str) -> str:
    with checked(os.open(path, FLAGS), path) as file:
        return file.read(LONGEST_ENTRY).decode("utf-8", "replace")


def default_project(folder: str) -> str:
    """Return what the project of a directory is called when nothing is known of it yet."""
    return locate(folder).name


def normalize_remote(url: str) -> str | None:
    """A remote's address without scheme, user, port and `.git`; None for one that is a local path."""
    import re

    if not url or url.startswith((".", "/", "~", "file:")):
        return None
    address = re.match(ADDRESS, url)
    if address is None:
        return None
    host, path = address["host"].lower(), address["path"].strip("/")
    if match := re.fullmatch(SAME_SERVICE, host):
        host = match["service"]
    elif match := re.fullmatch(AZURE, host):
        parts = [part for part in path.split("/") if part not in ("v3", "_git", "DefaultCollection")]
        own = [match["own"]] if match["own"] else []
        host, path = "dev.azure.com", "/".join([*own, *parts])
    return f"{host}/{path}"


def takes_any_case(remote: str) -> bool:
    """Return whether a remote is the same in any letter case."""
    host = remote.partition("/")[0]
    return any(name in host for name in ANY_CASE)


def _read_location(folder: str) -> Location:
    from pathlib import Path

    start = Path(folder)
    # A relative one, such as C:\ elsewhere, would be looked for in the directory one works in.
    for directory in (start, *start.parents) if start.is_absolute() else ():
        git = directory / ".git"
        try:
            if git.is_dir():
                return _location(directory, directory, git)
            if git.is_file():
                own = _repository_of(git)
                shared = _shared_by(own)
                if shared is None:
                    return _location(directory, directory, own)
                return _location(directory, shared.parent if shared.name == ".git" else shared, shared)
        except (OSError, ValueError):
            continue
    return _location_by_name(str(start))


def _location(folder: Path, root: Path, repository: Path) -> Location:
    address = _address_of(repository)
    remote, source = normalize_remote(address), ""
    if address and remote is None:
        source = str((root / address.removeprefix("file://")).resolve()).removesuffix("/.git")
    return Location(str(folder), str(root), remote, source=source, commit=_first_commit(repository))


def _location_by_name(folder: str) -> Location:
    """Return the location of a directory that is in no repository here: its path may say that it was a
    worktree of one."""
    import re

    path = _slashed(folder)
    drive = re.match("[A-Za-z]:|/(?=/)|", path)
    for pattern in (BELOW_ID, BELOW_NAME, IN_REPOSITORY):
        if match := re.compile(pattern).fullmatch(path, drive.end() if drive else 0):
            root = folder[: match.end("root")]
            return Location(root, root, None, is_named_only=pattern != IN_REPOSITORY)
    return Location(folder, folder, None, is_repository=False)


def _slashed(path: str) -> str:
    """Return a path with slashes between its names, those of Windows too; it stays as long."""
    is_windows = path[1:3] == ":\\" or path.startswith("\\\\")
    return path.replace("\\", "/") if is_windows else path


def _repository_of(git: Path) -> Path:
    """Return the repository that the `.git` file of a worktree or submodule leads to."""
    target = read_regular(git).decode("utf-8", "replace").removeprefix("gitdir:").strip()
    return (git.parent / target).resolve()


def _shared_by(repository: Path) -> Path | None:
    """Return the repository whose worktree this is; None for one of its own, such as a submodule's."""
    shared = repository / "commondir"
    if not shared.is_file():
        return None
    return (repository / read_regular(shared).decode("utf-8", "replace").strip()).resolve()


def _address_of(repository: Path) -> str:
    """Return the address of a repository's remote: of `origin`, else of the first; "" without any."""
    import re

    try:
        lines = read_regular(repository / "config").decode("utf-8", "replace").split("\n")
    except OSError:
        return ""
    results: dict[str, str] = {}
    section = None
    for line in lines:
        if line.lstrip().startswith("["):
            header = re.match(REMOTE_SECTION, line)
            section = header["name"] if header else None
        elif section is not None and (url := re.match(URL, line)):
            results.setdefault(section, url["url"])
    return results.get("origin") or next(iter(results.values()), "")


def _first_commit(repository: Path) -> str:
    """Return the id of the commit that a repository's log begins with, "" where that isn't its first."""
    try:
        with open_regular(repository / "logs" / "HEAD") as file:
            before, commit, rest = file.readline(LONGEST_ENTRY).decode("utf-8", "replace").split(" ", 2)
    except (OSError, ValueError):
        return ""
    return commit if not before.strip("0") and "\tcommit (initial)" in rest else ""
