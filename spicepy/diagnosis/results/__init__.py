"""What diagnoses add up to, and how they are written."""
