"""MSAL, which takes only an https issuer with a path."""

import os

from sandbox import ISSUER, REDIRECT_URI, SANDBOX, browse, expect
from urllib.parse import parse_qsl, urlsplit

from msal import ConfidentialClientApplication

app = ConfidentialClientApplication(
    SANDBOX["client_id"], client_credential=SANDBOX["client_secret"], oidc_authority=ISSUER,
    verify=os.environ["SSL_CERT_FILE"])
flow = app.initiate_auth_code_flow(["email"], redirect_uri=REDIRECT_URI)
answer = dict(parse_qsl(urlsplit(browse(flow["auth_uri"])).query))
token = app.acquire_token_by_auth_code_flow(flow, answer)
expect(token.get("id_token_claims", {}).get("sub") == "1815", "the code and the ID token")
expect(app.acquire_token_for_client(["repo"]).get("access_token"), "client credentials")
