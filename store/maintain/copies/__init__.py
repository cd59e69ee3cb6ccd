"""A memory as a whole file: backed up, restored, made anew, salvaged, and put in the place of another."""
