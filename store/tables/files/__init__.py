"""The files that memories name."""
