"""Run git to read a repository safely: nothing that the repository holds is run, written or fetched.

A repository's own configuration can name programs that git would run; the options here disable them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Timer
from time import monotonic

from ..platform.processes import end_group
from ..platform.translation import _

LARGEST = 512 << 20
"""The most bytes that are read of git's output."""
LONGEST = 1 << 20
"""The most bytes of one part of it; no name is so long."""
CHUNK = 1 << 16

BEGIN = "\x01"
"""What a commit begins with in a log."""
LATEST = 1 << 50
"""The last time (ms) that is believed: a commit may claim any."""

SAFE = (
    "--no-pager", "--no-replace-objects", "--literal-pathspecs", "--no-optional-locks",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.alternateRefsCommand=",
    "-c", "core.attributesFile=/dev/null", "-c", "core.sshCommand=false", "-c", "core.askPass=",
    "-c", "credential.helper=", "-c", "diff.external=", "-c", "diff.orderFile=/dev/null",
    "-c", "diff.submodule=short", "-c", "gpg.program=false", "-c", "log.showSignature=false",
    "-c", "log.mailmap=false", "-c", "protocol.allow=never", "-c", "gc.auto=0",
    "-c", "maintenance.auto=false", "-c", "core.quotePath=false",
)  # fmt: skip

ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    # A partial clone fetches nothing, as that would run what its remote names.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
KEPT = ("PATH", "HOME", "XDG_CONFIG_HOME", "SYSTEMROOT")
"""The variables that git inherits. `GIT_…` are left out: inside a hook they name another repository."""


class GitError(Exception):
    """Git is missing, refuses the repository, was too slow, or found nothing."""


class Limit:
    """The time by which git has to have answered. Another thread may `stop` it before."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._stops: list[Callable[[], object]] = []

    def stop(self) -> None:
        """End what runs now, and let nothing more begin."""
        self._end = 0.0
        for stop in tuple(self._stops):
            stop()

    @contextmanager
    def stopping(self, stop: Callable[[], object]) -> Iterator[None]:
        """While the block runs, call `stop` when this limit is stopped."""
        self._stops.append(stop)
        try:
            yield
        finally:
            self._stops.remove(stop)

    @property
    def left(self) -> float:
        """The seconds that are left; GitError when there are none."""
        if (left := self._end - monotonic()) <= 0:
            raise GitError(_("There was no time left."))
        return left


def head(root: str, limit: Limit) -> str:
    """Return the id of the commit that a repository's HEAD is at; GitError where there is none."""
    with _output(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], limit) as tokens:
        return next(tokens, "").strip()


@contextmanager
def log(root: str, commit: str, since: int, most: int, limit: Limit) -> Iterator[Iterator[str]]:
    """Give the parts of `git log`, at most the `most` newest commits not older than `since` (seconds since
    the epoch), the oldest first.

    Of each commit: `\\x01` with its time and its author's, then for each of its files a status and the
    name, or for a renamed one both names. GitError when it ends early.
    """
    arguments = [
        "log", "-z", "--reverse", f"--max-count={most}", "--format=tformat:%x01%ct %at",
        "--name-status", "--find-renames", "--no-ext-diff", "--no-textconv", "--no-color",
        "--no-show-signature", "--no-use-mailmap", "--ignore-submodules=all",
    ]  # fmt: skip
    if since > 0:
        arguments.append(f"--since=@{since}")
    with _output(root, [*arguments, commit, "--"], limit) as tokens:
        yield tokens


@contextmanager
def patches(
    root: str, commit: str, since: int, paths: Iterable[str], limit: Limit
) -> Iterator[Iterator[str]]:
    """Give the commits of `log` on some files, each as its two times and a diff without context to its
    first parent. GitError when it ends early."""
    arguments = [
        "log", "-z", "--reverse", "--first-parent", "-m", f"--since=@{since}",
        "--format=tformat:%x01%ct %at", "--patch", "--unified=0", "--inter-hunk-context=0", "--no-renames",
        "--src-prefix=a/", "--dst-prefix=b/", "--no-ext-diff", "--no-textconv", "--no-color",
        "--no-show-signature", "--no-use-mailmap", "--ignore-submodules=all",
    ]  # fmt: skip
    with _output(root, [*arguments, commit, "--", *paths], limit, LARGEST) as tokens:
        yield tokens


def commit_times(token: str) -> tuple[int, int]:
    """Return the times of a commit and of its author, as a log has them, in ms since the epoch, UTC."""
    try:
        committed, authored = map(int, token[len(BEGIN) :].split())
    except ValueError as error:
        raise GitError(_("What git printed is not a log.")) from error
    return min(max(committed * 1_000, 0), LATEST), min(max(authored * 1_000, 0), LATEST)


