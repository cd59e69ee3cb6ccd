"""A team: who may read a memory, and what only the server has."""
