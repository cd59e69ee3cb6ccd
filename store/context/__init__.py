"""What sessions are told when they start: chosen, fenced, within a budget, and noted."""
