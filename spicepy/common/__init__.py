"""What every room may use: errors, files, progress, words, the tables of results."""
