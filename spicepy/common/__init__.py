"""What every room may use: errors, files, progress, and the tables of results."""
