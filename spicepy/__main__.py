"""`python -m spicepy` is the `spicepy` command."""

from spicepy.cli import main

main()
