"""What a session came to: the lines of its replies, accumulated turn by turn into its summary."""
