"""Every address of the server."""

from django.urls import URLPattern, URLResolver, include, path

from scorekeeper.views.live import live

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include("scorekeeper.api.urls")),
    path("live/", live, name="live"),
]
