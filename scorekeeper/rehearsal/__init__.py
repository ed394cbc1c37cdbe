"""A rehearsal of a day: stages of a tournament's file are played in memory, and nothing of it is kept.

``playing`` plays the rounds of a stage, with what goes wrong; ``phases`` plays groups side by side, then the ``finals``
that follow from them; ``timetable`` says when each table plays; ``days`` plays many days and counts when they
end; ``story`` tells one of them. ``lengths`` has how long matches last, ``writing`` all of it as JSON.
``docs/rehearsal.md`` explains it.
"""
