"""Fewer garbage collections in a process that serves or works for long."""

import gc

THRESHOLDS = (5_000, 20, 50)
"""New objects before Python collects the youngest generation, then collections of each before the next."""


def skip_what_stays() -> None:
    """Call this once all is loaded. A full collection stops all threads for a tenth of a second. The objects made so
    far live as long as the process, so it never looks at them again; the rest is collected every few minutes."""
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
