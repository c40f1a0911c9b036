#!/bin/bash
# rclone's own login, as `rclone config` does it: without PKCE, in the browser that xdg-open finds.
set -euo pipefail
export RCLONE_CONFIG="$HOME/rclone.conf"
unset DISPLAY WAYLAND_DISPLAY
timeout 60 rclone config create storage box client_id="$OAP_CLIENT_ID" client_secret="$OAP_CLIENT_SECRET" \
    auth_url="$OAP_AUTHORIZATION_ENDPOINT" token_url="$OAP_TOKEN_ENDPOINT" > "$HOME/rclone.log" 2>&1 ||
    { cat "$HOME/rclone.log"; exit 1; }
token="$(sed -n 's/^token = //p' "$RCLONE_CONFIG" | jq -r .access_token)"
[ "$(curl -fsS -H "Authorization: Bearer $token" "$OAP_API_BASE/user" | jq -r .login)" = ada ]
echo 'ok: the login without PKCE, and a token that the API takes'
