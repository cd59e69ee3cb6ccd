"""Our own JSON lines, written and read: all that a memory holds."""
