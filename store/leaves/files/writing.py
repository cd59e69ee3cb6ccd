"""The one writer of agents' files: what may be written, when, and in the file's own style. Each change can
be taken back."""

from __future__ import annotations

import codecs
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ...agents.homes import SHOWN, is_denied
from ...database.files.locks import try_lock
from ...database.files.replacing import FileState, read_state
from ...database.files.temporary import is_running
from ...platform.errors import ConflictError, InvalidRecordError, NotFoundError, ReadOnlyError
from ...platform.system import posix
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...text.three_way import opcodes, split_lines

if TYPE_CHECKING:
    from ...store import Store

TEXTS = frozenset(("", ".md", ".mdc", ".markdown", ".txt"))
"""The ends of names of the files that are written here; settings and transcripts have others."""
PATIENCE_SECONDS = 2.0

NEW_MODE = 0o644
"""The mode of a new file, as far as its directory may be read."""


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file as it was read: where it really lies, its bytes (None: no file), and what these are."""

    path: Path
    content: bytes | None
    state: FileState

    @property
    def text(self) -> str:
        """What it says, with plain line ends and without a mark of byte order."""
        return text_of(self.content or b"")


def text_of(content: bytes) -> str:
    """Return bytes as the text that people edit."""
    text = content.removeprefix(codecs.BOM_UTF8).decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n")


def show(path: Path) -> ShownFile:
    """Read a file to be edited; a link is followed, and what is edited is what it leads to.

    Raises ReadOnlyError for what is never shown, InvalidRecordError for what is no text.
    """
    try:
        target = path.resolve(strict=False)
    except (OSError, RuntimeError) as error:
        raise InvalidRecordError("{path} leads nowhere: {error}.", path=path, error=error) from error
    if is_denied(target):
        raise ReadOnlyError("{target} may hold keys: it is neither shown nor written, ever.", target=target)
    if not target.suffix and target.name != path.name:
        # Such as a shell's configuration, which a repository could have its CLAUDE.md lead to.
        raise ReadOnlyError(
            "{path} leads to {target}, which isn't named as a text for agents. Name that file itself.",
            path=path,
            target=target,
        )
    try:
        state, content = read_state(target)
    except OSError as error:
        raise InvalidRecordError(
            "{target} can't be edited: {error}.", target=target, error=error.strerror
        ) from error
    if content is not None and (b"\0" in content or len(content) > SHOWN):
        raise InvalidRecordError(
            "{target} is not a text of at most {most} MiB.", target=target, most=SHOWN >> 20
        )
    return ShownFile(target, content, state)


def existing(path: Path) -> ShownFile:
    """Read a file to be edited that has to be there; NotFoundError, and what `show` raises."""
    shown = show(path)
    if shown.content is None:
        raise NotFoundError("There is no file {path}. `mem files new` makes one.", path=path)
    return shown


class FileWriter:
    """Writes agents' files, each change as one of the journal. `is_forced` has it write what is managed, a
    team's, or rewritten by an agent, too; what is denied never is."""

    def __init__(self, store: Store, *, is_forced: bool = False) -> None:
        self.store = store
        self.is_forced = is_forced

    def write(self, shown: ShownFile, text: str, what: str) -> str:
        """Give a file that was shown another text, in its own style, and return the text that it has then:
        with what others wrote to it meanwhile. Raises FileConflictError with both texts where they
        changed the same lines, ConflictError while an agent rewrites its memory, ReadOnlyError."""
        content = in_style_of(shown.content, text)
        if content == shown.content:
            return shown.text
        return text_of(self.put(shown, content, what) or b"")

    def remove(self, shown: ShownFile, what: str) -> None:
        """Remove a file that was shown; raises what `write` raises."""
        self.put(shown, None, what)

    def move(self, shown: ShownFile, path: Path, what: str) -> None:
        """Give a file another path, at which there is none, with its mode and time."""
        target = show(path)
        if target.content is not None:
            raise ConflictError("There is a file {path} already. Nothing was changed.", path=path)
        with self.store.change(what):
            self.put(target, shown.content, what, FileState(None, shown.state.mode, shown.state.mtime_ns))
            self.put(shown, None, what)

    def redact(self, shown: ShownFile, text: str, what: str) -> None:
        """Take a secret out of a file: no version of it is kept, and it can't be undone."""
        self._check(shown.path)
        content = in_style_of(shown.content, text)
        self.store.agent_files.put_untraced(shown.path, shown.content or b"", content, what)

    def put(
        self, shown: ShownFile, content: bytes | None, what: str, state: FileState | None = None
    ) -> bytes | None:
        """Give a file that was shown other bytes (None: no file); raises what `write` raises."""
        self._check(shown.path)
        try:
            if shown.content is None:
                shown.path.parent.mkdir(parents=True, exist_ok=True)
            if state is None:
                state = FileState()
                if shown.content is None:
                    state = FileState(mode=NEW_MODE & shown.path.parent.stat().st_mode)
            return self.store.agent_files.put(shown.path, shown.content, content, state, what)
        except OSError as error:
            raise ReadOnlyError(
                "{path} can't be written: {error}. Nothing was changed.",
                path=shown.path,
                error=error.strerror,
            ) from error

    def _check(self, path: Path) -> None:
        if is_denied(path) or path.suffix.lower() not in TEXTS:
            raise ReadOnlyError(
                "{path} is not a text that an agent is told: it isn't written here.", path=path
            )
        if not self.is_forced and (why := _read_only(path)):
            raise ReadOnlyError("{reason} --force writes it nevertheless.", reason=why)
        _wait_for_agent(path)


