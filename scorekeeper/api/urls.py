"""The addresses under /api/v1/."""

from typing import NoReturn

from django.http import Http404
from django.urls import path, re_path
from rest_framework.request import Request
from rest_framework.views import APIView

from scorekeeper.api import description, ladders, leagues, matches, records, tournaments


class Nowhere(APIView):
    """Any other address: the 404 is JSON, too."""

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        raise Http404


urlpatterns = [
    path("tables/<row:table_id>/matches/", matches.OpenMatch.as_view(), name="api-match-open"),
    path("matches/<row:match_id>/", matches.ReadMatch.as_view(), name="api-match"),
    path("matches/<row:match_id>/entries/", matches.Entries.as_view(), name="api-entries"),
    path("matches/<row:match_id>/record/", matches.MatchRecord.as_view(), name="api-record"),
    path("clubs/<slug:club>/tournaments/", tournaments.OfClub.as_view(), name="api-tournaments"),
    path("tournaments/<row:tournament_id>/", tournaments.ReadTournament.as_view(), name="api-tournament"),
    path("tournaments/<row:tournament_id>/file/", tournaments.File.as_view(), name="api-tournament-file"),
    path("tournaments/<row:tournament_id>/standings/", tournaments.Standings.as_view(), name="api-standings"),
    path("tournaments/<row:tournament_id>/entries/", tournaments.Steps.as_view(), name="api-steps"),
    path("clubs/<slug:club>/leagues/", leagues.OfClub.as_view(), name="api-leagues"),
    path("leagues/<row:league_id>/", leagues.ReadLeague.as_view(), name="api-league"),
    path("leagues/<row:league_id>/file/", leagues.File.as_view(), name="api-league-file"),
    path("leagues/<row:league_id>/standings/", leagues.Standings.as_view(), name="api-league-standings"),
    path("leagues/<row:league_id>/entries/", leagues.Steps.as_view(), name="api-league-steps"),
    path("clubs/<slug:club>/ladders/", ladders.OfClub.as_view(), name="api-ladders"),
    path("ladders/<row:ladder_id>/", ladders.ReadLadder.as_view(), name="api-ladder"),
    path("ladders/<row:ladder_id>/entries/", ladders.Steps.as_view(), name="api-ladder-steps"),
    path("records/verify/", records.Verify.as_view(), name="api-verify"),
    path("openapi.yaml", description.Description.as_view(), name="api-description"),
    re_path(r"", Nowhere.as_view(), name="api-nowhere"),
]
