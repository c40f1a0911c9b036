"""What both clients do alike, besides what all clients of others do (Tests/ClientTests/Clients/sandbox.py)."""

import os

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from sandbox import REDIRECT_URI, SANDBOX, browse, expect

SCOPE = "openid email repo"


def public():
    """The client without a secret."""
    return {**SANDBOX, "client_id": "sandbox-public", "client_secret": None, "token_endpoint_auth_method": "none"}
