"""What the references confirm, imply or leave open."""
