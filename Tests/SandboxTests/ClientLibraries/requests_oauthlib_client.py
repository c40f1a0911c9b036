"""requests-oauthlib's client against the sandbox."""

from login import REDIRECT_URI, SANDBOX, SCOPE, browse, expect, public

from oauthlib.oauth2 import BackendApplicationClient, InvalidClientError, InvalidGrantError
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session


def login(client):
    session = OAuth2Session(client["client_id"], redirect_uri=REDIRECT_URI, scope=SCOPE.split(), pkce="S256")
    url, _ = session.authorization_url(SANDBOX["authorization_endpoint"], nonce="n-1")
    location = browse(url)
    token = session.fetch_token(
        SANDBOX["token_endpoint"], authorization_response=location, client_secret=client["client_secret"],
        include_client_id=client["client_secret"] is None)
    return session, token, location


for client in (SANDBOX, public()):
    name = client["client_id"]
    session, token, location = login(client)
    expect(token["token_type"] == "Bearer" and token["id_token"], f"code grant with PKCE of {name}")
    repositories = session.get(SANDBOX["api_base"] + "/user/repos?per_page=100")
    expect(len(repositories.json()) == 100 and "next" in repositories.links, "the API takes the token, and pages")
    credentials = {"client_id": name} if client["client_secret"] is None else {
        "auth": HTTPBasicAuth(name, client["client_secret"])}
    renewed = session.refresh_token(SANDBOX["token_endpoint"], **credentials)
    expect(renewed["access_token"] != token["access_token"], f"refresh of {name}")
    try:
        session.fetch_token(
            SANDBOX["token_endpoint"], authorization_response=location, client_secret=client["client_secret"],
            include_client_id=client["client_secret"] is None)
        expect(False, "a code is taken once")
    except InvalidGrantError:
        expect(True, "a code is taken once")

machine = OAuth2Session(client=BackendApplicationClient(client_id="sandbox", scope=["repo"]))
token = machine.fetch_token(SANDBOX["token_endpoint"], auth=HTTPBasicAuth("sandbox", SANDBOX["client_secret"]))
expect(token["scope"] == ["repo"] and "refresh_token" not in token, "client credentials")
try:
    machine.fetch_token(SANDBOX["token_endpoint"], auth=HTTPBasicAuth("sandbox", "wrong"))
    expect(False, "a wrong secret is refused")
except InvalidClientError:
    expect(True, "a wrong secret is refused")
