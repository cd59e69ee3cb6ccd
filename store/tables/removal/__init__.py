"""How records go: the trash, the purge of what is in it, and retention."""
