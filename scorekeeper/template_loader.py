"""Templates without the white space that only their readers need."""

import re

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

LINE_BREAK = re.compile(r"\s*\n\s*")


class Loader(FilesystemLoader):
    """Reads our templates, and turns each line break of a page with its indentation into one space. A browser shows the
    same, and a fragment that is sent to every phone at every play is a quarter smaller."""

    def get_contents(self, origin: Origin) -> str:
        text: str = super().get_contents(origin)
        return LINE_BREAK.sub(" ", text) if str(origin.name).endswith(".html") else text
