"""Who stands better in matches in play, where the host turns it on."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scorekeeper', '0033_reviews'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='outlook',
            field=models.BooleanField(default=False),
        ),
        migrations.CreateModel(
            name='Outlook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('length', models.PositiveIntegerField(default=0)),
                ('found', models.JSONField(null=True)),
                ('began_at', models.DateTimeField(blank=True, null=True)),
                ('busy', models.BooleanField(default=False)),
                ('match', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='outlook', to='scorekeeper.match')),
            ],
        ),
    ]
