"""joserfc and Authlib against what the sandbox signs and encrypts for a client, and its authorization details."""

from login import REDIRECT_URI, SANDBOX, SCOPE, browse, expect

import html.parser
import json
import urllib.parse
import urllib.request

from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwe, jwk, jwt
from joserfc.errors import JoseError
import requests

METADATA = requests.get(SANDBOX["issuer"] + "/.well-known/openid-configuration").json()
PAYMENT = {"type": "payment_initiation", "actions": ["initiate"], "instructedAmount": {"currency": "EUR", "amount": "9"}}
ACCOUNTS = {"type": "account_information", "locations": ["https://accounts.example"]}
rsa, ec = jwk.generate_key("RSA", 2048), jwk.generate_key("EC", "P-384")


def keys():
    return jwk.KeySet.import_key_set(requests.get(METADATA["jwks_uri"]).json())


def registered(key=None, **metadata):
    if key:
        metadata["jwks"] = {"keys": [key.as_dict(private=False) | {"kid": "reader", "use": "enc"}]}
    answer = requests.post(METADATA["registration_endpoint"], json={"redirect_uris": [REDIRECT_URI], **metadata})
    return SANDBOX | answer.json()


def session(client):
    return OAuth2Session(
        client["client_id"], client["client_secret"], scope=SCOPE, redirect_uri=REDIRECT_URI,
        code_challenge_method="S256")


def opened(text, key, algorithm, content):
    """The signed JWT in an encrypted one."""
    decrypted = jwe.decrypt_compact(text, key, [algorithm, content])
    expect(decrypted.protected["kid"] == "reader", f"{algorithm} with {content} is for the key of the client")
    return decrypted.plaintext.decode()


def verified(text, algorithm, **claims):
    """The claims of a JWT of the sandbox, which must be those."""
    token = jwt.decode(text, keys(), [algorithm])
    jwt.JWTClaimsRegistry(**{
        name: {"essential": True, **({} if value is None else {"value": value})} for name, value in claims.items()
    }).validate(token.claims)
    return token.claims


