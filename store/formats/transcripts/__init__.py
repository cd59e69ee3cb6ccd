"""Transcripts of agents: find them, recognize whose they are, and read events from them; one reader
an agent."""
