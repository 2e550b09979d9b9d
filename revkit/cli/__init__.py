"""The command line: one file a command; ``main`` holds the table of names and help lines."""
