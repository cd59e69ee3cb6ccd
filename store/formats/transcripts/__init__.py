"""Transcripts of agents: find them, tell whose they are, and read events from them, one reader an
agent."""
