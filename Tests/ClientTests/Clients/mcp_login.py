"""The MCP SDK's OAuth client, with the API of the sandbox as the protected resource."""

import asyncio

from sandbox import ISSUER, REDIRECT_URI, browse, expect
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata


class Storage(TokenStorage):
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


storage = Storage()
answers = {}


async def redirect(url):
    answers.update(parse_qs(urlsplit(browse(url)).query))


async def callback():
    return AuthorizationCodeResult(**{name: answers[name][0] for name in ("code", "state", "iss")})


async def main():
    provider = OAuthClientProvider(
        server_url=ISSUER + "/echo", storage=storage, redirect_handler=redirect, callback_handler=callback,
        client_metadata=OAuthClientMetadata(client_name="MCP", redirect_uris=[REDIRECT_URI], scope="user"))
    async with httpx2.AsyncClient(auth=provider) as client:
        answer = await client.post(ISSUER + "/echo", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    expect(answer.status_code == 200 and answer.json()["method"] == "POST", "discovery, registration, login and a call")
    expect(storage.client.client_id != "sandbox" and storage.tokens.refresh_token, "it registered by itself")


asyncio.run(main())
