"""A browser without a screen for one loopback server: it keeps cookies, follows nothing by itself, and reads forms."""

import html.parser
import http.cookies
import json
import ssl
import urllib.error
import urllib.parse
import urllib.request


class Page:
    """One answer of the server."""

    def __init__(self, url, response):
        self.url = url
        self.status = response.status
        self.type = response.headers.get_content_type()
        self.text = response.read().decode()
        location = response.headers.get("Location")
        self.location = urllib.parse.urljoin(url, location) if location else None

    def form(self):
        """The fields and buttons of the page's one form, by name; None when the page has no form that is posted."""
        reader = _FormReader()
        reader.feed(self.text)
        return reader.fields

    def fail(self, reason):
        """Ends the program and shows the page."""
        raise SystemExit(f"{reason}: HTTP {self.status} {self.url}\n{self.text[:2000]}")


class Browser:
    """Keeps every cookie it is given and sends it back, which is right for exactly one server."""

    def __init__(self, ca=None):
        self._cookies = {}
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca)),
            _NoRedirect(),
        )

    def get(self, url):
        """The page at the URL."""
        return self._send(urllib.request.Request(url))

    def post_form(self, url, fields):
        """Posts the fields as a form; the Referer is what Django's check against forged requests asks for."""
        body = urllib.parse.urlencode(fields).encode()
        return self._send(urllib.request.Request(url, body, {"Referer": url}))

    def send_json(self, method, url, value):
        """Sends a value as JSON."""
        return self._send(
            urllib.request.Request(url, json.dumps(value).encode(), {"Content-Type": "application/json"}, method=method)
        )

    def _send(self, request):
        if self._cookies:
            request.add_header("Cookie", "; ".join(f"{name}={value}" for name, value in self._cookies.items()))
        try:
            response = self._opener.open(request, timeout=10)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            for line in response.headers.get_all("Set-Cookie", []):
                for name, morsel in http.cookies.SimpleCookie(line).items():
                    self._cookies[name] = morsel.coded_value
            return Page(request.full_url, response)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class _FormReader(html.parser.HTMLParser):
    """Collects the fields of the posted form."""

    def __init__(self):
        super().__init__()
        self.fields = None

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "form" and attributes.get("method") == "post":
            self.fields = {}
        elif tag in ("input", "button") and self.fields is not None and "name" in attributes:
            self.fields[attributes["name"]] = attributes.get("value") or ""
