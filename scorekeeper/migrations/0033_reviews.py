"""Reviews of matches by Nestor; one at a time is made."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scorekeeper', '0032_rehearsals_of_an_older_form'),
    ]

    operations = [
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('length', models.PositiveIntegerField()),
                ('plays', models.JSONField()),
                ('total', models.PositiveIntegerField()),
                ('made_at', models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='job',
            name='job_runs_alone',
        ),
        migrations.AddConstraint(
            model_name='job',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', ('ratings', 'review')), ('state', 'running')), fields=('kind',), name='job_runs_alone'),
        ),
        migrations.AddField(
            model_name='review',
            name='match',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='review', to='scorekeeper.match'),
        ),
    ]
