#!/usr/bin/env bash
# Builds oap and checks everything: needs Debian 12 or later, Swift, and root or sudo where a package is missing.
# The last line of its output is `N passed, N failed`, the one before it says which run it was and how long it took, and
# those before that how long each part of it took; the status is 0 only when nothing failed. What each commit needs runs
# without an option. With more time:
#   --with-clients  also programs and libraries of others against oap-sandbox
#   --all           also those, and all that is `withAll` or larger by `Extent` in the tests: crowds of thousands of
#                   processes, every place of a token, long waits
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(
    # what oap is built against
    libcurl4-openssl-dev libjq-dev libmicrohttpd-dev libqrencode-dev libssl-dev
    # what the tests run
    bindfs chromium chromium-driver curl desktop-file-utils faketime fish gcc git iproute2 jose jq libc6-dev libglib2.0-bin
    mandoc nginx-light openssl procps python3-h2 skopeo strace xdg-utils zsh
    # the stores of other programs that tokens are kept in
    dbus etcd-client etcd-server gnome-keyring gnupg golang-docker-credential-helpers pass
    # a client that judges Tests/Doubles/kubernetes.py, as kubectl does
    python3-kubernetes
    # what the servers of Tests/Peers run on
    python3 python3-venv
)

with_clients=
# Whether the model of the claim has one fault more.
deep=
# The runs of a real fleet, each with a fault.
fleet=(--kill-each 16 --stop-each 16 --random 24)
run='each commit'
case "${1:-}" in
    '') ;;
    --with-clients)
        with_clients=1
        run='each commit, with the clients of others'
        ;;
    --all)
        with_clients=1
        deep=1
        fleet=(--kill-each 1 --stop-each 1 --random 500 --chaos --loops 120 --crowd 5000)
        run='--all'
        export OAP_TESTS=all
        ;;
    *)
        echo "usage: Tests/run.sh [--with-clients | --all]" >&2
        exit 2
        ;;
esac
[ -z "$with_clients" ] ||
    # the clients of Tests/ClientTests, beside those from PyPI, and what runs a batch on several hosts
    packages+=(apache2-bin cron dovecot-core dovecot-imapd getmail6 golang-github-cli-oauth-dev
        golang-github-coreos-go-oidc-dev golang-go golang-golang-x-oauth2-dev isync libapache2-mod-auth-openidc
        libnet-oauth2-perl libsasl2-modules-kdexoauth2 libwrap0
        msmtp munge mutt neomutt oidc-agent-cli openssh-client parallel rclone restic ruby-oauth2 ruby-openid-connect
        slurm-wlm)

# Debian has an old one, where none of Kubernetes' own is installed.
command -v kubectl > /dev/null || packages+=(kubernetes-client)

passed=0
failed=0
# Tests that wait for --all; the tests that failed; how many groups of tests crashed.
waiting=0
failures=()
crashes=0
# No dot in the name: mandoc would take what follows it for a section of the manual.
files="$(mktemp -d "${TMPDIR:-/tmp}/oap-tests-XXXXXX")"
# Tests that run a program as another user give it files below.
chmod go+x "$files"
export TMPDIR="$files"
# The jobs that run beside this script: the name of each by its process group, and the second that it began at.
declare -A jobs=() begun=()

finish() {
    local status=$? group
    trap '' INT TERM
    for group in "${!jobs[@]}"; do kill -TERM -- "-$group" 2> /dev/null || true; done
    for group in "${!jobs[@]}"; do wait "$group" 2> /dev/null || true; done
    # The parts that ended, whose seconds are those of the clock: they ran beside others.
    if [ -f "$files/seconds" ]; then sort --numeric-sort --reverse "$files/seconds"; fi
    # What failed is printed again, at the end of a long output.
    if [ -f "$files/failures" ]; then cat "$files/failures"; fi
    # What the tests had started is killed when they end; until it has ended it may write here.
    for _ in 1 2 3 4; do
        if rm -rf "$files" 2> /dev/null; then break; fi
        sleep 1
    done
    # Something outside of the checks has ended the script.
    if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
    if [ "$waiting" -gt 0 ]; then run+="; $waiting more tests, and larger crowds, with --all"; fi
    echo "run: $run; it took $((SECONDS / 60)) min $((SECONDS % 60)) s"
    echo "$passed passed, $failed failed"
    exit $((failed > 0))
}
trap finish EXIT
trap 'exit 1' INT TERM

