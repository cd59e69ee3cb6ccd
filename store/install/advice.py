"""What is left for the user to do once our hooks are in an agent's configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..capture.events import Agent
from .places import PROJECT_FILES

USUAL: dict[Agent, tuple[str, ...]] = {
    "claude-code": ("Start sessions that are open anew: they may not take the hooks before.",),
    "codex": (
        "Start codex and type /hooks to trust them once; until then `codex exec` silently skips "
        "them.",
        "An older codex needs `[features] hooks = true` in its config.toml; 0.125 calls it "
        "`codex_hooks`.",
    ),
    "cursor": (
        "Restart Cursor.",
        "Cursor runs Claude Code's hooks too: where both are installed an event comes twice, and "
        "is stored once.",
    ),
    "opencode": ("Restart OpenCode: it loads plugins when it starts.",),
    "copilot": (
        "Copilot runs a repository's Claude Code hooks too: an event that comes twice is stored "
        "once.",
    ),
    "windsurf": ("Windsurf gives hooks no way to hand a memory to a starting session.",),
    "trae": (
        "Experimental. Turn hooks on in Trae: Settings → Hooks.",
    ),
}  # fmt: skip


def after_installing(agent: Agent, project: Path | None, *, found: bool) -> Iterator[str]:
    """The sentences that a user needs to read; `found` is whether the agent was there before."""
    if not found:
        yield f"{agent} was not found on this machine; its hooks wait for it."
    yield from USUAL.get(agent, ())
    if project is None:
        return
    if agent == "gemini":
        yield "Gemini runs a project's hooks only in a folder that it was told to trust."
    if agent == "codex":
        yield "Codex runs a project's hooks only in a trusted project."
    yield (
        f"{PROJECT_FILES[agent]} now holds a path of this machine: keep it out of commits, "
        "for example by .git/info/exclude."
    )
