"""Captions as yes / no questions about the picture, and answers to them."""
