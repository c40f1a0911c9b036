#!/bin/bash
# mod_auth_openidc registers by itself, with what it always asks for, and lets a browser in. Another script may set further
# directives, and settings for the server.
set -euo pipefail
cd "$HOME"
port="$(python3 -c "import socket; print(socket.create_server((\"127.0.0.1\", 0)).getsockname()[1])")"
mkdir -p metadata www logs
echo welcome > www/index.html
modules=/usr/lib/apache2/modules
cat > httpd.conf << END
ServerRoot $HOME
ServerName 127.0.0.1
PidFile $HOME/httpd.pid
ErrorLog $HOME/logs/error.log
Listen 127.0.0.1:$port
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authn_core_module $modules/mod_authn_core.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule authz_user_module $modules/mod_authz_user.so
LoadModule dir_module $modules/mod_dir.so
LoadModule auth_openidc_module $modules/mod_auth_openidc.so
DocumentRoot $HOME/www
DirectoryIndex index.html
OIDCMetadataDir $HOME/metadata
OIDCRedirectURI http://127.0.0.1:$port/callback
OIDCCryptoPassphrase for-tests
OIDCPKCEMethod S256
OIDCScope "openid email"
OIDCCookieSameSite Off
LogLevel auth_openidc:info
${directives:-}
<Location />
  AuthType openid-connect
  Require valid-user
</Location>
END
apache2 -f "$HOME/httpd.conf" -X &
apache=$!
trap 'kill "$apache"; wait' EXIT
until curl -s -o /dev/null "http://127.0.0.1:$port/"; do kill -0 "$apache"; read -r -t 0.05 < <(:) || true; done
# A login that the application is asked for (OpenID Connect Core section 4).
target="$(jq -nr --arg url "http://127.0.0.1:$port/index.html" '$url | @uri')"
issuer="$(jq -nr --arg url "$OAP_ISSUER" '$url | @uri')"
name="$(jq -nr --arg url "${OAP_ISSUER#*://}" '$url | @uri')"
curl -fsS "$OAP_ISSUER/.well-known/openid-configuration" -o "metadata/$name.provider"
if [ -n "${settings:-}" ]; then echo "$settings" > "metadata/$name.conf"; fi
page="$(curl -sS --location --cookie-jar jar --cookie jar --max-time 20 \
    "http://127.0.0.1:$port/callback?iss=$issuer&target_link_uri=$target")"
[ "$page" = welcome ] || { echo "$page"; cat logs/error.log; exit 1; }
echo 'ok: registration, the code with PKCE, the ID token and userinfo'
client="$(cat metadata/*.client)"
[ "$(jq -r '.client_id != "sandbox"' <<< "$client")" = true ]
echo 'ok: it has a client of its own'
