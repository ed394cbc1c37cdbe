"""Everything that writes: one transaction a function; the time and the randomness are handed in."""
