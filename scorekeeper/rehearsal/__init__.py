"""A rehearsal of a day: a stage of a tournament's file is played in memory, and nothing of it is kept.

``playing`` plays the rounds, with what goes wrong; ``timetable`` says when each table plays; ``days`` plays many days
and counts when they end; ``story`` tells one of them. ``lengths`` has how long matches last, ``writing`` all of it as
JSON. ``docs/rehearsal.md`` explains it.
"""
