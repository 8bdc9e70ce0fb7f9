"""Tools for every room: errors, files, progress, words, the tables of results."""
