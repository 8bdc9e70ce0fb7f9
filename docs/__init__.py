"""The documentation site, and the programs that keep it true."""
