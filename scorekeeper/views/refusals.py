"""Why something was refused, for the page that says so."""

from games import GameError
from scorekeeper.access import Refusal
from scorekeeper.services.errors import Refused
from scorekeeper.words import in_words


def reason(error: Refused | Refusal | GameError) -> str:
    """The sentence for people."""
    return in_words(error) if isinstance(error, GameError) else error.message
