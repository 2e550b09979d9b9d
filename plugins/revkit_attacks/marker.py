"""The word that everything planted contains."""

from __future__ import annotations

MARKER = "lantern-4417"
"""A neutral word in everything that is planted: a test can show that the text arrived, whether or
not a reviewer followed it."""
