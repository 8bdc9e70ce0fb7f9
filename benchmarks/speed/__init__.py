"""Speed: seconds, memory and sizes."""
