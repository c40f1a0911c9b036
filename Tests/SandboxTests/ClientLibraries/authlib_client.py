"""Authlib's client against the sandbox."""

from login import REDIRECT_URI, SANDBOX, SCOPE, browse, expect, public

from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.integrations.base_client.errors import OAuthError
from joserfc import jwt
from joserfc.jwk import KeySet
import requests


def session(client, **options):
    return OAuth2Session(
        client["client_id"], client["client_secret"], scope=SCOPE, redirect_uri=REDIRECT_URI,
        token_endpoint_auth_method=client["token_endpoint_auth_method"], **options)


def login(client, **options):
    client_session = session(client, code_challenge_method="S256", **options)
    verifier = generate_token(48)
    url, state = client_session.create_authorization_url(
        SANDBOX["authorization_endpoint"], code_verifier=verifier, nonce="n-1")
    token = client_session.fetch_token(
        SANDBOX["token_endpoint"], authorization_response=browse(url), state=state, code_verifier=verifier)
    return client_session, token


def check_id_token(token):
    metadata = requests.get(SANDBOX["issuer"] + "/.well-known/openid-configuration").json()
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"]).json())
    decoded = jwt.decode(token["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
    rules = jwt.JWTClaimsRegistry(
        iss={"essential": True, "value": SANDBOX["issuer"]}, aud={"essential": True}, exp={"essential": True},
        nonce={"essential": True, "value": "n-1"})
    rules.validate(decoded.claims)
    expect(decoded.claims["sub"] == "1815", "the ID token is signed and speaks of the person")


for client in (SANDBOX, public()):
    name = client["client_id"]
    client_session, token = login(client)
    expect(token["token_type"] == "Bearer" and token["refresh_token"], f"code grant with PKCE of {name}")
    check_id_token(token)
    expect(client_session.get(SANDBOX["api_base"] + "/user").json()["login"] == "ada", "the API takes the token")
    renewed = client_session.refresh_token(SANDBOX["token_endpoint"])
    expect(renewed["access_token"] != token["access_token"], f"refresh of {name}")
    userinfo = client_session.get(SANDBOX["userinfo_endpoint"]).json()
    expect(userinfo == {"sub": "1815", "email": "ada@example.com", "email_verified": True}, "userinfo")

client_session, token = login(public())
answer = client_session.revoke_token(SANDBOX["revocation_endpoint"], token=token["refresh_token"])
expect(answer.status_code == 200, "revocation")
try:
    client_session.refresh_token(SANDBOX["token_endpoint"], refresh_token=token["refresh_token"])
    expect(False, "a revoked refresh token is refused")
except OAuthError as error:
    expect(error.error == "invalid_grant", "a revoked refresh token is refused")

for method in ("client_secret_basic", "client_secret_post"):
    machine = session({**SANDBOX, "token_endpoint_auth_method": method})
    token = machine.fetch_token(SANDBOX["token_endpoint"], grant_type="client_credentials")
    expect(token["scope"] == SCOPE and "refresh_token" not in token, f"client credentials with {method}")

answer = machine.introspect_token(SANDBOX["introspection_endpoint"], token=token["access_token"])
expect(answer.json()["active"] is True, "introspection")
