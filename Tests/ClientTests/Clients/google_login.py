"""google-auth-oauthlib's login of an installed program: its own server, and the browser that BROWSER names."""

import os

from sandbox import ISSUER, SANDBOX, expect

import requests
from google.auth.transport.requests import Request
from google_auth_oauthlib.flow import InstalledAppFlow

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
config = {
    "client_id": SANDBOX["client_id"], "client_secret": SANDBOX["client_secret"],
    "auth_uri": SANDBOX["authorization_endpoint"], "token_uri": SANDBOX["token_endpoint"]}
flow = InstalledAppFlow.from_client_config({"installed": config}, scopes=["openid", "email"])
credentials = flow.run_local_server(port=0, timeout_seconds=30, authorization_prompt_message=None)
expect(credentials.id_token and credentials.refresh_token, "the code, at a server of its own")
first = credentials.token
credentials.refresh(Request())
answer = requests.get(ISSUER + "/userinfo", headers={"Authorization": f"Bearer {credentials.token}"})
expect(credentials.token != first and answer.json()["sub"] == "1815", "refresh, and userinfo")
