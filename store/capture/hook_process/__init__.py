"""The process that an agent starts at each event and waits for: it imports next to nothing."""
