"""Words and what they mean to the error analysis."""
