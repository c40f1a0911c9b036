#!/bin/bash
# mod_auth_openidc with keys: it registers with their address, sends its request in an object, and authenticates by its key.
set -euo pipefail
cd "$HOME"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=client -keyout client.key -out client.pem 2> /dev/null
directives="OIDCPublicKeyFiles $HOME/client.pem
OIDCPrivateKeyFiles $HOME/client.key"
settings="$(jq -n '{token_endpoint_auth: "private_key_jwt", request_object: ({
    request_object_type: "request", crypto: {sign_alg: "RS256"}, copy_from_request: ["client_id", "scope"],
    copy_and_remove_from_request: ["redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method"],
    static: {response_type: "code"}} | tojson)}')"
source "${BASH_SOURCE[0]%/*}/mod_auth_openidc_login.sh"
[ "$(jq -r .jwks_uri metadata/*.client)" = "http://127.0.0.1:$port/callback?jwks=rsa" ]
[ "$(jq -r .token_endpoint_auth_method metadata/*.client)" = private_key_jwt ]
echo 'ok: its keys were fetched where it registered them'
