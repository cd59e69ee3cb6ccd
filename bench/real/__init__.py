"""Import folders of real transcripts into a throwaway store, measure that, and write a page to read."""
