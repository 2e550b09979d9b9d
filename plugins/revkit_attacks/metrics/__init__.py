"""Figures over the searches of a run: how often, after how many queries, and by which edits."""
