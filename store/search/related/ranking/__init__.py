"""How the candidates of a search are put in order, beyond what their words tell: by pieces of words, by
what the rest of their session says, and by a time that the question names.
"""
