"""httpx-oauth's OpenID client with its defaults: no PKCE."""

import asyncio

from sandbox import ISSUER, REDIRECT_URI, SANDBOX, browse, expect
from urllib.parse import parse_qs, urlsplit

from httpx_oauth.clients.openid import OpenID


async def main():
    client = OpenID(
        SANDBOX["client_id"], SANDBOX["client_secret"], ISSUER + "/.well-known/openid-configuration",
        base_scopes=["openid", "email"])
    location = browse(await client.get_authorization_url(REDIRECT_URI, state="s"))
    token = await client.get_access_token(parse_qs(urlsplit(location).query)["code"][0], REDIRECT_URI)
    expect(await client.get_id_email(token["access_token"]) == ("1815", "ada@example.com"), "the code and userinfo")
    renewed = await client.refresh_token(token["refresh_token"])
    expect(renewed["access_token"] != token["access_token"], "refresh")


asyncio.run(main())
