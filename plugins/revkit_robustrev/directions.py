"""Directions of variants that more than one module reads, without the code that makes them."""

PADDED = "pad"
"""Sentences without content were added (`length` with a ratio above 1)."""
