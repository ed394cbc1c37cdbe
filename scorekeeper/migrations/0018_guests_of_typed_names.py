"""Names that were typed at a table or copied from paper become people of the club, as new ones do."""

from collections import defaultdict
from itertools import count
from typing import Any

from django.db import migrations

from scorekeeper.names import folded


def make_guests(apps: Any, schema_editor: Any) -> None:
    """Each typed name becomes the person of the club with this name, else a new guest. The same person sits in a match
    once: if somebody else there has got this name since, the typed one becomes a guest of their own."""
    rows = {
        model: apps.get_model("scorekeeper", model).objects.using(schema_editor.connection.alias)
        for model in ("Player", "Seat", "Substitute", "SeatResult")
    }
    typed: dict[int, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for model in ("Seat", "Substitute"):
        found = rows[model].filter(player=None).order_by("match", "id")
        for club, match, name in found.values_list("match__club", "match", "name"):
            typed[club][match].setdefault(folded(name), name)
    for club, matches in typed.items():
        known = {folded(player.name): player for player in rows["Player"].filter(club=club).order_by("-pk")}
        for match, names in matches.items():
            sat = set(rows["Seat"].filter(match=match).exclude(player=None).values_list("player", flat=True))
            for same, name in names.items():
                player = known.get(same)
                if player is None or player.pk in sat:
                    free = next(each for each in _numbered(name) if folded(each) not in known)
                    player = rows["Player"].create(club_id=club, name=free, guest=True)
                    known[folded(free)] = player
                for model, more in (("Seat", {}), ("Substitute", {}), ("SeatResult", {"name": ""})):
                    without = rows[model].filter(match=match, player=None).values_list("pk", "name")
                    who = [pk for pk, each in without if folded(each) == same]
                    rows[model].filter(pk__in=who).update(player=player, **more)


def _numbered(name: str) -> Any:
    yield name
    for number in count(2):
        yield f"{name[:70]} ({number})"


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0017_people"),
    ]

    operations = [
        migrations.RunPython(make_guests, migrations.RunPython.noop),
    ]
