"""Short codes of tables, to type instead of scanning a QR code: a word and a number, such as grace-7."""

import re
import secrets

# Short words that differ from each other in two letters at least, so that a slip of the finger is no other table.
LISTED = """
acorn almond amber anchor angel apple april apron arrow atlas autumn avenue badge bagel bakery ballet bamboo banana
banjo barley barrel basil basket beacon beaver bench berry bonnet bottle branch breeze brick bridge bronze bubble
bucket button cabin cactus camera canal candle canoe canyon carpet carrot castle cedar cello chalk cherry chess cider
cinema circle circus clock cloud clover cobalt comet copper coral corner cotton cousin crayon crown daisy denim desert
donkey dragon eagle easel echo elbow engine falcon fiddle field finch flute forest fossil galaxy garden garlic garnet
gazebo ginger globe goblet grace guitar hammer harbor hazel helmet heron honey igloo indigo island ivory jacket jelly
jigsaw jungle kayak kettle kitten ladder lagoon laurel lemon lentil lilac lily lotus magnet mango maple marble meadow
melody melon mirror muffin museum napkin nectar needle nutmeg oasis ocean olive onion opal orbit orchid otter oyster
paddle palace panda pansy pebble pencil pepper piano picnic pillow pilot planet plum pocket pond poplar poppy potato
puzzle quartz quilt rabbit radish raven ribbon river robin sailor salmon sandal satin scarf shadow shell shovel silver
sketch spark spring statue summer sunset swan teapot temple ticket tiger timber toffee tomato topaz tower tulip tunnel
turnip turtle velvet violet violin voyage waffle wagon walnut water whale window winter yogurt zebra zipper
"""
WORDS = LISTED.split()
NUMBERS = range(2, 1000)


def fresh() -> str:
    """A short code by chance."""
    return f"{secrets.choice(WORDS)}-{secrets.choice(NUMBERS)}"


def read(typed: str) -> str:
    """The short code as it is stored, for one typed with capitals or other signs between; "" if no code looks so."""
    found = re.fullmatch(r"\W*([a-z]+)\W*([0-9]{1,3})\W*", typed.casefold(), re.ASCII)
    return f"{found[1]}-{int(found[2])}" if found and found[1] in WORDS and int(found[2]) in NUMBERS else ""
