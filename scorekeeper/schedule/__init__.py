"""Who plays whom, and when: pure functions on plain values. Players and tables are known by their numbers."""
