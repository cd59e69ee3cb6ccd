"""What changes agents' files: each change has one writer, and can be taken back."""
