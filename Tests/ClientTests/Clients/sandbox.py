"""What all clients here do alike: the document of the sandbox, the browser's part, and what is expected."""

import json
import os
import sys
import urllib.error
import urllib.request

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

SANDBOX = json.load(open(os.environ["OAP_SANDBOX_FILE"]))
ISSUER = SANDBOX["issuer"]
REDIRECT_URI = "http://127.0.0.1:8912/callback"


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


def expect(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")
    print(f"ok: {what}")
