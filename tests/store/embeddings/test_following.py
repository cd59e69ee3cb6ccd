"""Vectors follow the memory: whatever takes a text away takes its vector in the same transaction, and the
next build gives what is new its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from store import Store
from store.cli.lean.add import run as lean_add  # noqa: F401
from store.config import EmbeddingsSettings
from store.formats.claude_mem.database_import import import_database
from store.formats.jsonl.file_import import import_jsonl
from tests.conftest import OpenStore
from tests.promises import promise
from tests.sizes import costly
from tests.store.another_program import AnotherProgram
from tests.store.formats.claude_mem.claude_mem_files import ClaudeMemFile
from tests.store.formats.fillings import exported

from .byte_model import missing, strangers, vector_files
from .conftest import Build, assert_exact

Change = Callable[[Store], object]
