"""What every result uses: tables, plain values for JSON, files."""
