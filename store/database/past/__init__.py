"""What was: how far back the journal keeps it, and a copy of a memory taken back to a moment."""
