"""joserfc and oap judge each other: signatures, thumbprints, and what is encrypted. `oap` is the first argument."""

import http.server
import json
import os
import subprocess
import sys
import threading
import time
import urllib.parse
import warnings

from joserfc import jwe, jwk, jwt
from joserfc.errors import BadSignatureError

# The name EdDSA, which servers will use for long.
warnings.filterwarnings("ignore", message="EdDSA is deprecated")

OAP, FOLDER = sys.argv[1:]
SECRET = "a-secret-that-is-long-enough-for-each-digest-of-HMAC-with-SHA-512"
ISSUER, CLIENT = "https://as.example", "client"
KINDS = {"RS": ("RSA", 2048), "PS": ("RSA", 2048), "ES256": ("EC", "P-256"), "ES384": ("EC", "P-384"),
         "ES512": ("EC", "P-521"), "Ed": ("OKP", "Ed25519")}
SIGNING = [f"{kind}{size}" for kind in ("RS", "PS", "ES") for size in (256, 384, 512)] + ["EdDSA", "Ed25519"]
ENCRYPTING = [("RSA-OAEP", "RSA"), ("RSA-OAEP-256", "RSA")] + [
    (name, curve) for name in ("ECDH-ES", "ECDH-ES+A128KW", "ECDH-ES+A192KW", "ECDH-ES+A256KW") for curve in ("P-256", "P-384", "P-521")]
CONTENT = ["A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A128GCM", "A192GCM", "A256GCM"]
made = {}


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print(f"ok: {what}")


def oap(*arguments, text=None, status=0):
    run = subprocess.run([OAP, *arguments], input=text, capture_output=True, text=True)
    if run.returncode != status:
        sys.exit(f"failed: {arguments}: {run.returncode}\n{run.stdout}{run.stderr}")
    return run.stdout.strip()


def file(name, content):
    path = os.path.join(FOLDER, name)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as opened:
        opened.write(content if isinstance(content, str) else json.dumps(content))
    return path


def key_of(*kind):
    """A key of joserfc; one for each type, since those of RSA take long."""
    if kind not in made:
        made[kind] = jwk.generate_key(*kind, private=True)
    return made[kind]


def key_for(algorithm):
    return key_of(*next(kind for name, kind in KINDS.items() if algorithm.startswith(name)))


def claims():
    now = int(time.time())
    return {"iss": ISSUER, "aud": CLIENT, "sub": "ada", "iat": now, "exp": now + 60}


def document(**members):
    return json.dumps({"issuer": ISSUER, "client_id": CLIENT} | members)


def verified(token, keys, status=0, **members):
    """What `oap verify` says of an ID token."""
    path = file("keys", {"keys": keys})
    return oap("verify", "--jwks-file", path, text=document(id_token=token, **members), status=status)


def spoiled(token):
    """The same token for somebody else."""
    header, payload, signature = token.split(".")
    return ".".join([header, jwt.encode({"alg": "HS256"}, claims() | {"sub": "eve"}, hmac).split(".")[1], signature])


class TokenEndpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers["Content-Length"])
        TokenEndpoint.form = urllib.parse.parse_qs(self.rfile.read(length).decode())
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"access_token": "a", "token_type": "Bearer"}')

    def log_message(self, *arguments):
        pass


def judge_signature(algorithm):
    key = key_for(algorithm)
    public = key.as_dict(private=False)
    theirs = jwt.encode({"alg": algorithm}, claims(), key, [algorithm])
    expected = json.loads(verified(theirs, [public], id_token_signed_response_alg=algorithm))
    verified(spoiled(theirs), [public], status=9, id_token_signed_response_alg=algorithm)
    # The algorithm is a property of the key (RFC 8725 section 3.1).
    path = file("key", key.as_dict(private=True) | {"alg": algorithm})
    ours = oap("jwt", "-n", "--client-key-file", path, "--claim", "sub=ada")
    decoded = jwt.decode(ours, key, [algorithm])
    try:
        jwt.decode(spoiled(ours), key, [algorithm])
        refused = False
    except BadSignatureError:
        refused = True
    pem = key.as_pem(private=True).decode()
    expect(
        expected["sub"] == decoded.claims["sub"] == "ada" and decoded.header["alg"] == algorithm and refused
        and oap("jwk", "thumbprint", text=pem) == key.thumbprint(),
        f"{algorithm}, both ways")


def judge_generated(algorithm):
    """A key that oap makes: joserfc takes it, and sees the same thumbprint and the same public half."""
    text = oap("jwk", "new", "--alg", algorithm)
    key = jwk.import_key(json.loads(text))
    public = json.loads(oap("jwk", "public", text=text))
    expect(
        key.thumbprint() == oap("jwk", "thumbprint", text=text) == public["kid"]
        and key.as_dict(private=False).items() <= public.items(),
        f"the key of {algorithm}, and its thumbprint")


def judge_secret(size):
    algorithm = f"HS{size}"
    theirs = jwt.encode({"alg": algorithm}, claims(), hmac, [algorithm])
    members = {"client_secret": SECRET, "id_token_signed_response_alg": algorithm}
    expected = json.loads(verified(theirs, [], **members))
    verified(theirs, [], status=9, **members | {"client_secret": SECRET[::-1]})
    # oap signs with a secret where it authenticates.
    with http.server.HTTPServer(("127.0.0.1", 0), TokenEndpoint) as server:
        threading.Thread(target=server.handle_request).start()
        oap("exchange", "--grant", "client_credentials", text=document(
            token_endpoint=f"http://127.0.0.1:{server.server_port}/", client_secret=SECRET,
            token_endpoint_auth_method="client_secret_jwt", token_endpoint_auth_signing_alg=algorithm))
    ours = jwt.decode(TokenEndpoint.form["client_assertion"][0], hmac, [algorithm])
    expect(
        expected["sub"] == "ada" and ours.claims["iss"] == ours.claims["sub"] == CLIENT, f"{algorithm}, both ways")


def judge_encryption(algorithm, kind):
    key = key_of("RSA", 2048) if kind == "RSA" else key_of("EC", kind)
    path = file("enc", key.as_dict(private=True) | {"use": "enc"})
    signer = key_of("EC", "P-256")
    inner = jwt.encode({"alg": "ES256"}, claims(), signer)
    for content in CONTENT:
        header = {"alg": algorithm, "enc": content, "cty": "JWT"}
        token = jwe.encrypt_compact(header, inner, key, [algorithm, content])
        members = {
            "client_key_file": path, "id_token_encrypted_response_alg": algorithm,
            "id_token_encrypted_response_enc": content, "id_token_signed_response_alg": "ES256"}
        opened = json.loads(verified(token, [signer.as_dict(private=False)], **members))
        # The tag, of which the last character may not count.
        changed = token[:-3] + ("A" if token[-3] != "A" else "B") + token[-2:]
        verified(changed, [signer.as_dict(private=False)], status=9, **members)
        expect(opened["sub"] == "ada", f"{algorithm} with {kind} and {content}")


hmac = jwk.import_key(SECRET, "oct")
for algorithm in SIGNING:
    judge_signature(algorithm)
for algorithm in ["RS256", "ES256", "ES384", "ES512", "EdDSA", "Ed25519", "ECDH-ES", "RSA-OAEP-256"]:
    judge_generated(algorithm)
for size in (256, 384, 512):
    judge_secret(size)
for algorithm, kind in ENCRYPTING:
    judge_encryption(algorithm, kind)
