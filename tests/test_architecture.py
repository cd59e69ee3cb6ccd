"""What docs/architecture.md promises of the tree and no linter knows: where SQL stands, names,
and that the page itself speaks of files that exist."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.places import ROOT

PRODUCT = [path for top in ("store", "tui") for path in sorted((ROOT / top).rglob("*.py"))]
CODE = [
    *PRODUCT,
    *(path for top in ("tests", "bench", "screenshots") for path in (ROOT / top).rglob("*.py")),
]

RECORD_TABLES = (
    "sessions|prompts|observations|summaries|facts|fact_sources|notes|pending_messages|documents"
)
STATEMENT = re.compile(rf"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:{RECORD_TABLES})\b")
HOMES_OF_SQL = (
    *("store/tables/", "store/search/", "store/formats/", "store/database/"),
    # Vectors are derived of documents, as the indexes are.
    "store/leaves/embeddings/",
    # Statistics count them.
    "store/leaves/statistics/",
    # What travels is asked of all tables alike, by marks and digests, which no table has by itself.
    "store/leaves/sync/",
    # Other programs' databases are read and written as other formats are.
    "store/leaves/foreign/",
    # So it is of what a team shares.
    "store/leaves/team/",
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


BY_FOLDER = re.compile(r"^\s*(?:import|from)\b.*(?<![.\w])(?:store|tui)\b", re.MULTILINE)
"""Lines that may import by the name of a folder; few files have one, and only these are parsed."""


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def texts(path: Path) -> Iterator[str]:
    """Every string of a module, docstrings included."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def imported(path: Path) -> Iterator[str]:
    """Every module that a file imports by its whole name."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module)


HOMES_OF_SYSTEMS = {f"store/platform/{name}.py" for name in ("processes", "paths")}
"""Modules that know which system this is; all others ask them. What a hook's process imports looks for a
clock and a way to the disk itself: to import one module more would take longer."""
ASKS_THE_SYSTEM = re.compile(
    r"\bsys\.platform\b|\bos\.name\b|\bimport (?:ctypes|msvcrt)\b|\bsched_getaffinity\b|\bF_SETLEASE\b"
    r"|\b[a-z]+xattr\b|\b(?:has|get)attr\((?:os|signal|fcntl|socket|sys)\b"
)


def test_one_module_knows_how_systems_differ() -> None:
    asking = {name_of(path) for path in PRODUCT if ASKS_THE_SYSTEM.search(path.read_text("utf-8"))}
    assert asking == HOMES_OF_SYSTEMS


def test_nothing_is_imported_by_the_name_of_its_folder() -> None:
    # Where Python is started at the top that would be found too, as a second module beside the first.
    by_folder = {
        name_of(path)
        for path in CODE
        if BY_FOLDER.search(path.read_text("utf-8"))
        if any(name.partition(".")[0] in ("store", "tui") for name in imported(path))
    }
    assert by_folder == set()


def test_sql_on_records_stands_in_tables_search_and_formats_only() -> None:
    elsewhere = {
        name_of(path)
        for path in PRODUCT
        if not name_of(path).startswith(HOMES_OF_SQL)
        if any(STATEMENT.search(text) for text in texts(path))
    }
    assert elsewhere == set()


def test_no_two_public_classes_of_a_package_share_a_name() -> None:
    homes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in PRODUCT:
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[path.relative_to(ROOT).parts[0], node.name].append(name_of(path))
    assert {name: found for (_, name), found in homes.items() if len(found) > 1} == {}


FILE = re.compile(r"`((?:store|tui|tests|bench|docs)/[a-z0-9_./-]+)`")
NEW_FILE = re.compile(r"^`\S+`:\n\n(?=```(?!diff))", re.M)
"""Stands above a file that a recipe makes."""


def test_every_file_that_a_page_names_exists() -> None:
    missing = {
        (page.name, path)
        for page in [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
        for path in FILE.findall(NEW_FILE.sub("", page.read_text("utf-8")))
        if not (ROOT / path).exists()
    }
    assert missing == set()
