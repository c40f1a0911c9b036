"""requests_oauth2client with request objects: a key of its own for them, pushed or not, and for its authentication."""

from sandbox import ISSUER, REDIRECT_URI, browse, expect

import requests
from jwskate import Jwk
from requests_oauth2client import OAuth2Client, PrivateKeyJwt

key = Jwk.generate(alg="ES256").with_kid_thumbprint()
metadata = requests.get(f"{ISSUER}/.well-known/openid-configuration").json()
expect("ES256" in metadata["request_object_signing_alg_values_supported"], "the algorithm is in the metadata")
registered = requests.post(metadata["registration_endpoint"], json={
    "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "private_key_jwt",
    "request_object_signing_alg": "ES256", "require_signed_request_object": True,
    "jwks": {"keys": [key.public_jwk().to_dict()]}}).json()
client = OAuth2Client.from_discovery_endpoint(
    issuer=ISSUER, auth=PrivateKeyJwt(registered["client_id"], key), redirect_uri=REDIRECT_URI, testing=True)

request = client.authorization_request(scope="openid email")
url = request.sign(key, lifetime=60).uri
token = client.authorization_code(request.validate_callback(browse(url)), validate=True)
expect(token.id_token.sub == "1815", "a request object, and the ID token")

# It pushes no request object by itself.
def push(jwt):
    return requests.post(
        metadata["pushed_authorization_request_endpoint"], data={"request": str(jwt)}, auth=client.auth).json()


request = client.authorization_request(scope="openid email")
url = requests.Request("GET", metadata["authorization_endpoint"], params={
    "client_id": client.client_id, "request_uri": push(request.sign_request_jwt(key))["request_uri"]}).prepare().url
token = client.authorization_code(request.validate_callback(browse(url)), validate=True)
expect(token.id_token.sub == "1815", "a pushed request object")
refused = push(request.sign_request_jwt(Jwk.generate(alg="ES256")))
expect(refused["error"] == "invalid_request_object", "a request object of another key is refused")
