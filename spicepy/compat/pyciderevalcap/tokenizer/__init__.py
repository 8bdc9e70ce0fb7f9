"""The tokeniser of references and of candidates."""
