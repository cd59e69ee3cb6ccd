"""The foreign programs whose databases can be imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import apsw

from . import claude_mem, claude_mem_3, codexmem, trae_mem
from .mapping import Program
from .recognise import System

CLAUDE_MEM = Program(
    "claude-mem",
    claude_mem.AGENT,
    (claude_mem.SESSIONS, *claude_mem_3.SESSIONS),
    (*claude_mem.CHILDREN, *claude_mem_3.CHILDREN),
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
