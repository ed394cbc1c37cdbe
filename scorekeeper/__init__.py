"""The server a club runs for its tables: records, scores and shows matches live."""

__version__ = "0.1.0"
