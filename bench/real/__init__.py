"""What becomes of real work: folders of transcripts as agents keep them, imported, and a page to read."""
