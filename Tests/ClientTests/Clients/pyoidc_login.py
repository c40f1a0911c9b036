"""pyoidc: registers by itself with its keys, and sends the token of userinfo in a form."""

from sandbox import ISSUER, REDIRECT_URI, browse, expect

from cryptojwt.key_jar import build_keyjar
from oic.oic import Client
from oic.oic.message import AuthorizationResponse, RegistrationResponse
from oic.utils.authn.client import CLIENT_AUTHN_METHOD
from oic.utils.settings import OicClientSettings

client = Client(client_authn_method=CLIENT_AUTHN_METHOD, settings=OicClientSettings(verify_ssl=False))
metadata = client.provider_config(ISSUER)
registered = client.register(
    metadata["registration_endpoint"], redirect_uris=[REDIRECT_URI], jwks_uri="https://app.example/jwks",
    response_types=["code", "code id_token"], application_type="native")
expect(isinstance(registered, RegistrationResponse) and registered["response_types"] == ["code"], "registration")
client.redirect_uris = [REDIRECT_URI]
verifier_arguments, verifier = client.add_code_challenge()
request = client.construct_AuthorizationRequest(request_args={
    "client_id": client.client_id, "response_type": "code", "scope": ["openid", "email"], "state": "s", "nonce": "n",
    "redirect_uri": REDIRECT_URI, **verifier_arguments})
location = browse(request.request(client.authorization_endpoint))
client.parse_response(AuthorizationResponse, info=location.split("?", 1)[1], sformat="urlencoded")
token = client.do_access_token_request(
    state="s", request_args={"redirect_uri": REDIRECT_URI, "code_verifier": verifier},
    authn_method="client_secret_basic")
expect(token["id_token"]["sub"] == "1815", "the code and the ID token")
expect(client.do_user_info_request(state="s")["email"] == "ada@example.com", "userinfo with POST")