def changed_lines(root: str, path: str, limit: Limit) -> int | None:
    """Return how many lines of a file git shows as added or removed since its last commit; None for a file
    that it doesn't track. GitError."""
    with _output(root, ["ls-files", "-z", "--", path], limit) as tokens:
        if next(tokens, None) is None:
            return None
    arguments = ["diff", "-z", "--numstat", "--no-ext-diff", "--no-textconv", "--no-renames"]
    with _output(root, [*arguments, "HEAD", "--", path], limit) as tokens:
        added, removed, *_ = [*next(tokens, "0\t0").split("\t"), "0"]
    return sum(int(number) for number in (added, removed) if number.isdecimal())


MAIN = ("main", "master", "trunk")


def unmerged(root: str, limit: Limit) -> set[str]:
    """Return the branches of a repository, here or of a remote, that its main branch doesn't hold, here nor
    as it was fetched last; none where it has no main branch. GitError when git ends early."""
    refs = {}
    with _output(root, ["for-each-ref", "--format=%(refname)%00%(symref)%00", *BRANCHES], limit) as tokens:
        for name in tokens:
            refs[name.lstrip("\n")] = next(tokens, "")
    named = _branch(refs.get("refs/remotes/origin/HEAD", ""))
    known = {_branch(ref) for ref in refs}
    main = next((name for name in (named, *MAIN) if name and name in known), "")
    if not main:
        return set()
    bases = [f"--no-merged={ref}" for ref, target in refs.items() if _branch(ref) == main and not target]
    with _output(root, ["for-each-ref", "--format=%(refname)%00", *bases, *BRANCHES], limit) as tokens:
        left = {ref.strip("\n") for ref in tokens} - {""}
    merged_here = {_branch(ref) for ref in refs if ref.startswith(BRANCHES[0])} - {
        _branch(ref) for ref in left if ref.startswith(BRANCHES[0])
    }
    return {_branch(ref) for ref in left} - merged_here - {main}


BRANCHES = ("refs/heads/", "refs/remotes/")


def _branch(ref: str) -> str:
    """Return the name of a branch, without that of a remote."""
    return ref.split("/", 2 if ref.startswith(BRANCHES[0]) else 3)[-1]


@contextmanager
def files(root: str, limit: Limit) -> Iterator[Iterator[str]]:
    """Give the names of a repository's files, those in its index and those that it doesn't ignore, each
    once. GitError when it ends early."""
    arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    with _output(root, arguments, limit) as tokens:
        yield tokens


def deleted(root: str, names: Sequence[str], limit: Limit) -> set[str]:
    """Return which of these names a commit below HEAD has deleted. GitError when it ends early."""
    arguments = [
        "log", "-z", "--format=", "--name-only", "--diff-filter=D", "--no-renames", "--no-ext-diff",
        "--no-textconv", "HEAD", "--", *names,
    ]  # fmt: skip
    with _output(root, arguments, limit) as tokens:
        return {token.lstrip("\n") for token in tokens} - {""}


def printed(root: str, arguments: list[str], limit: Limit) -> str:
    """Return all that git prints, asked for what changes nothing and runs no filter. GitError."""
    with _output(root, arguments, limit, LARGEST) as tokens:
        return "\0".join(tokens)


@contextmanager
def _output(
    root: str, arguments: list[str], limit: Limit, longest: int = LONGEST
) -> Iterator[Iterator[str]]:
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):  # noqa: PTH117
        raise GitError(_("There is no git."))
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | ENVIRONMENT
    # The repository is this directory's own, never one above it.
    environment["GIT_CEILING_DIRECTORIES"] = os.path.dirname(root)  # noqa: PTH120
    try:
        process = subprocess.Popen(
            [program, *SAFE, "-C", root, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=environment,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise GitError(_("Git can't be run: {error}", error=error)) from error
    kill = partial(_kill, process)
    timer = Timer(limit.left, kill)
    timer.daemon = True
    timer.start()
    is_read = False
    try:
        with limit.stopping(kill):
            yield _tokens(process, longest)
        is_read = True
    finally:
        timer.cancel()
        if not is_read:
            kill()
        if process.stdout is not None:
            process.stdout.close()
        status = process.wait()
    if status:
        raise GitError(_("Git refused, or was too slow."))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End git with all that it has started, which would keep its output open."""
    if process.poll() is None:
        end_group(process.pid)


def _tokens(process: subprocess.Popen[bytes], longest: int) -> Iterator[str]:
    """Yield what ends with a NUL, and what is left in the end."""
    assert process.stdout is not None
    rest, size = b"", 0
    while chunk := process.stdout.read(CHUNK):
        size += len(chunk)
        if size > LARGEST or len(rest) > longest:
            raise GitError(_("The log is too long."))
        *whole, rest = (rest + chunk).split(b"\0")
        for token in whole:
            yield token.decode("utf-8", "surrogateescape")
    if rest:
        yield rest.decode("utf-8", "surrogateescape")
