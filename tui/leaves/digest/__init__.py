"""What the work of a day or a week came to, over the screen."""
