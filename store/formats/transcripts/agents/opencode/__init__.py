"""The transcripts of OpenCode: its database or export, and what is made of it."""
