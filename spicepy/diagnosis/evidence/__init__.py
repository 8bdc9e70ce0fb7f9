"""Evidence: what the references confirm, imply or leave open, and its features."""
