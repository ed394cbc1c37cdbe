"""Every address of the server."""

from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from scorekeeper.views import (
    audit,
    backups,
    calls,
    clubs,
    confirming,
    corrections,
    desk,
    devices,
    events,
    health,
    home,
    jobs,
    matches,
    new_match,
    pads,
    paper,
    sheets,
    tables,
    troubles,
)
from scorekeeper.views.live import live
from scorekeeper.views.signing_in import SignIn

handler400 = troubles.bad_request
handler404 = troubles.not_found
handler500 = troubles.server_error

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("scorekeeper.api.urls")),
    path("live/", live, name="live"),
    path("health/live/", health.live, name="health_live"),
    path("health/ready/", health.ready, name="health_ready"),
    path("metrics/", health.figures, name="metrics"),
    path("", home.home, name="home"),
    path("worker.js", home.worker, name="worker"),
    path("demo/", home.demo_open, name="demo_open"),
    path("setup/<str:token>/", home.setup, name="setup"),
    path("reach/", home.reach, name="reach"),
    path("login/", SignIn.as_view(), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("language/", login_not_required(require_POST(set_language)), name="set_language"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/players/", clubs.club_players, name="club_players"),
    path("clubs/<slug:slug>/tables/", clubs.club_tables, name="club_tables"),
    path("clubs/<slug:slug>/calls/", calls.club_calls, name="club_calls"),
    path("clubs/<slug:slug>/paper/", paper.paper, name="paper"),
    path("clubs/<slug:slug>/sheets/", sheets.club_sheets, name="club_sheets"),
    path("clubs/<slug:slug>/audit/", audit.club_audit, name="club_audit"),
    path("clubs/<slug:slug>/audit.csv", audit.audit_csv, name="audit_csv"),
    path("clubs/<slug:slug>/audit.ndjson", audit.audit_ndjson, name="audit_ndjson"),
    path("clubs/<slug:slug>/archive/", jobs.archive_start, name="archive_start"),
    path("clubs/<slug:slug>/nights/new/", desk.night_new, name="night_new"),
    path("nights/<int:pk>/desk/", desk.night_desk, name="night_desk"),
    path("nights/<int:pk>/entries/", desk.night_entry, name="night_entry"),
    path("nights/<int:pk>/games/<slug:game>/", desk.night_game, name="night_game"),
    path("nights/<int:pk>/scorer/", desk.night_scorer, name="night_scorer"),
    path("nights/<int:pk>/", events.night, name="night"),
    path("nights/<int:pk>/seats/", events.night_seats, name="night_seats"),
    path("nights/<int:pk>/sheets/", sheets.night_sheets, name="night_sheets"),
    path("nights/<int:pk>/screen/", events.night_screen, name="night_screen"),
    path("nights/<int:pk>/results.txt", events.night_text, name="night_text"),
    path("nights/<int:pk>/file/", events.night_file, name="night_file"),
    path("nights/<int:pk>/archive/", jobs.night_archive, name="night_archive"),
    path("tv/", events.tv, name="tv"),
    path("t/<str:token>/", tables.table_join, name="table_join"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/watch/", tables.table_watch, name="table_watch"),
    path("tables/<int:pk>/pad/", pads.table_pad, name="table_pad"),
    path("tables/<int:pk>/call/", calls.table_call, name="table_call"),
    path("tables/<int:pk>/qr/", tables.table_qr, name="table_qr"),
    path("tables/<int:pk>/open/", tables.table_open, name="table_open"),
    path("tables/<int:pk>/devices/", devices.table_devices, name="table_devices"),
    path("tables/<int:pk>/matches/", new_match.match_new, name="match_new"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/record/", matches.match_record, name="match_record"),
    path("matches/<int:pk>/entries/", matches.match_entry, name="match_entry"),
    path("matches/<int:pk>/confirm/", confirming.match_confirm, name="match_confirm"),
    path("matches/<int:pk>/time/", matches.match_time, name="match_time"),
    path("matches/<int:pk>/hands/<int:number>/", corrections.hand_correct, name="hand_correct"),
    path("matches/<int:pk>/seats/", corrections.match_seats, name="match_seats"),
    path("backups/", backups.backups, name="backups"),
    path("backups/<str:name>", backups.backup_file, name="backup_file"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.job_cancel, name="job_cancel"),
    path("jobs/<int:pk>/file/", jobs.job_file, name="job_file"),
]
