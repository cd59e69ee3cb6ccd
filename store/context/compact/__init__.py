"""What agents read of a memory: search lines, a timeline, records, in few tokens and fenced as data."""
