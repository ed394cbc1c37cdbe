"""Numbers in addresses."""

from django.urls.converters import IntConverter


class RowConverter(IntConverter):
    """A number that a column of the database can have. Any other address does not exist."""

    regex = "[0-9]{1,18}"
