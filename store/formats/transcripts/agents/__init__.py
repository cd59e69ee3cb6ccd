"""The transcripts of each agent: a reader an agent."""
