"""What every room may use: errors, progress, the switch of Python's collector."""
