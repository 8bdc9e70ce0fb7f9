"""Captions as yes / no questions about the picture, and answers as scores."""

from spicepy.questions.asking import Question, questions

__all__ = ["Question", "questions"]
