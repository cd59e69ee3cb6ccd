"""How the table of word vectors is made that searches compare meaning by."""
