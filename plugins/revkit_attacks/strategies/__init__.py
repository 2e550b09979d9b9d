"""Strategies: ways to search for edits that make a reviewer do what an attacker wants."""
