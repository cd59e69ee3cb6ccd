"""What a statement is about: names in code, quotes, paths, and tools that everybody knows."""

from __future__ import annotations

import re

MOST = 8
LONGEST = 60

CODE = re.compile(r"`([^`\n]{1,60})`")
QUOTED = re.compile(r"“([^”\n]{2,40})”|「([^」\n]{2,40})」|《([^》\n]{2,40})》|\"([^\"\n]{2,40})\"")
PATH = re.compile(
    r"(?<![\w/`])(?:~?/|\./)?[\w.\-]+(?:/[\w.\-]+)+|(?<![\w/.])[\w\-]+\.(?:py|js|jsx|ts"
    r"|tsx|go|rs|java|rb|md|sql|sh|toml|ya?ml|json|css|html|c|cpp|h|cs|kt|swift|php)\b"
)
CAMEL = re.compile(r"\b(?:[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z]+[A-Z][A-Za-z0-9]*)\b")
SNAKE = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b")
KNOWN = re.compile(
    r"(?<![\w./-])(pytest|unittest|ruff|mypy|black|pip|uv|poetry|npm|pnpm|yarn|bun|deno"
    r"|node|react|vue|svelte|angular|vite|webpack"
    r"|jest|vitest|playwright|cypress|eslint|prettier|typescript|javascript|python|golang"
    r"|rust|java|kotlin|swift|ruby|rails|django"
    r"|flask|fastapi|spring|redis|sqlite|postgres(?:ql)?|mysql|mongodb|kafka|rabbitmq"
    r"|elasticsearch|docker|kubernetes|terraform"
    r"|ansible|nginx|graphql|grpc|rest|git|github|gitlab|jenkins|aws|gcp|azure|linux"
    r"|macos|windows|makefile|make|cmake|gradle"
    r"|maven|cargo|tailwind|css|html|json|yaml|toml|markdown|celery|airflow|spark|pandas"
    r"|numpy|pytorch|tensorflow|openai"
    r"|anthropic|claude|codex|gemini|copilot|cursor|vim|neovim|emacs|vscode|tmux|zsh|bash"
    r"|fish|ci|cd|sqlalchemy|alembic|prisma"
    r"|textual|typer|rich|apsw)(?![\w-])",
    re.IGNORECASE,
)  # fmt: skip


def entities_of(text: str) -> tuple[str, ...]:
    """The names in a statement, each once, as they are written there; at most eight."""
    found: dict[str, str] = {}
    for pattern in (CODE, QUOTED, PATH, CAMEL, SNAKE, KNOWN):
        for match in pattern.finditer(text):
            name = next((part for part in match.groups() if part), match[0]).strip(" .,;:，。")
            if name and len(name) <= LONGEST and not any(name.lower() in other for other in found):
                found[name.lower()] = name
    return tuple(found.values())[:MOST]
