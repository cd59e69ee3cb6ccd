"""What coding agents are told at a start and remember by themselves: the files, which remain the truth."""