# Runs a command beside this script, in a process group of its own and with its output in a file: `start NAME COMMAND…`.
start() {
    local name="$1"
    shift
    mkdir -p "$files/jobs"
    # In a group of its own, a job neither ignores SIGINT, as the tests would then, nor outlives the script.
    set -m
    { "$@" > "$files/jobs/$name" 2>&1 < /dev/null; } &
    jobs[$!]="$name"
    begun[$!]="$SECONDS"
    set +m
}

# Waits for one of the jobs to end, and counts it or its tests.
next_job() {
    local group name status=0
    wait -n -p group "${!jobs[@]}" || status=$?
    name="${jobs[$group]}"
    unset "jobs[$group]"
    echo "$((SECONDS - begun[$group])) s: $name" >> "$files/seconds"
    if [ -f "$files/jobs/$name.report" ]; then
        count_tests "$name"
    else
        if [ "$status" -ne 0 ]; then cat "$files/jobs/$name"; fi
        count_check "$name" "$status"
    fi
}

# Counts a check: `count_check NAME STATUS`.
count_check() {
    if [ "$2" -eq 0 ]; then
        echo "--- $1: passed"
        passed=$((passed + 1))
    else
        echo "FAILED: $1" | tee -a "$files/failures"
        failed=$((failed + 1))
    fi
}

