"""A team: what teammates shared, reviewed; who may read a memory; and what only the server has."""
