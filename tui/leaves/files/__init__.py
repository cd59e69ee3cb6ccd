"""Agents' files: what an agent is told here, what it isn't, and what is wrong."""
