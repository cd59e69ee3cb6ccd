"""Other machines: those that this memory is kept in step with."""
