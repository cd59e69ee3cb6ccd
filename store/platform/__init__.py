"""What the machine gives: its clock, paths, processes, plain files, the user's language; and all errors."""
