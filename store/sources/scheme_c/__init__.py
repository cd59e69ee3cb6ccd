"""A directory of scheme C, read line by line."""
