"""Vectors of memories: who makes them of texts (`embedder`), by choice of the user."""
