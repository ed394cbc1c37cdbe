"""Every address of the server."""

from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

from scorekeeper.views import clubs, home, jobs, matches, night_pages, nights, pads, paper, sheets, tables
from scorekeeper.views.live import live

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("scorekeeper.api.urls")),
    path("live/", live, name="live"),
    path("", home.home, name="home"),
    path("demo/", home.demo_open, name="demo_open"),
    path("setup/<str:token>/", home.setup, name="setup"),
    path("reach/", home.reach, name="reach"),
    path("login/", auth.LoginView.as_view(template_name="scorekeeper/login.html"), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("language/", login_not_required(set_language), name="set_language"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/players/", clubs.club_players, name="club_players"),
    path("clubs/<slug:slug>/tables/", clubs.club_tables, name="club_tables"),
    path("clubs/<slug:slug>/paper/", paper.paper, name="paper"),
    path("clubs/<slug:slug>/sheets/", sheets.club_sheets, name="club_sheets"),
    path("clubs/<slug:slug>/archive/", jobs.archive_start, name="archive_start"),
    path("clubs/<slug:slug>/nights/new/", nights.night_new, name="night_new"),
    path("nights/<int:pk>/desk/", nights.night_desk, name="night_desk"),
    path("nights/<int:pk>/entries/", nights.night_entry, name="night_entry"),
    path("nights/<int:pk>/games/<slug:game>/", nights.night_game, name="night_game"),
    path("nights/<int:pk>/scorer/", nights.night_scorer, name="night_scorer"),
    path("nights/<int:pk>/", night_pages.night, name="night"),
    path("nights/<int:pk>/seats/", night_pages.night_seats, name="night_seats"),
    path("nights/<int:pk>/sheets/", sheets.night_sheets, name="night_sheets"),
    path("nights/<int:pk>/screen/", night_pages.night_screen, name="night_screen"),
    path("nights/<int:pk>/results.txt", night_pages.night_text, name="night_text"),
    path("nights/<int:pk>/file/", night_pages.night_file, name="night_file"),
    path("nights/<int:pk>/archive/", jobs.night_archive, name="night_archive"),
    path("tv/", night_pages.tv, name="tv"),
    path("t/<str:token>/", tables.table_join, name="table_join"),
    path("tables/<int:pk>/", tables.table, name="table"),
    path("tables/<int:pk>/watch/", tables.table_watch, name="table_watch"),
    path("tables/<int:pk>/pad/", pads.table_pad, name="table_pad"),
    path("tables/<int:pk>/qr/", tables.table_qr, name="table_qr"),
    path("tables/<int:pk>/open/", tables.table_open, name="table_open"),
    path("tables/<int:pk>/matches/", tables.match_new, name="match_new"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/record/", matches.match_record, name="match_record"),
    path("matches/<int:pk>/entries/", matches.match_entry, name="match_entry"),
    path("matches/<int:pk>/time/", matches.match_time, name="match_time"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/cancel/", jobs.job_cancel, name="job_cancel"),
    path("jobs/<int:pk>/file/", jobs.job_file, name="job_file"),
]
