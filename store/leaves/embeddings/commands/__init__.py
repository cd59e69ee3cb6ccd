"""`mem embeddings`: the model that makes vectors of memories, chosen, built, tried and dropped."""
