"""A memory's copy, taken back to what it was at a moment."""
