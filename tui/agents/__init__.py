"""The agents: whose hooks fill this memory, and how capture is doing."""
