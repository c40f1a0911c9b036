#!/usr/bin/env bash
# The whole pipeline in a minute, against a sandbox on this machine: no account, no network, no browser.
# Installs what is missing (Debian packages), builds, and shows each command before its output.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    printf 'quickstart.sh: %s\n' "$1" >&2
    exit 1
}

packages=(curl jq libcurl4-openssl-dev libjq-dev libmicrohttpd-dev libqrencode-dev libssl-dev)
missing=()
for package in "${packages[@]}"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null)" = installed ] ||
        missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    root=()
    if [ "$(id -u)" -ne 0 ]; then
        [ -n "$(command -v sudo)" ] || fail "packages are missing; as root: apt-get install ${missing[*]}"
        root=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${root[@]}" apt-get update --quiet=2
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends \
        -o DPkg::Lock::Timeout=120 "${missing[@]}"
fi
[ -n "$(command -v swift)" ] || fail "swift is not on the PATH; https://www.swift.org/install/linux has it"
OAP_PROGRAMS=1 swift build -c release --static-swift-stdlib --disable-local-rpath

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
export PATH="$PWD/.build/release:$PATH"
cd "$folder"

# What a person would type into the shell of the sandbox, with a remark where it needs one.
cat > session << 'EOF'
cp "$OAP_SANDBOX_FILE" client.json
oap authurl --scope 'openid email repo' < client.json > flow.json
jq -r .authorization_url flow.json
# A person would open this URL. The sandbox asks nothing, so that curl can be the browser:
redirected=$(curl -s -o page.html -w '%{redirect_url}' "$(jq -r .authorization_url flow.json)")
oap callback-parse "$redirected" < flow.json | oap exchange -o token.json
oap call /user --jq .login -r < token.json
oap call '/user/repos?per_page=3' --jq '.[].full_name' -r < token.json
oap refresh -o token.json < token.json
oap call /user --jq .login -r < token.json
EOF

# The sandbox ends with the command that it runs, and with its exit status.
printf '\n$ oap-sandbox --run bash\n'
oap-sandbox --run bash -euo pipefail -c '
    while IFS= read -r line <&3; do
        case "$line" in
            "#"*) printf "\n%s\n" "$line" ;;
            *)
                printf "\n\$ %s\n" "$line"
                eval "$line"
                ;;
        esac
    done 3< session'
