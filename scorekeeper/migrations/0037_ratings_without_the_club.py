"""A line of ratings had the club of its player once more. Nobody read it, and PostgreSQL checked it for each new line."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("scorekeeper", "0036_rehearsals_of_an_older_form_again"),
    ]

    operations = [
        migrations.RemoveField(model_name="ratingline", name="club"),
    ]
