"""The concepts of an observation: the few words that people filter by."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable

from . import shell_commands, tools
from .parsed_tool_use import ParsedToolUse

LANGUAGES = {
    ".py": "python", ".pyi": "python", ".ipynb": "python", ".js": "javascript",
    ".mjs": "javascript", ".cjs": "javascript",
    ".jsx": "react", ".ts": "typescript", ".tsx": "react", ".go": "go", ".rs": "rust",
    ".java": "java", ".kt": "kotlin",
    ".rb": "ruby", ".php": "php", ".c": "c", ".h": "c", ".cc": "c++", ".cpp": "c++",
    ".hpp": "c++", ".cs": "c#",
    ".swift": "swift", ".scala": "scala", ".sh": "shell", ".bash": "shell", ".zsh": "shell",
    ".ps1": "powershell",
    ".sql": "sql", ".html": "html", ".css": "css", ".scss": "css", ".tcss": "css", ".less": "css",
    ".vue": "vue",
    ".svelte": "svelte", ".md": "documentation", ".mdx": "documentation", ".rst": "documentation",
    ".tf": "terraform",
    ".proto": "protobuf", ".graphql": "graphql", ".lua": "lua", ".ex": "elixir", ".exs": "elixir",
    ".dart": "dart",
    ".zig": "zig", ".r": "r", ".jl": "julia", ".hs": "haskell", ".clj": "clojure",
    ".toml": "configuration",
    ".yaml": "configuration", ".yml": "configuration", ".ini": "configuration",
    ".json": "configuration",
    ".env": "configuration",
}  # fmt: skip
NAMES = {
    "dockerfile": "docker", "docker-compose.yml": "docker", "compose.yaml": "docker",
    "compose.yml": "docker",
    "package.json": "npm", "package-lock.json": "npm", "pyproject.toml": "packaging",
    "setup.py": "packaging",
    "requirements.txt": "packaging", "cargo.toml": "packaging", "go.mod": "packaging",
    "makefile": "build",
    "cmakelists.txt": "build", ".gitignore": "git", "agents.md": "instructions",
    "claude.md": "instructions",
    "gemini.md": "instructions", ".gitlab-ci.yml": "ci", "jenkinsfile": "ci",
}  # fmt: skip
PROGRAMS = {
    "pytest": "python", "pip": "python", "uv": "python", "ruff": "python", "mypy": "python",
    "go": "go", "cargo": "rust",
    "npm": "javascript", "pnpm": "javascript", "yarn": "javascript", "node": "javascript",
    "tsc": "typescript",
    "docker": "docker", "docker-compose": "docker", "kubectl": "kubernetes", "helm": "kubernetes",
    "terraform": "terraform",
    "psql": "sql", "sqlite3": "sql", "mysql": "sql", "redis-cli": "redis", "git": "git",
    "gh": "github", "aws": "aws",
    "gcloud": "gcloud", "mvn": "java", "gradle": "java", "dotnet": "c#", "bundle": "ruby",
    "rails": "ruby", "make": "build",
    "alembic": "migrations", "python": "python", "python3": "python", "deno": "typescript",
    "bun": "javascript",
}  # fmt: skip
KINDS = {
    shell_commands.TEST: "testing", shell_commands.CHECK: "linting", shell_commands.FORMAT: "formatting",
    shell_commands.BUILD: "build",
    shell_commands.INSTALL: "dependencies", shell_commands.COMMIT: "git", shell_commands.PUSH: "git",
    shell_commands.REPOSITORY: "git",
    shell_commands.REQUEST: "github",
}  # fmt: skip
MOST = 6


def concepts_of(use: ParsedToolUse, kind: str, files: Iterable[str]) -> list[str]:
    """Return at most six concepts of a tool use: the sort of knowledge, then languages and tools."""
    found = [_knowledge(use, kind)]
    if concept := KINDS.get(use.kind):
        found.append(concept)
    for file in files:
        found += of_file(file)
    if use.main is not None and (program := PROGRAMS.get(use.main.name)):
        found.append(program)
    if use.action == tools.WEB:
        found.append("research")
    return list(dict.fromkeys(found))[:MOST]


def of_file(path: str) -> list[str]:
    """Return the concepts of a file by its name: its language, and whether it is a test or a migration."""
    name = posixpath.basename(path.replace("\\", "/")).lower()
    folders = path.lower().replace("\\", "/")
    found = []
    if name in NAMES:
        found.append(NAMES[name])
    elif language := LANGUAGES.get(posixpath.splitext(name)[1]):
        found.append(language)
    if "/.github/workflows/" in f"/{folders}":
        found.append("ci")
    if (
        (found and "test" in name)
        or "spec." in name
        or "/tests/" in f"/{folders}"
        or "__tests__" in folders
    ):
        found.append("testing")
    if "migration" in folders:
        found.append("migrations")
    return found


def _knowledge(use: ParsedToolUse, kind: str) -> str:
    if kind == "error":
        return "gotcha"
    if kind == "bugfix":
        return "problem-solution"
    if kind == "decision":
        return "trade-off"
    if kind in ("change", "feature", "refactor"):
        return "what-changed"
    return (
        "what-works"
        if use.kind in (shell_commands.TEST, shell_commands.CHECK, shell_commands.BUILD)
        else "how-it-works"
    )
