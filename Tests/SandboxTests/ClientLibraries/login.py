"""What both clients do alike: the document that the sandbox printed, the browser's part, and what is expected."""

import json
import os
import sys
import urllib.parse
import urllib.request

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

SANDBOX = json.load(sys.stdin)
REDIRECT_URI = "http://127.0.0.1:8912/callback"
SCOPE = "openid email repo"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments):
        return None


def browse(url):
    """Opens the URL as a browser would, and returns where it is sent."""
    try:
        urllib.request.build_opener(NoRedirect).open(url)
    except urllib.error.HTTPError as answer:
        assert answer.code == 303, answer.read()
        return answer.headers["Location"]
    raise AssertionError("the authorization endpoint did not redirect")


def public():
    """The client without a secret."""
    return {**SANDBOX, "client_id": "sandbox-public", "client_secret": None, "token_endpoint_auth_method": "none"}


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print(f"ok: {what}")
