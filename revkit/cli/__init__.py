"""The command line: one file for each command; ``main`` contains the table of names and help
lines.
"""
