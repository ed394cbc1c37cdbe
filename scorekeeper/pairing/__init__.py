"""Who plays whom next in a stage whose rounds follow from its results: pure functions on a tournament's file.

``field`` has what decides, ``measures`` by what numbers a round is judged; ``heads`` finds the best round of tables for
two, ``groups`` that of larger ones, ``knock_out`` the next games of a bracket. ``docs/pairing.md`` explains it.
"""
