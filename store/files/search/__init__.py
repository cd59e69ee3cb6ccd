"""Finding in agents' files: their index, its queries, and the search."""
