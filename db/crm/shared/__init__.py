"""What every preset begins with: folding and the forms of names."""
