#!/bin/bash
# oidc-agent registers by itself, logs in with a device code, and renews its token.
set -euo pipefail
eval "$(oidc-agent)" > /dev/null
trap 'kill "$OIDCD_PID"' EXIT
mkdir -p "$HOME/.oidc-agent"
export OIDC_ENCRYPTION_PW=for-tests
timeout 60 oidc-gen sandbox --issuer="$OAP_ISSUER" --scope='openid email offline_access' --flow=device \
    --pw-env=OIDC_ENCRYPTION_PW --confirm-yes --no-url-call > "$HOME/oidc-gen.log" 2>&1 < /dev/null ||
    { cat "$HOME/oidc-gen.log"; exit 1; }
echo 'ok: registration and the device grant'
first="$(oidc-token sandbox --scope=email)"
second="$(oidc-token sandbox --scope=email --force-new)"
[ "$first" != "$second" ]
[ "$(curl -fsS -H "Authorization: Bearer $second" "$OAP_API_BASE/user" | jq -r .email)" = ada@example.com ]
echo 'ok: a token of its own, and a renewed one that the API takes'
