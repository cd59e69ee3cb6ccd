"""What git says of the files that memories name."""
