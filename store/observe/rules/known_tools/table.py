"""The table of tools whose outcome their own output tells: a row a tool."""

from __future__ import annotations

from .builds import BUILDS
from .checks import CHECKS
from .operations import OPERATIONS
from .packages import PACKAGES
from .repositories import REPOSITORIES
from .sign import KnownTool

KNOWN_TOOLS: tuple[KnownTool, ...] = (*CHECKS, *BUILDS, *PACKAGES, *OPERATIONS, *REPOSITORIES)
