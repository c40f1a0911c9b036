"""The paths of the site: Django imports this when the settings are there."""

import django.contrib.auth.views
import django.urls
import oauth2_provider.urls

urlpatterns = [
    django.urls.path("login/", django.contrib.auth.views.LoginView.as_view(template_name="login.html")),
    django.urls.path("o/", django.urls.include("oauth2_provider.urls", namespace="oauth2_provider")),
    django.urls.path("", django.urls.include((oauth2_provider.urls.metadata_urlpatterns, "root"))),
]
