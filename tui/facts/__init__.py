"""Facts with their evidence, and notes."""
