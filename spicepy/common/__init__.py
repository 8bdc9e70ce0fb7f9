"""Tools for all packages: errors, files, progress, words, tables of results."""
