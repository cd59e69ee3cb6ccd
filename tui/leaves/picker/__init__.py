"""The picker: the browser's search, of which whoever started it is given what was chosen."""
