"""Authlib's integration in Flask with its defaults: discovery, no PKCE."""

from sandbox import ISSUER, SANDBOX, browse, expect
from urllib.parse import urlsplit

from authlib.integrations.flask_client import OAuth
from flask import Flask, url_for

app = Flask(__name__)
app.secret_key = "for-tests"
oauth = OAuth(app)
oauth.register(
    "sandbox", client_id=SANDBOX["client_id"], client_secret=SANDBOX["client_secret"],
    server_metadata_url=ISSUER + "/.well-known/openid-configuration", client_kwargs={"scope": "openid email"})


@app.route("/login")
def login():
    return oauth.sandbox.authorize_redirect(url_for("callback", _external=True))


@app.route("/callback")
def callback():
    token = oauth.sandbox.authorize_access_token()
    user = oauth.sandbox.userinfo(token=token)
    return {"sub": token["userinfo"]["sub"], "email": user["email"]}


browser = app.test_client()
where = "http://127.0.0.1:8912"
location = browse(browser.get("/login", base_url=where).headers["Location"])
answer = browser.get("/callback?" + urlsplit(location).query, base_url=where).get_json()
expect(answer["sub"] == "1815", "discovery, the code and the ID token")
expect(answer["email"] == "ada@example.com", "userinfo")
