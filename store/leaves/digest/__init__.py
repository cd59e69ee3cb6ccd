"""What the work of a day or a week came to, by project."""
