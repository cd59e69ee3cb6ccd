"""Foreign memories and how they come in: each source's files are read as they are and never touched."""
