"""The tools of the server: what a client is told of each, and what it does."""

from __future__ import annotations

from .reading import CONTEXT, GET, SEARCH, TIMELINE
from .tool import Tool
from .writing import ADD, REPORT, SUPERSEDE

TOOLS: dict[str, Tool] = {
    tool.name: tool for tool in (SEARCH, TIMELINE, GET, CONTEXT, ADD, SUPERSEDE, REPORT)
}
"""Every tool by its name, in the order in which clients list them."""
