"""Calling a reviewer: what it is given, what it may see, how long it may take."""
