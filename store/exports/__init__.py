"""What is remembered, written down for others to read: one file for each format."""
