# ruby-oauth2 with its defaults: no PKCE.
require_relative 'client'
require 'oauth2'

client = OAuth2::Client.new(
  ENV['OAP_CLIENT_ID'], ENV['OAP_CLIENT_SECRET'], site: ENV['OAP_ISSUER'],
  authorize_url: ENV['OAP_AUTHORIZATION_ENDPOINT'], token_url: ENV['OAP_TOKEN_ENDPOINT']
)
code = browse(client.auth_code.authorize_url(redirect_uri: REDIRECT_URI, scope: 'user', state: 's'))
token = client.auth_code.get_token(code, redirect_uri: REDIRECT_URI)
expect(token.get('/user').parsed['login'] == 'ada', 'the code without PKCE')
renewed = token.refresh!
expect(renewed.token != token.token && renewed.get('/user').parsed['login'] == 'ada', 'refresh')
machine = client.client_credentials.get_token(scope: 'user')
expect(machine.get('/user').status == 200, 'client credentials')
