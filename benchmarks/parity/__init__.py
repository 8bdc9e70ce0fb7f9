"""Parity: the numbers of the original programs, and the differences."""
