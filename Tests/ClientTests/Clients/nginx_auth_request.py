"""nginx lets in whom the API knows (auth_request), and passes on the host that it was asked for, without the port."""

import os
import pathlib
import subprocess
import urllib.error
import urllib.request

from sandbox import ISSUER, expect
from server import free_port, running

here, port = pathlib.Path.cwd(), free_port()
(here / "page").write_text("welcome")
(here / "nginx.conf").write_text(f"""
{"user root;" if os.geteuid() == 0 else ""}
daemon off;
pid {here}/pid;
error_log stderr;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {here}/body;
    proxy_temp_path {here}/proxy;
    fastcgi_temp_path {here}/fastcgi;
    uwsgi_temp_path {here}/uwsgi;
    scgi_temp_path {here}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            auth_request /known;
            root {here};
        }}
        location = /known {{
            internal;
            proxy_pass {ISSUER}/user;
            proxy_pass_request_body off;
            proxy_set_header Content-Length "";
            proxy_set_header Host $host;
        }}
    }}
}}
""")


def get(headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/page", headers=headers)
    try:
        answer = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refused:
        answer = refused
    return answer.status, answer.headers["WWW-Authenticate"], answer.read()


issued = subprocess.run(
    ["oap", "exchange", "-n", "--grant", "client_credentials", "--jq", ".access_token", "-r"], check=True,
    capture_output=True, text=True)
token = issued.stdout.strip()
with running(["nginx", "-p", here, "-e", "stderr", "-c", here / "nginx.conf"], port):
    status, _, page = get({"Authorization": f"Bearer {token}"})
    expect((status, page) == (200, b"welcome"), "the page with a token of the sandbox")
    status, challenge, _ = get({})
    expect(status == 401 and challenge.startswith("Bearer"), "the challenge of the sandbox without a token")
    status, challenge, _ = get({"Authorization": "Bearer another"})
    expect(status == 401 and "invalid_token" in challenge, "the challenge with another token")