class Form(html.parser.HTMLParser):
    """The hidden fields of a page."""

    def __init__(self, page):
        super().__init__()
        self.fields = {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        if tag == "input":
            self.fields[named["name"]] = named["value"]


def response(url, mode):
    """The parameters of the authorization response, where the mode has them."""
    if mode.startswith("form_post"):
        return Form(urllib.request.urlopen(url).read().decode()).fields
    location = urllib.parse.urlsplit(browse(url))
    return dict(urllib.parse.parse_qsl(location.fragment if mode.startswith("fragment") else location.query))


# JWT Secured Authorization Response Mode, section 2.4: the signature, iss, aud and exp; then the parameters inside.
def judge_response(client, mode, algorithm, read=lambda text: text, **change):
    client_session = session(client)
    verifier = generate_token(48)
    url, state = client_session.create_authorization_url(
        SANDBOX["authorization_endpoint"], code_verifier=verifier, response_mode=mode, **change)
    sent = response(url, mode)
    expect(list(sent) == ["response"], f"{mode}: there is one parameter")
    claims = verified(
        read(sent["response"]), algorithm, iss=SANDBOX["issuer"], aud=client["client_id"], exp=None, state=state)
    if change:
        expect(claims["error"] == "invalid_scope" and "code" not in claims, f"{mode}: an error is signed too")
        return
    token = client_session.fetch_token(SANDBOX["token_endpoint"], code=claims["code"], code_verifier=verifier)
    expect(token["access_token"], f"{mode}: the code of a response that {algorithm} signs")


for mode in ("jwt", "query.jwt", "fragment.jwt", "form_post.jwt"):
    judge_response(SANDBOX, mode, "ES256")
judge_response(SANDBOX, "jwt", "ES256", scope="unknown")
judge_response(registered(authorization_signed_response_alg="EdDSA"), "jwt", "EdDSA")
client = registered(
    ec, authorization_encrypted_response_alg="ECDH-ES", authorization_encrypted_response_enc="A256GCM",
    authorization_signed_response_alg="ES256")
judge_response(client, "query.jwt", "ES256", lambda text: opened(text, ec, "ECDH-ES", "A256GCM"))


def login(client, **parameters):
    client_session = session(client)
    verifier = generate_token(48)
    url, _ = client_session.create_authorization_url(
        SANDBOX["authorization_endpoint"], code_verifier=verifier, nonce="n-1", **parameters)
    return client_session, client_session.fetch_token(
        SANDBOX["token_endpoint"], authorization_response=browse(url), code_verifier=verifier)


ways = [(rsa, name) for name in ("RSA-OAEP", "RSA-OAEP-256")] + [
    (ec, name) for name in ("ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A256KW")]
for key, algorithm in ways:
    for content in METADATA["id_token_encryption_enc_values_supported"]:
        client = registered(
            key, id_token_signed_response_alg="ES256", userinfo_signed_response_alg="ES256",
            id_token_encrypted_response_alg=algorithm, id_token_encrypted_response_enc=content,
            userinfo_encrypted_response_alg=algorithm, userinfo_encrypted_response_enc=content)
        client_session, token = login(client)
        claims = verified(
            opened(token["id_token"], key, algorithm, content), "ES256", iss=SANDBOX["issuer"],
            aud=client["client_id"], exp=None, nonce="n-1")
        answer = client_session.get(SANDBOX["userinfo_endpoint"])
        person = verified(
            opened(answer.text, key, algorithm, content), "ES256", iss=SANDBOX["issuer"], aud=client["client_id"])
        expect(
            claims["sub"] == person["sub"] == "1815" and answer.headers["Content-Type"] == "application/jwt",
            "the ID token and the userinfo in them are signed")

client = registered(rsa, userinfo_encrypted_response_alg="RSA-OAEP-256")
client_session, token = login(client)
text = client_session.get(SANDBOX["userinfo_endpoint"]).text
person = json.loads(opened(text, rsa, "RSA-OAEP-256", "A128CBC-HS256"))
expect(person["email"] == "ada@example.com", "userinfo that is encrypted alone, with the default enc")
try:
    jwe.decrypt_compact(text, jwk.generate_key("RSA", 2048), ["RSA-OAEP-256", "A128CBC-HS256"])
    expect(False, "another key does not open it")
except (JoseError, ValueError):
    expect(True, "another key does not open it")

# RFC 9396.
details = [PAYMENT, ACCOUNTS]
client_session, token = login(SANDBOX, authorization_details=json.dumps(details))
expect(token["authorization_details"] == details, "authorization_details in the URL are granted")
answer = client_session.introspect_token(SANDBOX["introspection_endpoint"], token=token["access_token"]).json()
expect(answer["authorization_details"] == details, "introspection has them")
renewed = client_session.refresh_token(SANDBOX["token_endpoint"])
expect(renewed["authorization_details"] == details, "a refresh keeps them")
renewed = client_session.refresh_token(SANDBOX["token_endpoint"], authorization_details=json.dumps([ACCOUNTS]))
expect(renewed["authorization_details"] == [ACCOUNTS], "a refresh may ask for fewer")
try:
    other = json.dumps([PAYMENT | {"actions": ["cancel"]}])
    client_session.refresh_token(SANDBOX["token_endpoint"], authorization_details=other)
    expect(False, "but not for others")
except OAuthError as error:
    expect(error.error == "invalid_authorization_details", "but not for others")
machine = session(SANDBOX)
token = machine.fetch_token(
    SANDBOX["token_endpoint"], grant_type="client_credentials", authorization_details=json.dumps([PAYMENT]))
expect(token["authorization_details"] == [PAYMENT], "client credentials have them")
for wrong in ([{"type": "unknown"}], [{"actions": []}], [PAYMENT | {"actions": "all"}], {"type": "payment_initiation"}):
    url, _ = session(SANDBOX).create_authorization_url(
        SANDBOX["authorization_endpoint"], code_verifier=generate_token(48), authorization_details=json.dumps(wrong))
    sent = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(browse(url)).query))
    expect(sent["error"] == "invalid_authorization_details" and "code" not in sent, f"refused: {json.dumps(wrong)}")
