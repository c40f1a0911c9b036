"""A whole Django site: django-oauth-toolkit with its own pages, Django's login, and a database file."""

import starter

LOGIN_PAGE = """
<form method="post">{% csrf_token %}{{ form.as_p }}<input type="hidden" name="next" value="{{ next }}">
<button id="login">Log in</button></form>
"""


def settings(url, state):
    """The site's settings."""
    applications = ["auth", "contenttypes", "sessions", "messages"]
    return {
        "SECRET_KEY": "only for tests on loopback",
        "ALLOWED_HOSTS": [starter.HOST],
        "ROOT_URLCONF": "django_urls",
        "LOGIN_URL": "/login/",
        "STATIC_URL": "/static/",
        "USE_TZ": True,
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "INSTALLED_APPS": [*(f"django.contrib.{name}" for name in applications), "oauth2_provider"],
        # The tables come from the models at once: no history of migrations to run through.
        "MIGRATION_MODULES": {name: None for name in [*applications, "oauth2_provider"]},
        "DATABASES": {
            "default": {
                "ENGINE": "django.db.backends.sqlite3",
                "NAME": state / "django.db",
                # Writers wait for each other, which a transaction that starts as a reader may not (SQLITE_BUSY).
                "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"},
            }
        },
        "MIDDLEWARE": [
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
        ],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                    ],
                    "loaders": [
                        ("django.template.loaders.locmem.Loader", {"login.html": LOGIN_PAGE}),
                        "django.template.loaders.app_directories.Loader",
                    ],
                },
            }
        ],
        "LOGGING": {
            "version": 1,
            "disable_existing_loggers": False,
            "handlers": {"log": {"class": "logging.FileHandler", "filename": state / "log"}},
            "root": {"handlers": ["log"]},
        },
        "OAUTH2_PROVIDER": _provider(url, state),
    }


def _provider(url, state):
    device_page = f"{url}/o/device/"
    scopes = ["openid", "profile", "email", "read", "write"]
    return {
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": (state / "sign.pem").read_text(),
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "SCOPES": {scope: scope for scope in scopes},
        "DEFAULT_SCOPES": ["read"],
        "PKCE_REQUIRED": True,
        "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "com.example.app"],
        "COMPLIANT_BCP_RFC9700_AUTHZ_RESPONSE_ISS": True,
        "ACCESS_TOKEN_EXPIRE_SECONDS": starter.ACCESS_TOKEN_SECONDS,
        "ROTATE_REFRESH_TOKEN": starter.ROTATE,
        "REFRESH_TOKEN_REUSE_PROTECTION": starter.ROTATE,
        "DEVICE_FLOW_INTERVAL": starter.DEVICE_INTERVAL,
        "OAUTH_DEVICE_VERIFICATION_URI": device_page,
        "OAUTH_DEVICE_VERIFICATION_URI_COMPLETE": lambda code: f"{device_page}?user_code={code}",
        "DCR_ENABLED": True,
        "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
    }
