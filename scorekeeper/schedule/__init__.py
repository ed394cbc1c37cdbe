"""Who plays whom, and when: combinatorics as pure functions. Players and tables are known by their numbers."""
