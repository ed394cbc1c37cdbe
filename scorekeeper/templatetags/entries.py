"""The hidden fields of forms that enter something."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def entry_fields(seen: int, *key: object, **more: object) -> SafeString:
    """How many entries the page shows, the key under which the same post is entered only once, and what else a form
    carries. The parts of the key are joined; what is empty is left out."""
    fields = {"seen": seen, "key": "".join(map(str, key))}
    fields |= {name: value for name, value in more.items() if value}
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', fields.items())
