"""What is wrong with agents' files: a module a family of checks."""

from .examined import Finding
from .running import check

__all__ = ["Finding", "check"]
