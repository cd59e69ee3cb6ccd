"""The timeline: what happened around a memory."""
