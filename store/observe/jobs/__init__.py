"""Jobs on the queue: short, one at a time, from pending messages to records."""
