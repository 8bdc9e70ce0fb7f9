"""Evidence: questions about what references confirm, imply or leave open."""