def in_style_of(content: bytes | None, text: str) -> bytes:
    """Return a text as the bytes of a file that held `content`: with its mark of byte order, its line ends,
    line by line, and its last line without an end where it had none."""
    if content is None:
        return text.encode("utf-8", "surrogateescape")
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    before = split_lines(content.removeprefix(mark))
    after = split_lines(text.replace("\r\n", "\n").encode("utf-8", "surrogateescape"))
    plain = [_without_end(line) for line in before]
    usual = b"\r\n" if sum(line.endswith(b"\r\n") for line in before) * 2 > len(before) else b"\n"
    result: list[bytes] = []
    wanted = [_without_end(line) for line in after]
    codes = opcodes(plain, wanted)
    for tag, start, end, first, last in codes:
        if tag == "equal":
            result += before[start:end]
        else:
            result += [line + usual for line in wanted[first:last]]
    ended = [
        line if line.endswith(b"\n") or place == len(result) - 1 else line + usual
        for place, line in enumerate(result)
    ]
    if ended and before and not before[-1].endswith(b"\n"):
        ended[-1] = _without_end(ended[-1])
    elif ended and not ended[-1].endswith(b"\n") and after[-1].endswith(b"\n"):
        ended[-1] += usual
    elif ended and ended[-1].endswith(b"\n") and not after[-1].endswith(b"\n"):
        ended[-1] = _without_end(ended[-1])
    return mark + b"".join(ended)


MANAGED = (Path("/etc/claude-code"), Path("/Library/Application Support/ClaudeCode"))

LOCKS = (".consolidate-lock", "consolidation.lock", "memories.lock")
"""What lies beside an agent's memory, or above it, while the agent rewrites that."""
LOCK_SECONDS = 3600
"""A lock that is older is a dead one's."""
STEP_SECONDS = 0.1


def _read_only(path: Path) -> str:
    """Return a sentence on why a file is only read unless that is forced; "" where it isn't."""
    if any(path.is_relative_to(folder) for folder in MANAGED):
        return _("{path} is managed by whoever administers this machine.", path=path)
    folders = [folder.name for folder in path.parents]
    if "team" in folders and "memory" in folders:
        return _("{path} is shared with a team.", path=path)
    if "memories" in folders and "ad_hoc" not in folders and _is_codex_memory(path):
        return _(
            "{path} is rewritten by Codex: what is to last goes into extensions/ad_hoc/notes there.",
            path=path,
        )
    try:
        owner = path.stat().st_uid
    except OSError:
        return ""
    if posix.geteuid() in (0, owner):
        return ""
    return _("{path} is another user's.", path=path)


def _is_codex_memory(path: Path) -> bool:
    """Return whether a file lies in the memory that Codex consolidates."""
    return any(
        folder.name == "memories" and (folder / "memory_summary.md").exists() for folder in path.parents
    )


def _wait_for_agent(path: Path) -> None:
    """Wait while an agent rewrites the memory that a file lies in; ConflictError where that takes longer
    than 2 seconds."""
    places = [folder / name for folder in list(path.parents)[:4] for name in LOCKS]
    until = time.monotonic() + PATIENCE_SECONDS
    while held := next((place for place in places if _is_held(place)), None):
        if time.monotonic() > until:
            raise ConflictError(
                "An agent is rewriting this file now ({held} says so). Nothing was "
                "changed; do it again when it is through.",
                held=held,
            )
        time.sleep(STEP_SECONDS)


def _is_held(lock: Path) -> bool:
    """Return whether a running process holds a lock: it locked the file, or wrote its number into it."""
    try:
        with lock.open("rb") as file:
            if not try_lock(file.fileno(), shared=True):
                return True
            number = file.read(32).strip()
            age = time.time() - os.fstat(file.fileno()).st_mtime
    except OSError:
        return False
    return number.isdigit() and age < LOCK_SECONDS and is_running(int(number))


def _without_end(line: bytes) -> bytes:
    return line.removesuffix(b"\r\n") if line.endswith(b"\r\n") else line.removesuffix(b"\n")


def version_before(store: Store, shown: ShownFile, number: int | None = None) -> bytes:
    """Return a version of a file by its number, else the newest that isn't what it is now. Raises
    NotFoundError."""
    for place, version in store.agent_files.numbered_versions(shown.path):
        if place == number or (number is None and version.sha256 != shown.state.sha256):
            return store.agent_files.content(version)
    raise NotFoundError(
        "Of {path} there is not an earlier version. `mem history {path}` lists those that are kept."
        if number is None
        else "There is no version {number} of {path}. `mem history {path}` lists those that are kept.",
        path=shown.path,
        number=number,
    )


def restore(store: Store, path: Path, number: int) -> bool:
    """Give a file the bytes of one of its versions, as a new change; return whether it had others. Raises
    NotFoundError, and what `FileWriter` raises."""
    # What only lists versions does without all that writes a file.

    shown = show(path)
    content = version_before(store, shown, number)
    what = _("{path} taken back to version {number}", path=shown.path, number=number)
    return FileWriter(store).put(shown, content, what) != shown.content
