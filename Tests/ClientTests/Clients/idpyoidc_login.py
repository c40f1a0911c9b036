"""idpyoidc's relying party, which registers by itself and always sends a jwks_uri."""

from sandbox import ISSUER, REDIRECT_URI, browse, expect
from urllib.parse import parse_qsl

from idpyoidc.client.rp_handler import RPHandler

handler = RPHandler(
    base_url="http://127.0.0.1:8912",
    client_configs={"sandbox": {
        "issuer": ISSUER, "redirect_uris": [REDIRECT_URI], "client_type": "oidc",
        "preference": {"response_types_supported": ["code"]},
        "add_ons": {"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                             "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}}}}},
    httpc_params={"verify": False})
url = handler.begin("sandbox")
answer = dict(parse_qsl(browse(url if isinstance(url, str) else url["url"]).split("?", 1)[1]))
expect(answer.get("code"), "registration and the code")
result = handler.finalize(answer.get("iss", ISSUER), answer)
expect("error" not in result and result["userinfo"]["sub"] == "1815", "the ID token and userinfo")
