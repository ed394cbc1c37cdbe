"""The notation: a match as a text that people can read and type, similar to PGN in chess.

It has the same content as a record and knows no rules. ``read`` returns the JSON value of a record, which
``games.record`` can then check; ``write`` writes such a value. Hands, moves and seats count from 1 in the notation, but
from 0 in records.

    match    = { header | hand }
    header   = "[" ( Game text | Players { text } | Options { key value } | Cards { item } | Stopped text | Meta
                   | Noted { hand "." move code } | Result { number } [ won { seat } ] | key text ) "]"
    hand     = number "." ( leader | opener | dealer ) seat { [ seat ":" ] move [ "?" ] | "-" | clause } [ final ]
    clause   = ( deal | left | tricks ) { item }
    final    = final { contract | ( table | left | bad | tricks | points | dropped | tiles ) { item }
                     | ( out | last | reached ) ( seat | "-" ) }
    move     = tile [ end ] [ "=" suit ] [ "=" claim ] | pass | "+" count [ list ] | roll list | contract
             | "-" count [ list ] [ "+" list ] | card "@" cell
    contract = ( evens | odds | zero | domizerka ) [ "=" trump ]
    claim    = card | multiple | virtual "(" card ")"
    item     = number | list | "?"                    ("?": not known)
    list     = "(" { tile | card | number } ")"
    seat     = a player's name as text | "#" number
    text     = a JSON string | a word
    value    = text | number | true | false | null

- Items are in the order of seats. A move has no blanks except in a list. Commas count as blanks everywhere.
- The opener makes the first move of a hand (in a game with a dealer: the next player). Later moves go clockwise, but
  the same player moves again after a draw, a roll or a contract. Any other order names the seat before the move.
- ``?`` after a move notes its irregularity, which the players left as it is. The header Noted can note any move.
- ``-`` means that the list of moves is empty. It is needed only before ``final``, where missing moves mean no list.
- Any other header is an entry of ``meta``. Its key is in quotes if it is not a word, or is a word of the grammar.
- ``{…}`` and ``;`` to the end of the line are comments. A line that begins with ``[Game`` always begins a new match, so
  a mistake never affects the next match.
"""

from games.notation.reading import read, read_all
from games.notation.writing import WIDTH, write

__all__ = ["WIDTH", "read", "read_all", "write"]
