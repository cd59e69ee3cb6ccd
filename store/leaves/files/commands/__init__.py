"""`mem files`: what agents are told and remember by themselves, listed, computed, counted and checked."""
