#!/usr/bin/env bash
# The whole pipeline in a minute, against a sandbox on this machine: no account, no network, no browser.
# Installs what is missing (Debian packages), builds, and shows each command before its output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(curl jq libcurl4-openssl-dev libjq-dev libmicrohttpd-dev libqrencode-dev libssl-dev)
missing=()
for package in "${packages[@]}"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null)" = installed ] ||
        missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    root=()
    [ "$(id -u)" -eq 0 ] || root=(sudo)
    "${root[@]}" apt-get update --quiet=2
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}"
fi
for product in oap oap-sandbox; do
    swift build -c release --static-swift-stdlib --disable-local-rpath --product "$product"
done
PATH="$PWD/.build/release:$PATH"

# The sandbox prints its client document first, and ends when nobody reads its output any more.
folder="$(mktemp -d)"
cd "$folder"
mkfifo sandbox
oap-sandbox > sandbox 2> /dev/null &
sandbox=$!
trap 'kill "$sandbox" 2> /dev/null || true; wait "$sandbox" 2> /dev/null || true; rm -rf "$folder"' EXIT
exec 3< sandbox
IFS= read -r client <&3
printf '%s\n' "$client" > client.json

# show COMMAND: prints a command as a person would type it, and runs it.
show() {
    printf '\n$ %s\n' "$1"
    eval "$1"
}

show 'oap authurl --scope "openid email repo" < client.json > flow.json'
show 'jq -r .authorization_url flow.json'
echo
echo '# A person would open this URL. The sandbox consents at once, so curl can be the browser:'
show 'redirected=$(curl -s -o redirect.txt -w "%{redirect_url}" "$(jq -r .authorization_url flow.json)")'
show 'oap callback-parse "$redirected" < flow.json | oap exchange -o token.json'
show 'oap call /user --jq .login -r < token.json'
show 'oap call "/user/repos?per_page=3" --jq ".[].full_name" -r < token.json'
show 'oap refresh -o token.json < token.json'
show 'oap call /user --jq .login -r < token.json'
