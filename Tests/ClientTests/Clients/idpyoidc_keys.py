"""idpyoidc's relying party with keys of its own at its jwks_uri: for its request object, and for private_key_jwt."""

from sandbox import ISSUER, REDIRECT_URI, browse, expect

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl

from idpyoidc.client.rp_handler import RPHandler


class Keys(BaseHTTPRequestHandler):
    paths = []

    def do_GET(self):
        self.paths.append(self.path)
        content = json.dumps(handler.keyjar.export_jwks()).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
threading.Thread(target=server.serve_forever, daemon=True).start()
handler = RPHandler(
    base_url=f"http://127.0.0.1:{server.server_port}",
    client_configs={"sandbox": {
        "issuer": ISSUER, "redirect_uris": [REDIRECT_URI], "client_type": "oidc",
        "client_authn_methods": ["private_key_jwt"],
        "preference": {"response_types_supported": ["code"],
                       "token_endpoint_auth_methods_supported": ["private_key_jwt"]},
        "add_ons": {"pkce": {"function": "idpyoidc.client.oauth2.add_on.pkce.add_support",
                             "kwargs": {"code_challenge_length": 64, "code_challenge_method": "S256"}},
                    "jar": {"function": "idpyoidc.client.oauth2.add_on.jar.add_support",
                            "kwargs": {"request_object_signing_alg": "ES256"}}}}},
    httpc_params={"verify": False})
url = handler.begin("sandbox")
url = url if isinstance(url, str) else url["url"]
parameters = dict(parse_qsl(url.split("?", 1)[1]))
expect("request" in parameters and "nonce" not in parameters, "a request object")
answer = dict(parse_qsl(browse(url).split("?", 1)[1]))
expect(answer.get("code"), "registration, and the code for the request object")
# Its assertions leave out the client_id of a registration.
rp = handler.issuer2rp[ISSUER]
rp.client_id = rp.get_context().get_usage("client_id")
result = handler.finalize(answer.get("iss", ISSUER), answer)
expect("error" not in result and result["userinfo"]["sub"] == "1815", "private_key_jwt, the ID token and userinfo")
expect(len(Keys.paths) == 1, "its keys were fetched once")
