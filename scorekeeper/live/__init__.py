"""How a change reaches every phone: a row of `Event`, a wake-up, the hub, a stream.

The wake-up may get lost, the row may not: the hub reads rows at least every two seconds, and a stream that
comes back gets the present state. Who writes an `Event` calls `wake` on commit.
"""

from scorekeeper.live.hub import wake
from scorekeeper.live.parts import renderers
from scorekeeper.live.topics import Topic

__all__ = ["Topic", "renderers", "wake"]
