"""How a change reaches every phone: a row of `Change`, a wake-up, the hub, a stream.

A wake-up can get lost, a row cannot: the hub reads new rows at least every two seconds, and a stream that reconnects
gets the current state. Whoever writes a `Change` calls `wake` on commit.
"""

from scorekeeper.live.hub import wake
from scorekeeper.live.parts import register, renderers
from scorekeeper.live.topics import Topic

__all__ = ["Topic", "register", "renderers", "wake"]
