#!/bin/bash
# restic backs up through rclone, which asks oap for the token, to a WebDAV server of Apache that asks the sandbox whose
# token it is.
set -euo pipefail
cd "$HOME"
port=8914
mkdir -p www locks logs kept
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
LoadModule alias_module $modules/mod_alias.so
LoadModule dav_module $modules/mod_dav.so
LoadModule dav_fs_module $modules/mod_dav_fs.so
LoadModule auth_openidc_module $modules/mod_auth_openidc.so
DocumentRoot $HOME/www
DavLockDB $HOME/locks/db
Alias /remote.php/dav/files/ada $HOME/www
OIDCOAuthIntrospectionEndpoint $OAP_INTROSPECTION_ENDPOINT
OIDCOAuthIntrospectionEndpointAuth client_secret_basic
OIDCCABundlePath $SSL_CERT_FILE
OIDCOAuthClientID $OAP_CLIENT_ID
OIDCOAuthClientSecret $OAP_CLIENT_SECRET
<Location />
  AuthType oauth20
  Require valid-user
  Dav On
</Location>
END

apache2 -f "$HOME/httpd.conf" -X &
apache=$!
trap 'kill "$apache"; wait' EXIT
until curl -s -o /dev/null "http://127.0.0.1:$port/"; do kill -0 "$apache"; read -r -t 0.05 < <(:) || true; done
oap login work --issuer "$OAP_ISSUER" --open
oap help recipes | sed -n '/^ *\[files\]/,/^ *END/p' | sed -e '/END/d' -e 's/^ *//' \
    -e "s|https://cloud.example.org|http://127.0.0.1:$port|" > rclone.conf
export RCLONE_CONFIG="$HOME/rclone.conf" RESTIC_PASSWORD=for-tests
unset OAP_CLIENT_ID OAP_CLIENT_SECRET
echo welcome > kept/file
restic -q -r rclone:files:backup init
restic -q -r rclone:files:backup backup kept
restic -q -r rclone:files:backup restore latest --target restored
grep -q welcome restored/kept/file || { cat logs/error.log; exit 1; }
echo 'ok: a backup of restic, and its restoration, with the token that rclone asks for'
[ -f "$HOME/www/backup/config" ]
[ "$(curl -s -o /dev/null -w '%{http_code}' "http://127.0.0.1:$port/remote.php/dav/files/ada/backup/config")" = 401 ]
echo 'ok: the server wants the token'
