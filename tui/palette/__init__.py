"""The palette: everything that can be done, by its name."""
