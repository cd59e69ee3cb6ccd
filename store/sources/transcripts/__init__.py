"""Transcripts: the files in which agents write their sessions down, read as events."""
