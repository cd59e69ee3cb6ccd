"""The merge room: memories that may be one side by side, and which value of each field stays."""
