"""Authlib with its defaults: no PKCE."""

from sandbox import REDIRECT_URI, SANDBOX, browse, expect

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session(
    SANDBOX["client_id"], SANDBOX["client_secret"], scope="openid email", redirect_uri=REDIRECT_URI)
url, state = session.create_authorization_url(SANDBOX["authorization_endpoint"])
token = session.fetch_token(SANDBOX["token_endpoint"], authorization_response=browse(url), state=state)
expect(token["id_token"] and token["refresh_token"], "the code without PKCE")
expect(session.get(SANDBOX["userinfo_endpoint"]).json()["sub"] == "1815", "userinfo")
