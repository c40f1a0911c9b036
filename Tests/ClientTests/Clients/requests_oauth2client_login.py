"""requests_oauth2client with its defaults: RS256, PKCE, pushed requests; and a login without a page (CIBA)."""

from sandbox import ISSUER, REDIRECT_URI, SANDBOX, browse, expect

import requests
from requests_oauth2client import BackChannelAuthenticationPollingJob, OAuth2Client

client = OAuth2Client.from_discovery_endpoint(
    issuer=ISSUER, client_id=SANDBOX["client_id"], client_secret=SANDBOX["client_secret"], redirect_uri=REDIRECT_URI,
    backchannel_authentication_endpoint=SANDBOX["backchannel_authentication_endpoint"], testing=True)
request = client.authorization_request(scope="openid email offline_access")
response = request.validate_callback(browse(request.uri))
token = client.authorization_code(response, validate=True)
expect(token.id_token.sub == "1815", "the code and the ID token, signed with the default RS256")
expect(client.userinfo(token)["email"] == "ada@example.com", "userinfo")
expect(client.refresh_token(token).access_token != token.access_token, "refresh")
expect(client.introspect_token(token)["active"], "introspection")
pushed = client.pushed_authorization_request(client.authorization_request(scope="openid"))
expect(pushed.request_uri.startswith("urn:"), "a pushed request")
expect(client.revoke_access_token(token), "revocation")

asked = client.backchannel_authentication_request(scope="openid email", login_hint="ada", binding_message="W4SCT")
job = BackChannelAuthenticationPollingJob(client, asked, interval=1)
while (token := job()) is None:
    pass
expect(client.userinfo(token)["email"] == "ada@example.com", "CIBA, by poll")
