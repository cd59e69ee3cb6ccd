"""Scheme C: a directory of JSON lines and notes, read, written, and kept in step with the store."""
