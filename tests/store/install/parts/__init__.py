"""What agents are given beside hooks."""
