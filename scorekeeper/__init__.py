"""The server a club runs for its tables: records, scores and shows matches live."""
