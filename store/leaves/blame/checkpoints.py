"""The branch of a repository that keeps what sessions did, by checkpoint: a commit's trailer names one, and
its transcripts are read as those that agents keep."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ...agents.shell import is_session_id
from ...capture.ingest.transcripts import read_transcript
from ...database.files import temporary
from ...database.transaction import async_commit
from ...formats.common.report import Progress, Report
from ...formats.transcripts.discovery import recognize
from ...links.git import GitError, Limit, printed
from ...platform.errors import SourceError
from ...platform.translation import _
from ...records.rows import Session
from ...store import Store
from ...text.plural import count_noun

BRANCH = "entire/checkpoints/v1"
REFS = (f"refs/heads/{BRANCH}", f"refs/remotes/origin/{BRANCH}")
SECONDS = 30.0
"""The time that git is given for each answer."""

ENTRY = re.compile(r"blob (\w+) +(\d+)\t([^\0]+)/full\.jsonl(?=\0|\Z)")


def kept_at(folder: Path) -> tuple[str, int, list[tuple[int, str, str]]] | None:
    """Return the branch that a repository here has, when it was written last (ms since the epoch) and its
    transcripts: bytes, object and folder of each that the copy has. None for any other folder."""
    root, asked = str(folder.absolute()), ["for-each-ref", "--format=%(refname) %(committerdate:unix)"]
    with suppress(GitError):
        found = printed(root, [*asked, *REFS], Limit(SECONDS)) if (folder / ".git").exists() else ""
        for line in found.splitlines()[:1]:
            ref, written = line.split(" ")
            listed = ENTRY.findall(printed(root, ["ls-tree", "-r", "-l", "-z", ref], Limit(SECONDS)))
            return ref, int(written) * 1_000, [(int(size), id, place) for id, size, place in listed]
    return None


def session_of(root: str, ref: str, folder: str, limit: Limit) -> str:
    """Return the agent's own id of the session that a folder of the branch is of, "" for unknown."""
    with suppress(GitError, ValueError, AttributeError, RecursionError):
        about = json.loads(printed(root, ["show", f"{ref}:{folder}/metadata.json"], limit))
        name = str(about.get("session_id"))
        # Anything may stand there, and it becomes the name of a file.
        return name if is_session_id(name) else ""
    return ""


def import_checkpoints(store: Store, path: Path, progress: Progress | None = None) -> Report:
    """Import the transcripts on the branch of a repository, the longest of each session; those that were
    read before are passed over. Raises SourceError where there is none."""
    if (found := kept_at(path)) is None:
        raise SourceError(
            "{path} is no repository with a branch {branch}. Check the path.", path=path, branch=BRANCH
        )
    root, (ref, _at, transcripts), report = str(path.absolute()), found, Report("entire")
    sessions = {
        session_of(root, ref, folder, Limit(SECONDS)) or folder: (size, object)
        for size, object, folder in sorted(transcripts)
    }
    done, total = 0, sum(size for size, _object in sessions.values())
    with async_commit(store.db):
        for number, (session, (size, object)) in enumerate(sessions.items(), start=1):
            if progress:
                which = _("file {number} of {total}", number=f"{number:,}", total=f"{len(sessions):,}")
                progress(done, total, which)
            done += size
            name = f"{root}/{BRANCH}/{session}/{object}"
            if store.db.execute("SELECT 1 FROM transcripts WHERE path = ?", (name,)).get:
                continue
            with _laid_out(root, session, object) as file:
                if agent := recognize(file):
                    read_transcript(store, file, agent, report=report)
                store.db.execute("UPDATE transcripts SET path = ? WHERE path = ?", (name, str(file)))
    if not report.changes:
        report.notes.append(_("Nothing new in {files}.", files=count_noun(len(sessions), "files")))
    return report


@contextmanager
def transcripts_kept(store: Store, session: Session) -> Iterator[list[Path]]:
    """Give the transcript of a session as it was imported of a branch that still has it."""
    sql = "SELECT path FROM transcripts WHERE instr(path, ?) ORDER BY read_at DESC LIMIT 1"
    name = str(store.db.execute(sql, (f"/{BRANCH}/{session.content_session_id}/",)).get or "")
    root, _branch, rest = name.partition(f"/{BRANCH}/")
    with _laid_out(root, *rest.rpartition("/")[::2]) as file:
        yield [file] if file.exists() else []


@contextmanager
def _laid_out(root: str, session: str, object: str) -> Iterator[Path]:
    """Give a file with a transcript of the branch, called as agents call it, which isn't there where git
    has none; it is gone when the block ends."""
    text = ""
    with suppress(GitError):
        text = printed(root, ["cat-file", "blob", object], Limit(SECONDS)) if object else ""
    # A document begins with a line that is no object.
    suffix = ".json" if text.partition("\n")[0].strip() == "{" else ".jsonl"
    with temporary.directory("memtui-checkpoints-") as folder:
        file = folder / f"{Path(session).name}{suffix}"
        if text:
            file.write_bytes(text.encode("utf-8", "surrogateescape"))
        yield file
