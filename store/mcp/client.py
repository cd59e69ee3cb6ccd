"""Who asks: the agent behind a client, the project it works in, and the session that it is in."""

from __future__ import annotations

import os
import re

from ..agents.shell import agent_shell, is_session_id
from ..platform.paths import current_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from ..records.rows import Session
    from ..store import Store

UNKNOWN = "mcp"
"""The agent of a client that doesn't say who it is."""
LONGEST_NAME = 40
_WORDS = re.compile(r"-|(?<=\w{3})(?=(?:core|cli|code|agent|client|desktop|ide|mcp)\Z)")
SESSION_KEYS = 64
"""So many texts of what a client says of a call are looked at for its session's id."""


class Client:
    """One client: what it said of itself, and what it told since."""

    def __init__(
        self,
        name: str = "",
        capabilities: Mapping[str, Any] | None = None,
        *,
        version: str = "",
        environment: Mapping[str, str] | None = None,
        is_local: bool = True,
    ) -> None:
        self.name = name
        self.version = version
        self.capabilities = capabilities or {}
        self.environment = os.environ if environment is None else environment
        self.is_local = is_local
        """Whether it started this process, so that directory and environment are its own."""
        self.roots: list[str] = []
        """The directories it works in, where it tells them."""

    @property
    def agent(self) -> str:
        """The agent as the memory calls it, else the client's own name; never empty."""
        shell = agent_shell(self.environment) if self.is_local else None
        return agent_named(self.name) or (shell[0] if shell else own_name(self.name)) or UNKNOWN

    @property
    def folder(self) -> str | None:
        """The directory it works in; None where that isn't known."""
        if self.roots:
            return self.roots[0]
        if not self.is_local:
            return None
        return self.environment.get("CLAUDE_PROJECT_DIR") or current_folder()

    def project(self, store: Store) -> str:
        """Return the project that it works in, "" for none; nothing is written."""
        return store.known_projects.named_at(self.folder)

    def session(self, store: Store, meta: Mapping[str, Any]) -> Session | None:
        """Return the session that a call is made in: the one that the call or the environment names, else
        the newest of the agent in the project that goes on; None for none."""
        agent = self.agent
        for text in _texts(meta):
            if is_session_id(text) and (result := store.sessions.find(text, agent)):
                return result
        shell = agent_shell(self.environment) if self.is_local else None
        if shell and shell[0] == agent and shell[1]:
            return store.sessions.resolve(shell[1], agent=agent, project=self.project(store))
        return store.sessions.live(agent, self.project(store))

    def take_roots(self, roots: object) -> None:
        """Note the directories that a client tells (the answer to `roots/list`)."""
        results = roots if isinstance(roots, list) else []
        addresses = [item.get("uri") for item in results if isinstance(item, dict)]
        paths = [path_of(address) for address in addresses if isinstance(address, str)]
        self.roots = [path for path in paths if path]


def agent_named(name: str) -> str:
    """Return the agent that a client's name means (`codex-mcp-client` is codex); "" for none."""
    from ..agents.registry import agent_called

    slug = name.strip().lower().replace(" ", "-").replace("_", "-")
    # Some write both in one word: `clinecore`.
    for parts in (slug.split("-"), _WORDS.split(slug)):
        beginnings = ("-".join(parts[:end]) for end in range(len(parts), 0, -1))
        for words in (*beginnings, *parts):
            if agent := agent_called(words):
                return agent.name
    return ""


def own_name(name: str) -> str:
    """Return the name of a client that is no known agent, as one word."""
    from ..text import clean

    slug = "-".join(clean(name).split()).lower()
    return "".join(text for text in slug if text.isalnum() or text in "-_.")[:LONGEST_NAME].strip("-")


def path_of(uri: str) -> str:
    """Return the path of a `file:` address; "" for another one."""
    from urllib.parse import unquote, urlsplit

    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    path = unquote(parts.path) if parts.scheme == "file" else ""
    return path if path.startswith("/") and "\0" not in path else ""


def _texts(meta: Mapping[str, Any]) -> Iterator[str]:
    """Yield the first texts in what a client says of a call, wherever they stand."""
    waiting: list[Any] = [meta]
    room = SESSION_KEYS
    while waiting and room:
        item = waiting.pop(0)
        if isinstance(item, str):
            room -= 1
            yield item
        elif isinstance(item, dict):
            waiting += list(item.values())[:SESSION_KEYS]
        elif isinstance(item, list):
            waiting += item[:SESSION_KEYS]
