"""Robustness: damaged files, kills, full disks."""
