"""Statistics: the memory in figures, each of which is a search."""
