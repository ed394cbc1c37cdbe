"""What followers may be sent instead of the whole part of a page."""

from django import template
from django.utils.safestring import SafeString

from scorekeeper.live import parts

register = template.Library()


@register.simple_block_tag
def piece(content: SafeString) -> SafeString:
    """An element with an id: who has the rest of the part is sent it alone. In a part that has pieces nothing else may
    change while their ids are the same."""
    parts.piece(content)
    return content
