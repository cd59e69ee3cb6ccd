"""The transcripts of Codex: what its files hold, and what is made of it."""
