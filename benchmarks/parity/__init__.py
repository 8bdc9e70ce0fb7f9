"""Parity: the numbers of the original programs, and what differs."""
