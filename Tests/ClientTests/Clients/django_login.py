"""mozilla-django-oidc with its defaults: no PKCE; RS256 is what it must be given without a secret as key."""

from sandbox import SANDBOX, browse, expect
from urllib.parse import urlsplit

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x", DEBUG=True, ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                    "mozilla_django_oidc"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware"],
    AUTHENTICATION_BACKENDS=["mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    OIDC_RP_CLIENT_ID=SANDBOX["client_id"], OIDC_RP_CLIENT_SECRET=SANDBOX["client_secret"],
    OIDC_RP_SIGN_ALGO="RS256", OIDC_OP_JWKS_ENDPOINT=SANDBOX["jwks_uri"],
    OIDC_OP_AUTHORIZATION_ENDPOINT=SANDBOX["authorization_endpoint"],
    OIDC_OP_TOKEN_ENDPOINT=SANDBOX["token_endpoint"], OIDC_OP_USER_ENDPOINT=SANDBOX["userinfo_endpoint"],
    LOGIN_REDIRECT_URL="/welcome", LOGIN_REDIRECT_URL_FAILURE="/failed",
    OIDC_AUTHENTICATION_CALLBACK_URL="callback")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import path  # noqa: E402
from mozilla_django_oidc.views import OIDCAuthenticationCallbackView, OIDCAuthenticationRequestView  # noqa: E402

urlpatterns = [
    path("login", OIDCAuthenticationRequestView.as_view(), name="oidc_authentication_init"),
    path("callback", OIDCAuthenticationCallbackView.as_view(), name="callback"),
    path("welcome", lambda request: HttpResponse("welcome")),
]
call_command("migrate", verbosity=0)
browser = Client(SERVER_NAME="127.0.0.1", SERVER_PORT="8912")
location = browse(browser.get("/login")["Location"])
answer = browser.get("/callback?" + urlsplit(location).query)
expect(answer["Location"] == "/welcome", "the login")
expect(get_user_model().objects.get().email == "ada@example.com", "the user of userinfo")
