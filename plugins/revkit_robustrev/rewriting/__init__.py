"""Variants that a language model writes, under the gates of the families of rules."""
