"""History: the versions of a memory, and all changes of the store."""
