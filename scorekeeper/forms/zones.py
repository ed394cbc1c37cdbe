"""Time zones to choose from."""

from functools import cache
from itertools import groupby
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

UTC = "UTC"


class ZoneField(forms.ChoiceField):
    """The name of a time zone, by region. Somebody who chooses none gets that of the server."""

    def __init__(self) -> None:
        super().__init__(label=_("Time zone"), choices=_by_region, initial=_of_the_server, required=False)

    def clean(self, value: object) -> str:
        return str(super().clean(value) or _of_the_server())


def _of_the_server() -> str:
    return settings.TIME_ZONE


@cache
def _by_region() -> list[tuple[str, str | list[tuple[str, str]]]]:
    named = [name.split("/", 1) for name in sorted(available_timezones()) if "/" in name and name[:4] != "Etc/"]
    regions = groupby(named, key=lambda parts: parts[0])
    return [
        (UTC, UTC),
        *(
            (region, [(f"{region}/{place}", place.replace("_", " ")) for _region, place in places])
            for region, places in regions
        ),
    ]
