#!/usr/bin/env bash
# Builds oap and checks everything: needs Debian 12 or later, Swift, and root or sudo where a package is missing.
# The last line of its output is `N passed, N failed`; its status is 0 only when nothing failed.
# With --with-clients it also runs programs and libraries of others against oap-sandbox.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
    # what oap is built against
    libcurl4-openssl-dev libjq-dev libmicrohttpd-dev libqrencode-dev libssl-dev
    # what the tests run
    chromium chromium-driver curl desktop-file-utils fish gcc git jose jq libc6-dev libglib2.0-bin mandoc nginx-light
    openssl procps python3-h2 skopeo strace xdg-utils zsh
    # the stores of other programs that tokens are kept in
    dbus gnome-keyring gnupg golang-docker-credential-helpers pass
    # what the servers of Tests/Peers run on
    python3 python3-venv
)

with_clients=
if [ "${1:-}" = --with-clients ]; then
    with_clients=1
    # the clients of Tests/ClientTests, beside those from PyPI
    packages+=(apache2-bin dovecot-core dovecot-imapd getmail6 golang-github-cli-oauth-dev
        golang-github-coreos-go-oidc-dev golang-go golang-golang-x-oauth2-dev isync libapache2-mod-auth-openidc
        libnet-oauth2-perl libsasl2-modules-kdexoauth2 msmtp mutt neomutt oidc-agent-cli rclone restic ruby-oauth2
        ruby-openid-connect)
fi

# Debian has an old one, where none of Kubernetes' own is installed.
command -v kubectl > /dev/null || packages+=(kubernetes-client)

passed=0
failed=0
# No dot in the name: mandoc would take what follows it for a section of the manual.
files="$(mktemp -d "${TMPDIR:-/tmp}/oap-tests-XXXXXX")"
export TMPDIR="$files"

finish() {
    local status=$?
    # What failed is printed again, at the end of a long output.
    if [ -f "$files/failures" ]; then cat "$files/failures"; fi
    rm -rf "$files"
    # Something outside of the checks has ended the script.
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
}
trap finish EXIT

# Runs a command and counts it as one check.
check() {
    local name="$1"
    shift
    echo "--- $name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Installs the packages that are missing. The lists are fetched too when they do not know glewlwyd, of which
# Tests/Peers/install only downloads the package.
install_packages() {
    local missing=() package
    for package in "${packages[@]}"; do
        [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2> /dev/null)" = installed ] ||
            missing+=("$package")
    done
    if [ ${#missing[@]} -eq 0 ] && [ -n "$(apt-cache show glewlwyd 2> /dev/null)" ]; then return; fi
    as_root apt-get update --quiet=2
    [ ${#missing[@]} -eq 0 ] ||
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes \
            --no-install-recommends -o DPkg::Lock::Timeout=120 "${missing[@]}"
}

# Whether the manual pages are the ones that oap prints, and correct mdoc.
check_manual() {
    local page
    mkdir -p "$files/man"
    .build/release/oap help --man-pages "$files/man" || return 1
    .build/release/oap-sandbox --man-page > "$files/man/oap-sandbox.1" || return 1
    diff -ru "$files/man" man || return 1
    for page in man/*; do mandoc -T lint -W warning "$page" || return 1; done
}

# Whether the quick start goes from a client document to the API and a renewed token.
check_quickstart() {
    examples/quickstart.sh > "$files/quickstart" 2>&1 || {
        cat "$files/quickstart"
        return 1
    }
    [ "$(tail -n 1 "$files/quickstart")" = ada ]
}

# Runs swift test with these arguments and reads what it reports: test_status, test_count (passed), test_crash (whether a
# test began and did not end: it has failed) and test_failures (the identifiers of the tests that failed).
swift_test() {
    local events="$files/events" report="$files/report" options=(--kill-after=30)
    if [ -t 0 ]; then options+=(--foreground); fi # so that Ctrl-C reaches the tests
    echo "--- swift test $*"
    rm -f "$events"
    test_status=0
    # Where something crashes, the test run ends there and then instead of writing a backtrace for minutes.
    SWIFT_BACKTRACE=enable=no timeout "${options[@]}" 1800 \
        swift test "$@" --event-stream-output-path "$events" --event-stream-version 0 < /dev/null || test_status=$?
    touch "$events"
    jq --raw-input --null-input '
        [inputs | fromjson?] as $records
        | [$records[] | select(.kind == "event").payload] as $events
        | [$records[] | select(.kind == "test").payload | select(.kind == "function").id] as $functions
        | def of($kind): [$events[] | select(.kind == $kind).testID];
          ($functions - ($functions - of("testEnded"))) as $ended
        | ($functions - ($functions - of("testStarted"))) as $started
        | [$events[] | select(.kind == "issueRecorded" and (.issue.isKnown | not))] as $issues
        | (($started - $ended) + [$issues[].testID] | unique) as $failed
        | {
            skipped: [$events[] | select(.kind == "testSkipped").messages[].text],
            passed: ($ended - $failed | length), failed: $failed, crash: ($started - $ended != []),
            messages: [$issues[] | "FAILED: \(.testID)", "    \(.messages[].text)"]
        }' "$events" > "$report"
    jq --raw-output '.skipped[]' "$report"
    jq --raw-output '.messages[]' "$report" >> "$files/failures"
    test_count="$(jq .passed "$report")"
    test_crash="$(jq .crash "$report")"
    mapfile -t test_failures < <(jq --raw-output '.failed[]' "$report")
    if [ "$test_status" -ne 0 ]; then echo "swift test ended with status $test_status"; fi
}

# Runs swift test with these arguments and counts each test. A run without a test has failed. One, two or three tests that
# fail are run once more, by themselves: a loaded machine makes a timeout expire. The messages of both runs are printed.
run_tests() {
    local again
    swift_test "$@"
    passed=$((passed + test_count))
    if [ "$test_crash" = false ] && [ ${#test_failures[@]} -gt 0 ] && [ ${#test_failures[@]} -le 3 ]; then
        # Without the source location; what is left is a regular expression with all its characters quoted.
        again="$(printf '%s\n' "${test_failures[@]}" | sed -E 's,/[^/]*$,,; s,[^A-Za-z0-9_:/],[&],g' | paste -sd '|')"
        swift_test --skip-build --filter "^($again)"
        passed=$((passed + test_count))
        if [ ${#test_failures[@]} -eq 0 ]; then echo "PASSED AT THE SECOND ATTEMPT: $again" >> "$files/failures"; fi
    fi
    failed=$((failed + ${#test_failures[@]}))
    if [ "$test_count" -eq 0 ] || [ "$test_status" -ne 0 ] && [ ${#test_failures[@]} -eq 0 ]; then failed=$((failed + 1)); fi
}

install_packages
Tests/Peers/install ${with_clients:+--with-clients}
for product in oap oap-sandbox; do
    check "swift build: $product" swift build -c release --static-swift-stdlib --disable-local-rpath --product "$product"
done
check 'swift format' swift format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests
check 'manual pages' check_manual
check 'examples/quickstart.sh' check_quickstart
# The tests that drive the programs take those that are installed, not the debug build: it is slower, and an optimised
# build can fail in ways of its own. The tests are built without debug information, which takes less time.
export OAP_BIN="$PWD/.build/release/oap"
run_tests -Xswiftc -gnone --skip '^ClientTests\.'
[ -z "$with_clients" ] || run_tests --skip-build --filter '^ClientTests\.'
