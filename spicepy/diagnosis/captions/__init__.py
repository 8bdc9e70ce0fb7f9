"""Readings of captions: things with amounts, attributes, relations and verbs."""
