#!/bin/bash
# rclone's own login, as `rclone config` does it: without PKCE, in the browser that xdg-open finds.
set -euo pipefail
export RCLONE_CONFIG="$HOME/rclone.conf"
unset DISPLAY WAYLAND_DISPLAY
# rclone listens on port 53682 only. Another connection of the machine may have this port for a while.
for attempt in {1..30}; do
    timeout 60 rclone config create storage box client_id="$OAP_CLIENT_ID" client_secret="$OAP_CLIENT_SECRET" \
        auth_url="$OAP_AUTHORIZATION_ENDPOINT" token_url="$OAP_TOKEN_ENDPOINT" > "$HOME/rclone.log" 2>&1 && break
    if [ "$attempt" = 30 ] || ! grep -q 'address already in use' "$HOME/rclone.log"; then
        cat "$HOME/rclone.log"
        exit 1
    fi
    sleep 3
done
token="$(sed -n 's/^token = //p' "$RCLONE_CONFIG" | jq -r .access_token)"
[ "$(curl -fsS -H "Authorization: Bearer $token" "$OAP_API_BASE/user" | jq -r .login)" = ada ]
echo 'ok: the login without PKCE, and a token that the API takes'