# Counts the tests of a group, and keeps the identifiers of those that failed.
count_tests() {
    local report="$files/jobs/$1.report" count
    count="$(jq .passed "$report")"
    passed=$((passed + count))
    waiting=$((waiting + $(jq .waiting "$report")))
    jq --raw-output --arg name "$1" \
        '"--- \($name): \(.passed) passed, \(.failed | length) failed in \(.seconds) s", .skipped[]' "$report"
    jq --raw-output '.messages[]' "$report" | tee -a "$files/failures"
    mapfile -t -O "${#failures[@]}" failures < <(jq --raw-output '.failed[]' "$report")
    if [ "$(jq .crashed "$report")" = true ]; then
        crashes=$((crashes + 1))
        tail -n 50 "$files/jobs/$1"
        echo "FAILED: the process of $1 ended with status $(jq .ended "$report")" | tee -a "$files/failures"
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

build_programs() { OAP_PROGRAMS=1 swift build -c release --static-swift-stdlib --disable-local-rpath; }

build_tests() { swift build --scratch-path .build/tests -Xswiftc -gnone --product oapPackageTests; }

check_format() {
    swift format lint --strict --recursive --configuration .swift-format Package.swift Sources Tests
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

# Whether each line of Tests/second-attempts.txt, but for its comments, is of a test that there is.
check_second_attempts() {
    local line known=0
    "$bundle" --testing-library swift-testing --list-tests > "$files/identifiers" || return 1
    while IFS= read -r line; do
        case "$line" in '' | '#'*) continue ;; esac
        grep --quiet --line-regexp --fixed-strings -- "${line%%: *}" "$files/identifiers" || {
            echo "Tests/second-attempts.txt: there is no test ${line%%: *}"
            known=1
        }
    done < Tests/second-attempts.txt
    return "$known"
}

# Runs the tests whose identifiers fit a regular expression, and writes what came of them into a file:
# `test_group NAME EXPRESSION`. It is one process of several: a test that waits holds one of the few threads of its process.
test_group() {
    local events="$files/jobs/$1.events" ended=0 begin="$SECONDS"
    # Where something crashes, the process ends there and then instead of writing a backtrace for minutes.
    SWIFT_BACKTRACE=enable=no timeout --foreground --kill-after=30 1500 "$bundle" --testing-library swift-testing \
        --filter "$2" --event-stream-output-path "$events" --event-stream-version 0 || ended=$?
    touch "$events"
    # A test that began and did not end, or did not begin because of that, has failed too.
    jq --raw-input --null-input --argjson ended "$ended" --argjson seconds $((SECONDS - begin)) '
        [inputs | fromjson?] as $records
        | [$records[] | select(.kind == "event").payload] as $events
        | [$records[] | select(.kind == "test").payload | select(.kind == "function").id] as $functions
        | def of($kind): [$events[] | select(.kind == $kind).testID];
          (of("testEnded")) as $done
        | ($functions - $done - of("testSkipped")) as $lost
        | [$events[] | select(.kind == "issueRecorded" and (.issue.isKnown | not))] as $issues
        | ($lost + [$issues[].testID] | unique) as $failed
        | {
            seconds: $seconds, passed: ($functions - $lost - of("testSkipped") - $failed | length), failed: $failed,
            crashed: ($lost != [] or $functions == [] or ($ended != 0 and $failed == [])), ended: $ended,
            waiting: [$events[] | select(.kind == "testSkipped") | select(.messages[].text | contains("run.sh --all"))]
                | length,
            skipped: [$events[] | select(.kind == "testSkipped").messages[].text | select(contains("run.sh --all") | not)],
            messages: ([$lost[] | "FAILED: \(.) did not end"]
                + [$issues[] | "FAILED: \(.testID)", "    \(.messages[].text)"])
        }' "$events" > "$files/jobs/$1.report"
    return "$ended"
}

# The groups of tests, one a line: a name, and a regular expression of identifiers. A suite of the package is one group,
# the largest is four, and what waits most begins first.
plan() {
    "$bundle" --testing-library swift-testing --list-tests | sed 's,/.*,,' | sort | uniq --count | sort -k 1,1nr |
        awk -v clients="$with_clients" '
            { split($2, part, ".") }
            part[1] == "ClientTests" && clients == "" { next }
            part[1] != "CommandTests" { groups[part[1]] = "^" part[1] "[.]"; next }
            {
                least = 1
                for (bin = 2; bin <= 4; bin++) if (weight[bin] + 0 < weight[least] + 0) least = bin
                # Its few tests start 1,700 processes.
                weight[least] += part[2] == "PlantedSecretTests" ? 150 : $1
                types[least] = types[least] (types[least] == "" ? "" : "|") part[2]
            }
            END {
                order = "PeerTests ClientTests CommandUnitTests 1 2 3 4 JQTests SandboxTests"
                for (bin in types) groups[bin] = "^CommandTests[.](" types[bin] ")(/|$)"
                count = split(order, first, " ")
                for (place = 1; place <= count; place++) print_group(first[place])
                for (name in groups) print_group(name)
            }
            function print_group(name) {
                if (name in groups) print (name in types ? "CommandTests-" : "") name, groups[name]
                delete groups[name]
            }'
}

# Runs the tests that failed once more, alone, where they are few: a loaded machine makes a timeout expire. Who passes then
# must stand in Tests/second-attempts.txt, or has failed.
second_attempt() {
    local first=("${failures[@]}") again test
    [ ${#first[@]} -gt 0 ] && [ ${#first[@]} -le 3 ] && [ "$crashes" -eq 0 ] || return 0
    # Without the source location; what is left is a regular expression with all its characters quoted.
    again="$(printf '%s\n' "${first[@]}" | sed -E 's,/[^/]*$,,; s,[^A-Za-z0-9_:/],[&],g' | paste -sd '|')"
    start second-attempt test_group second-attempt "^($again)"
    failures=()
    next_job
    for test in "${first[@]}"; do
        if printf '%s\n' "${failures[@]}" | grep --quiet --line-regexp --fixed-strings -- "$test"; then continue; fi
        test="${test%/*}"
        if awk -v start="$test: " 'index($0, start) == 1 { found = 1 } END { exit !found }' Tests/second-attempts.txt; then
            echo "PASSED AT THE SECOND ATTEMPT: $test" >> "$files/failures"
        else
            echo "FAILED: $test passed at its second attempt, and is not in Tests/second-attempts.txt" >> "$files/failures"
            passed=$((passed - 1))
            failed=$((failed + 1))
        fi
    done
}

install_packages
Tests/Peers/install ${with_clients:+--with-clients}

# The tests have a folder of their own, so that they are built beside the programs, and link nothing of them.
bundle=.build/tests/debug/oapPackageTests.xctest
echo '--- building the programs and the tests'
start 'build of the tests' build_tests
start 'build of the programs' build_programs
while [ ${#jobs[@]} -gt 0 ]; do next_job; done
[ "$failed" -eq 0 ] || exit 1

start 'swift format' check_format
start 'manual pages' check_manual
start 'quick start' check_quickstart
start 'model of the claim' python3 Tests/Models/claim.py ${deep:+-d}
# The tests that drive the programs take those that are installed, not a debug build: it is slower, and an optimised build
# can fail in ways of its own.
export OAP_BIN="$PWD/.build/release/oap"
start second-attempts.txt check_second_attempts
plan > "$files/plan"
[ -s "$files/plan" ]
# They start many processes at once, and wait for most of the time.
start fleet nice Tests/Fleet/fleet "${fleet[@]}"
[ -z "$with_clients" ] || start 'batches of a fleet' nice Tests/Fleet/batches
while read -r name expression; do
    while [ ${#jobs[@]} -ge $(($(nproc) + 2)) ]; do next_job; done
    start "$name" test_group "$name" "$expression"
done < "$files/plan"
while [ ${#jobs[@]} -gt 0 ]; do next_job; done
second_attempt
failed=$((failed + ${#failures[@]}))
if [ ${#failures[@]} -eq 0 ]; then failed=$((failed + crashes)); fi
