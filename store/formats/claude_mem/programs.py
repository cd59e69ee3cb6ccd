"""The foreign programs whose databases can be imported, and why others can't."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import apsw

from . import codexmem, trae_mem, version_3, version_4
from .mapping import Program
from .recognition import System

CLAUDE_MEM = Program(
    "claude-mem",
    version_4.AGENT,
    (version_4.SESSIONS, *version_3.SESSIONS),
    (*version_4.CHILDREN, *version_3.CHILDREN),
)

PROGRAMS: Mapping[System, Callable[[apsw.Connection, Path], Program]] = {
    "claude-mem": lambda _db, _path: CLAUDE_MEM,
    "codexmem": lambda _db, _path: codexmem.PROGRAM,
    "trae-mem": trae_mem.program,
}

UNREAD: Mapping[System | None, str] = {
    "scheme-c": "is only the index of the memory in its directory: import that directory",
    "memtui": "is a memtui memory already: open it with --db",
    None: "holds none of the tables of claude-mem, codexmem or trae-mem",
}
