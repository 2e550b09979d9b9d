"""How many changes of meaning, and how many good rewrites, the gates of meaning let pass."""
