"""Other programs' files, read as lines of scheme C: a module a program, and one import for all."""
