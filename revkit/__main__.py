"""``python -m revkit``."""

from revkit.cli.main import main

main()
