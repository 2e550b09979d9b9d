"""Call a reviewer: its input, its access to the environment, and its time limits."""
