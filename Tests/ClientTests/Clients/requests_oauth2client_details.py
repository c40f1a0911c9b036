"""requests_oauth2client with authorization details (RFC 9396), in the URL and pushed, and an encrypted ID token."""

import json

from sandbox import ISSUER, REDIRECT_URI, SANDBOX, browse, expect

from cryptography.hazmat.primitives.keywrap import InvalidUnwrap
import requests
from jwskate import Jwk
from requests_oauth2client import AuthorizationResponseError, EndpointError, OAuth2Client

DETAILS = [
    {"type": "payment_initiation", "actions": ["initiate"], "instructedAmount": {"currency": "EUR", "amount": "9"}},
    {"type": "account_information", "locations": ["https://accounts.example"]}]


def client_of(client_id, secret, **options):
    return OAuth2Client.from_discovery_endpoint(
        issuer=ISSUER, client_id=client_id, client_secret=secret, redirect_uri=REDIRECT_URI, testing=True, **options)


client = client_of(SANDBOX["client_id"], SANDBOX["client_secret"], id_token_signed_response_alg="ES256")
request = client.authorization_request(scope="openid", authorization_details=json.dumps(DETAILS))
token = client.authorization_code(request.validate_callback(browse(request.uri)), validate=True)
expect(token.authorization_details == DETAILS, "authorization_details in the URL are granted")
pushed = client.pushed_authorization_request(request)
token = client.authorization_code(request.validate_callback(browse(pushed.uri)), validate=True)
expect(token.authorization_details == DETAILS, "authorization_details that were pushed are granted")
renewed = client.refresh_token(token, authorization_details=json.dumps(DETAILS[1:]))
expect(renewed.authorization_details == DETAILS[1:], "a refresh may ask for fewer")
unknown = client.authorization_request(scope="openid", authorization_details=json.dumps([{"type": "unknown"}]))
for way, ask in (("in the URL", lambda: unknown.validate_callback(browse(unknown.uri))),
                 ("pushed", lambda: client.pushed_authorization_request(unknown))):
    try:
        ask()
        expect(False, f"an unknown type {way} is refused")
    except (AuthorizationResponseError, EndpointError) as error:
        expect(error.error == "invalid_authorization_details", f"an unknown type {way} is refused")

for algorithm, kind in (("ECDH-ES+A128KW", {"kty": "EC", "crv": "P-256"}), ("RSA-OAEP-256", {"kty": "RSA"})):
    key, other = (Jwk.generate(alg=algorithm, **kind) for _ in range(2))
    encryption = {
        "id_token_signed_response_alg": "ES256", "id_token_encrypted_response_alg": algorithm,
        "id_token_encrypted_response_enc": "A256GCM"}
    public = key.with_usage_parameters().public_jwk().to_dict()
    registered = requests.post(f"{ISSUER}/register", json={
        "redirect_uris": [REDIRECT_URI], "token_endpoint_auth_method": "client_secret_post",
        "jwks": {"keys": [public]}, **encryption}).json()
    for own in (key, other):
        client = client_of(
            registered["client_id"], registered["client_secret"], id_token_decryption_key=own, **encryption)
        request = client.authorization_request(scope="openid")
        response = request.validate_callback(browse(request.uri))
        try:
            sub = client.authorization_code(response, validate=True).id_token.sub
        except (InvalidUnwrap, ValueError):
            sub = None
        expect(sub == ("1815" if own is key else None), f"{algorithm}: its key alone opens the ID token")
