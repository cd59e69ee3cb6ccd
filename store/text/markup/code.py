"""Which language a piece of code is in, and the parts of it that are shown in a colour of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST = 20_000
"""Characters that are coloured."""
WIDEST = 1_000
"""Characters of a line, beyond which code is data that nobody reads by its colours, and slow."""

COMMON = {
    "*.py": "python", "*.pyi": "python", "*.js": "javascript", "*.jsx": "jsx", "*.ts": "typescript",
    "*.tsx": "tsx", "*.sql": "sql", "*.md": "markdown", "*.h": "c", "*.cs": "csharp", "*.pl": "perl",
    "*.m": "objective-c", "*.rs": "rust", "*.html": "html", "*.xml": "xml", "*.json": "json",
    "*.yml": "yaml", "*.yaml": "yaml", "*.toml": "toml", "*.sh": "bash", "*.php": "php", "*.r": "r",
    "*.txt": "", "*.conf": "ini",
}  # fmt: skip
"""The languages of endings that several lexers claim."""

DIFF_START = re.compile(
    r"diff --git |--- \S[^\n]*\n\+\+\+ \S|@@ -\d+(,\d+)? \+\d+(,\d+)? @@|@@\n[+-]"
    r"|\*\*\* (Add|Update|Delete) File: |- [^\n]*\n\+ |\+ [^\n]*\n- "
)
"""Two lines with which a diff begins. Removed lines alone look like a list: only `@@` tells them apart."""


def is_diff_of(text: str, language: str) -> bool:
    """Return whether code is a diff: by its language, else, where it has none, by how it begins."""
    return language == "diff" or (not language and DIFF_START.match(text) is not None)


def code_parts(text: str, language: str) -> Iterator[tuple[int, int, Any]]:
    """Yield the parts of code: start, end and the type of token (pygments'). There are none where the
    language isn't known or the text is no code, and the last may end before the text does."""
    if is_diff_of(text, language):
        language = "diff"
    text = text[:MOST]
    lexer = _lexer(language.casefold())
    if lexer is None or any(len(line) > WIDEST for line in text.split("\n")):
        return
    try:
        for start, kind, part in lexer.get_tokens_unprocessed(text + "\n"):
            yield start, min(len(text), start + len(part)), kind
    except Exception:
        # Lexers are written for code that is right; whatever else one trips over stays plain.
        return


def language_of(path: str) -> str:
    """Return the language of a file by its name, `` where that isn't known."""
    name = path.replace("\\", "/").rpartition("/")[2].casefold()
    ending = name.rpartition(".")[2] if "." in name else ""
    languages = _languages_of_files()
    return languages.get(name) or languages.get(f"*.{ending}") or ""


@cache
def _languages_of_files() -> dict[str, str]:
    from pygments.lexers import get_all_lexers

    languages: dict[str, str] = {}
    for _, names, patterns, _ in get_all_lexers(plugins=False):
        for pattern in patterns if names else ():
            languages.setdefault(pattern.casefold(), names[0])
    # What several lexers claim, as most files are.
    return languages | COMMON


@cache
def _lexer(language: str) -> Lexer | None:
    """Return what reads a language, None where it isn't known."""
    if not language:
        return None
    # Imported with the first code that names its language.
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language) if language in _languages() else None


@cache
def _languages() -> frozenset[str]:
    from pygments.lexers import get_all_lexers

    # Without plug-ins: a stored word never makes other people's packages run.
    return frozenset(alias for _, names, _, _ in get_all_lexers(plugins=False) for alias in names)
