"""A page of another origin in Chromium: its script discovers the server, trades a code, and calls userinfo and the API."""

from sandbox import ISSUER, REDIRECT_URI, SANDBOX, browse, expect
from urllib.parse import parse_qs, urlencode, urlsplit

import html
import http.server
import json
import re
import subprocess
import tempfile
import threading

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
PAGE = """<!DOCTYPE html><title>app</title><pre></pre><script>
const answer = async (url, options) => (await fetch(url, options)).json();
(async () => {
  const seen = {};
  try {
    const server = await answer("%s/.well-known/openid-configuration");
    seen.keys = (await answer(server.jwks_uri)).keys.length;
    const token = await answer(server.token_endpoint, {method: "POST", body: new URLSearchParams(%s)});
    const headers = {Authorization: "Bearer " + token.access_token};
    seen.email = (await answer(server.userinfo_endpoint, {headers})).email;
    seen.login = (await answer(server.issuer + "/user", {headers})).login;
    const refused = await fetch(server.issuer + "/user");
    seen.challenge = refused.headers.get("WWW-Authenticate").split(" ")[0];
  } catch (error) { seen.failure = String(error); }
  document.querySelector("pre").textContent = JSON.stringify(seen);
})();
</script>"""

request = {"response_type": "code", "client_id": "sandbox-public", "redirect_uri": REDIRECT_URI,
           "scope": "openid email", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
           "code_challenge_method": "S256"}
code = parse_qs(urlsplit(browse(SANDBOX["authorization_endpoint"] + "?" + urlencode(request))).query)["code"][0]
form = {"grant_type": "authorization_code", "client_id": "sandbox-public", "redirect_uri": REDIRECT_URI, "code": code,
        "code_verifier": VERIFIER}
page = (PAGE % (ISSUER, json.dumps(form))).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(page)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
with tempfile.TemporaryDirectory() as profile:
    shown = subprocess.run(
        ["chromium", "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", f"--user-data-dir={profile}",
         "--virtual-time-budget=20000", "--dump-dom", f"http://127.0.0.1:{server.server_port}/"],
        capture_output=True, text=True, timeout=50)
found = re.search("<pre>(.+)</pre>", shown.stdout)
expect(found, f"the page: {shown.stdout} {shown.stderr[-500:]}" if not found else "the page")
seen = json.loads(html.unescape(found.group(1)))
expect(seen == {"keys": 1, "email": "ada@example.com", "login": "ada", "challenge": "Bearer"}, f"what it read: {seen}")
