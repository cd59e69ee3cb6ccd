"""The tools of the server, one a file: what a client is told of each, and what it does."""

from __future__ import annotations

from ..tools import add, context, get, report, search, supersede, timeline
from .tool import Tool

TOOLS: dict[str, Tool] = {
    module.TOOL.name: module.TOOL for module in (search, timeline, get, context, add, supersede, report)
}
"""Every tool by its name, in the order in which clients list them."""
