"""Memories that say the same, or of which a later one may hold instead of an earlier one."""
