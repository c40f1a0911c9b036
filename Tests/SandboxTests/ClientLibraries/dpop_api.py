"""dpop_api.py NONCES COMMAND [ARGUMENT ...]: runs a command beside an API whose tokens come from the sandbox. joserfc judges
the proofs (RFC 9449 section 4.3), the sandbox's introspection says which key a token is bound to. Each nonce is good once,
and each answer has a new one; with NONCES `any`, all that were given out and not used are good, with `newest`, the last one
alone. The command finds the API by the variable API; at its end the last line is what the API has judged."""

import base64
import hashlib
import http.server
import json
import os
import secrets
import subprocess
import sys
import threading
import time

from joserfc import jws
from joserfc.jwk import ECKey
import requests

SANDBOX = json.load(open(os.environ["OAP_SANDBOX_FILE"]))
FILE = bytes(range(251)) * 8000
PAGES = 5


class Refused(Exception):
    pass


class State:
    lock = threading.Lock()
    nonces = []
    identifiers = set()
    keys = {}
    counts = {"accepted": 0, "use_dpop_nonce": 0, "invalid_dpop_proof": 0, "invalid_token": 0}


def digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def key_of(token):
    """The thumbprint of the key that the token is bound to."""
    if token not in State.keys:
        client = (SANDBOX["client_id"], SANDBOX["client_secret"])
        answer = requests.post(SANDBOX["introspection_endpoint"], data={"token": token}, auth=client).json()
        State.keys[token] = answer.get("cnf", {}).get("jkt") if answer["active"] else None
    return State.keys[token]


def check(condition, error):
    if not condition:
        raise Refused(error)


def judge(method, url, fields):
    scheme, _, token = (fields.get("Authorization") or "").partition(" ")
    check(scheme == "DPoP" and token, "invalid_token")
    proofs = fields.get_all("DPoP") or []
    check(len(proofs) == 1, "invalid_dpop_proof")
    header = json.loads(base64.urlsafe_b64decode(proofs[0].split(".")[0] + "=="))
    check(set(header) == {"typ", "alg", "jwk"} and header["typ"] == "dpop+jwt", "invalid_dpop_proof")
    key = ECKey.import_key(header["jwk"])
    check(not key.is_private, "invalid_dpop_proof")
    registry = jws.JWSRegistry(algorithms=["ES256"], strict_check_header=False)
    claims = json.loads(jws.deserialize_compact(proofs[0], key, registry=registry).payload)
    check((claims["htm"], claims["htu"]) == (method, url.split("?")[0]), "invalid_dpop_proof")
    check(claims["ath"] == digest(token) and abs(claims["iat"] - time.time()) <= 5, "invalid_dpop_proof")
    check(key_of(token) == key.thumbprint(), "invalid_token")
    with State.lock:
        check(claims["jti"] not in State.identifiers, "invalid_dpop_proof")
        State.identifiers.add(claims["jti"])
        good = State.nonces if sys.argv[1] == "any" else State.nonces[-1:]
        check(claims.get("nonce") in good, "use_dpop_nonce")
        State.nonces.remove(claims["nonce"])


class API(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    is_judged = False

    def answer(self, status, content, fields=()):
        nonce = secrets.token_urlsafe(12)
        with State.lock:
            State.nonces.append(nonce)
        self.send_response(status)
        for name, value in [("Content-Length", str(len(content))), ("DPoP-Nonce", nonce), *fields]:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def is_allowed(self):
        try:
            error = "invalid_dpop_proof"
            judge(self.command, os.environ["API"] + self.path, self.headers)
            error = "accepted"
        except Refused as refusal:
            error = str(refusal)
        except Exception as failure:
            self.log_error("%r", failure)
        with State.lock:
            State.counts[error] += 1
        if error != "accepted":
            self.answer(401, b"", [("WWW-Authenticate", f'DPoP error="{error}", algs="ES256"')])
        return error == "accepted"

    def handle_expect_100(self):
        # The refusal comes before the content is sent, which is no next request.
        self.is_judged = self.is_allowed()
        self.close_connection = not self.is_judged
        return self.is_judged and super().handle_expect_100()

    def do_GET(self):
        if not self.is_allowed():
            return
        path, _, query = self.path.partition("?")
        if path == "/file":
            start = int((self.headers["Range"] or "bytes=0-").removeprefix("bytes=").split("-")[0])
            fields = [("ETag", '"v1"'), ("Content-Range", f"bytes {start}-{len(FILE) - 1}/{len(FILE)}")]
            return self.answer(206 if start else 200, FILE[start:], fields if start else fields[:1])
        page = int(query.removeprefix("page=") or 1)
        link = [("Link", f'</list?page={page + 1}>; rel="next"')] if page < PAGES and path == "/list" else []
        self.answer(200, json.dumps([page]).encode(), [("Content-Type", "application/json"), *link])

    def content(self):
        if self.headers["Content-Length"]:
            yield self.rfile.read(int(self.headers["Content-Length"]))
            return
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def do_POST(self):
        received = hashlib.sha256()
        for piece in self.content():
            received.update(piece)
        is_judged, self.is_judged = self.is_judged, False
        if is_judged or self.is_allowed():
            self.answer(200, received.hexdigest().encode())

    def log_request(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), API)
server.daemon_threads = True
os.environ["API"] = f"http://127.0.0.1:{server.server_port}"
threading.Thread(target=server.serve_forever, daemon=True).start()
status = subprocess.run(sys.argv[2:]).returncode
print(json.dumps(State.counts), flush=True)
sys.exit(status)
