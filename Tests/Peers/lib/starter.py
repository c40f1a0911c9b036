"""What both starters do: settings from the environment, keys, a description of the server, and an orderly end."""

import base64
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading

HOST = "127.0.0.1"
USER = {"username": "alice", "password": "correct-horse-battery"}
# Every character in it is changed by form encoding or has a meaning in HTTP Basic (RFC 6749 §2.3.1).
ODD_SECRET = "s3cret:with/odd+chars%"
REDIRECT_URI = "http://127.0.0.1:8765/callback"
REDIRECT_URIS = [REDIRECT_URI, "http://127.0.0.1/callback", "http://[::1]/callback", "com.example.app:/callback"]
REDIRECT_URIS += os.environ.get("MORE_REDIRECT_URIS", "").split()

TLS = os.environ.get("TLS") == "1"
ROTATE = os.environ.get("ROTATE", "1") == "1"
ACCESS_TOKEN_SECONDS = int(os.environ.get("ACCESS_TOKEN_SECONDS", "3600"))
DEVICE_INTERVAL = int(os.environ.get("DEVICE_INTERVAL", "5"))
DEVICE_SECONDS = int(os.environ.get("DEVICE_SECONDS", "600"))


def state_folder():
    """The folder given as the only operand, made when it is not there."""
    if len(sys.argv) != 2:
        raise SystemExit(f"usage: {sys.argv[0]} STATE_DIR")
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def installed(name):
    """Where `Tests/Peers/install` has put the software of this name."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = pathlib.Path(cache, "oap-tests", name)
    if not folder.is_dir():
        raise SystemExit(f"{name} is not there: run Tests/Peers/install")
    return folder


def base_url(port):
    """The server's root URL."""
    return f"{'https' if TLS else 'http'}://{HOST}:{port}"


def openssl(*arguments):
    """Runs openssl and gives back its standard output."""
    return subprocess.run(
        ["openssl", *map(str, arguments)], check=True, stdin=subprocess.DEVNULL, capture_output=True
    ).stdout


def rsa_key(path):
    """Makes an RSA key, PEM, and gives back its public JWK (RFC 7518 §6.3)."""
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", path)
    modulus = openssl("rsa", "-in", path, "-noout", "-modulus").decode().strip().removeprefix("Modulus=")
    return {"kty": "RSA", "n": _base64url(bytes.fromhex(modulus)), "e": "AQAB", "alg": "RS256", "kid": path.stem}


def ec_key(path):
    """Makes a P-256 key, PEM, and gives back its public JWK (RFC 7518 §6.2)."""
    openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path)
    point = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")[-64:]
    x, y = _base64url(point[:32]), _base64url(point[32:])
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y, "alg": "ES256", "kid": path.stem}


def certificate_key(path):
    """The JWK of a certificate with an EC key, which has the certificate in it (RFC 7517 §4.7)."""
    der = openssl("x509", "-in", path, "-outform", "DER")
    public = path.with_suffix(".pub")
    public.write_bytes(openssl("x509", "-in", path, "-noout", "-pubkey"))
    point = openssl("pkey", "-pubin", "-in", public, "-outform", "DER")[-64:]
    x, y = _base64url(point[:32]), _base64url(point[32:])
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y, "x5c": [base64.b64encode(der).decode()]}


def make_certificates(folder):
    """Makes a throw-away authority, and a certificate for the server and one for a client, signed by it; also two that
    sign themselves, `own` and `stranger`, which TLS takes since `clients-ca.pem` has them beside the authority."""
    leaf = ("-CA", folder / "ca.pem", "-CAkey", folder / "ca.key", "-addext", "basicConstraints=critical,CA:FALSE")
    _certificate(folder, "ca", "keyUsage=critical,keyCertSign", "-addext", "basicConstraints=critical,CA:TRUE")
    _certificate(folder, "server", "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost", *leaf)
    _certificate(folder, "client", "subjectAltName=DNS:client.test", *leaf)
    for name in ("own", "stranger"):
        _certificate(folder, name, f"subjectAltName=DNS:{name}.test")
    trusted = [(folder / f"{name}.pem").read_text() for name in ("ca", "own", "stranger")]
    (folder / "clients-ca.pem").write_text("".join(trusted))


def describe(state, name, metadata, clients, quirks):
    """Writes the description that `authorize` reads, and prints it as one line: now the server can be used."""
    for client in clients:
        client.setdefault("redirect_uri", REDIRECT_URI)
    description = {
        "name": name,
        "metadata": metadata,
        "clients": {client["client_id"]: client for client in clients},
        "user": USER,
        "ca": str(state / "ca.pem") if TLS else None,
        "quirks": quirks,
    }
    line = json.dumps(description)
    (state / "description.json").write_text(line)
    print(line, flush=True)


def end_in_order():
    """From here on SIGTERM, SIGINT, and the end of standard input raise SystemExit in the main thread.

    So a server never outlives the test that started it, however that test ended.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    threading.Thread(target=_watch_input, daemon=True).start()


def ignore_signals():
    """Nothing interrupts the clearing up that follows."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)


def _watch_input():
    try:
        while os.read(0, 4096):
            pass
    finally:  # a standard input that was closed from the start is at its end too
        os.kill(os.getpid(), signal.SIGTERM)


def _certificate(folder, name, extension, *more):
    openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
        "-subj", f"/CN=oap tests {name}", "-addext", extension,
        "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem", *more,
    )


def _base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
