"""The files of a session: how often each was modified and read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from textual.content import Content

from store import Observation

from ..text import DIM, edges, plain
from .paged_list import PagedList


@dataclass(frozen=True, slots=True)
class FileUse:
    """A path, and in how many observations it was modified and read."""

    path: str
    modified: int
    read: int


class FileList(PagedList[FileUse]):
    """The most modified first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda use: use.path, id=id)

    def render_row(self, item: FileUse, width: int, selected: bool) -> list[Content]:
        mark = Content.styled("✎ ", "$text-warning") if item.modified else Content.styled("○ ", DIM)
        path = plain(item.path, "bold" if selected else "")
        uses = ((item.modified, "modified"), (item.read, "read"))
        counts = "  ".join(
            f"{many:>3} {done}" if many else " " * (4 + len(done)) for many, done in uses
        )
        return [mark + edges(path, Content.styled(counts, DIM), width - 2)]


def file_uses(observations: Iterable[Observation]) -> list[FileUse]:
    """Every file of some observations, the most modified first, then the most read."""
    modified: Counter[str] = Counter()
    read: Counter[str] = Counter()
    for observation in observations:
        modified.update(observation.files_modified)
        read.update(observation.files_read)
    uses = [FileUse(path, modified[path], read[path]) for path in modified | read]
    return sorted(uses, key=lambda use: (-use.modified, -use.read, use.path))
