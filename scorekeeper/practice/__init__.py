"""The practice table: what one visitor has there, as values with functions.

``contest`` is one match of a visitor with Nestor in the other seats, ``table`` everything that the visitor has, with
what the menu does, ``themes`` the colours, and ``saved`` all of it as JSON. Chance and Nestor's moves are passed in.
Points come from ``games.Match.enter`` alone.
"""
