"""Results: sums, tables and rows of diagnoses, and differences between versions."""
