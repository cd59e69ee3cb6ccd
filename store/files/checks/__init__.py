"""What is wrong with agents' files: a module a family of checks."""

from .finding import Finding

__all__ = ["Finding"]
