"""requests_oauth2client and Authlib with client certificates (RFC 8705), which requests presents."""

import subprocess

from sandbox import SANDBOX, expect

import requests
from authlib.integrations.requests_client import OAuth2Session
from requests_oauth2client import OAuth2Client, PublicApp

metadata = requests.get(SANDBOX["issuer"] + "/.well-known/oauth-authorization-server").json()
aliases = metadata["mtls_endpoint_aliases"]
api = aliases["token_endpoint"].removesuffix("/token")
certificate = ("client.pem", "client.key")

session = requests.Session()
session.cert = certificate
client = OAuth2Client(
    token_endpoint=aliases["token_endpoint"], introspection_endpoint=aliases["introspection_endpoint"],
    revocation_endpoint=aliases["revocation_endpoint"], auth=PublicApp("machine"), session=session)
token = client.client_credentials(scope="repo")
expect(session.get(api + "/user", auth=token).json()["login"] == "ada", "requests_oauth2client: token and API")
refused = requests.get(SANDBOX["api_base"] + "/user", auth=token)
expect(refused.status_code == 401, "the token is of no use without the certificate")
described = client.introspect_token(token)
thumbprint = subprocess.run(
    "openssl x509 -in client.pem -outform der | openssl dgst -sha256 -binary | basenc --base64url | tr -d =",
    shell=True, check=True, capture_output=True, text=True).stdout.strip()
expect(described["cnf"] == {"x5t#S256": thumbprint}, "introspection names the thumbprint of the certificate")
expect(client.revoke_access_token(token), "revocation")

machine = OAuth2Session("machine", token_endpoint_auth_method="none")
machine.cert = certificate
granted = machine.fetch_token(aliases["token_endpoint"], grant_type="client_credentials")
expect(machine.get(api + "/user").json()["login"] == "ada" and granted["access_token"], "Authlib: token and API")
