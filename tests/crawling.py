"""A visitor who follows every link that they see."""

import html
import re
from collections.abc import Iterable, Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from django.http import StreamingHttpResponse
from django.test import Client

LINK = re.compile(r'(?:href|src)="([^"]+)"|content="[^"/]*//[^"/]+(/[^"]+)"')


def everything(visitor: Client, begin: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Every address that links and previews lead to from the first ones, with what it answers. Of a replay, only the
    first moves; of a picture, the SVG of which its PNG is made."""
    left, known = [*begin], {*begin}
    while left:
        address = left.pop()
        answer = visitor.get(address)
        if isinstance(answer, StreamingHttpResponse):
            continue
        text, leads = answer.content.decode(errors="replace"), answer.headers.get("Location", "")
        yield address, text + leads
        links = map("".join, LINK.findall(text)) if "html" in answer.headers.get("Content-Type", "") else []
        there = {urldefrag(urljoin(address, html.unescape(link)))[0] for link in [*links, leads] if link}
        new = {link.replace(".png", ".svg") for link in there if _ours(link)} - known
        known |= new
        left += sorted(new)


def _ours(link: str) -> bool:
    there = urlsplit(link)
    ours = not there.netloc and link.startswith("/") and not link.startswith(("/static/", "/login/"))
    return ours and "move=" not in there.query
