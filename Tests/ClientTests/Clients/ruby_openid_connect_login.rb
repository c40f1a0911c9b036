# ruby-openid-connect: discovery, a registration of its own, no PKCE, and RS256.
require_relative 'client'
require 'openid_connect'

# Without it, it asks for https.
SWD.url_builder = URI::HTTP

server = OpenIDConnect::Discovery::Provider::Config.discover!(ENV['OAP_ISSUER'])
registered = OpenIDConnect::Client::Registrar.new(
  server.registration_endpoint, client_name: 'Ruby', application_type: 'native', redirect_uris: [REDIRECT_URI]
).register!
expect(registered.identifier && registered.identifier != ENV['OAP_CLIENT_ID'], 'discovery and registration')
client = OpenIDConnect::Client.new(
  identifier: registered.identifier, secret: registered.secret, redirect_uri: REDIRECT_URI,
  authorization_endpoint: server.authorization_endpoint, token_endpoint: server.token_endpoint,
  userinfo_endpoint: server.userinfo_endpoint
)
client.authorization_code = browse(client.authorization_uri(scope: %w[openid email], state: 's', nonce: 'n'))
token = client.access_token!
claims = OpenIDConnect::ResponseObject::IdToken.decode(token.id_token, server.jwks)
claims.verify!(issuer: server.issuer, client_id: registered.identifier, nonce: 'n')
expect(claims.sub == '1815', 'the code and the ID token')
expect(token.userinfo!.email == 'ada@example.com', 'userinfo')
