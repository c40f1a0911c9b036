#!/bin/sh
# The token of a CI job, as a shell step of any CI system:
#
#     step.sh install PACKAGE SHA256   installs the Debian package, a path or an https URL
#     step.sh login [OPTION …]         fetches a token with the client credentials or the identity of the job; the
#                                      options are those of oap login, such as --provider NAME or --param NAME=VALUE
#     step.sh token                    prints the token of the moment, renewed if needed; GitHub and Azure mask it
#     step.sh folder                   prints the folder in which the job keeps the token
#     step.sh logout                   revokes and forgets it; run this always, after a failure too
#
# The variables of the job: OAP_CLIENT_ID, OAP_CLIENT_SECRET, OAP_ISSUER or OAP_TOKEN_ENDPOINT, and OAP_SCOPE if the server
# wants one. The secret is never written to a file; steps that renew the token need the variable too. Between login and
# logout, `oap call URL` and `oap token` of the same job use the token, and renew it.
#
# Without a secret (federation): OAP_CI_AUDIENCE is whom the identity of the job is for, which is exchanged (RFC 8693), and
# fetched afresh for each renewal. OAP_CI_ID_TOKEN is the identity where the job has it in a variable, as in GitLab.
#
# OAP_CI_ARGUMENTS holds more options of the login, with quotes as in a shell. OAP_CI_FOLDER is a folder of this job alone;
# in jobs of GitHub, GitLab, Azure, Buildkite, CircleCI and Jenkins it need not be set.
set -eu

# A CI system sets a variable without a value to an empty one. With an ID token or without a client, no secret is needed.
if [ -z "${OAP_CLIENT_SECRET-}" ]; then
    if [ -n "${OAP_CI_AUDIENCE:-}${OAP_CI_ID_TOKEN:-}" ] || [ -z "${OAP_CLIENT_ID-}" ]; then unset OAP_CLIENT_SECRET; fi
fi

fail() {
    printf 'step.sh: %s\n' "$1" >&2
    exit 2
}

# The files of this job, not of others on the same machine; nothing is kept in the home of the runner.
own="${RUNNER_TEMP:-${CI_PROJECT_DIR:-${AGENT_TEMPDIRECTORY:-}}}"
folder=
job="${BUILDKITE_JOB_ID:-${CIRCLE_WORKFLOW_JOB_ID:-${BUILD_TAG:-}}}"
if [ -n "${OAP_CI_FOLDER:-}" ]; then
    folder="$OAP_CI_FOLDER"
elif [ -n "$own" ]; then
    folder="$own/oap-ci"
elif [ -n "$job" ]; then
    folder="${TMPDIR:-/tmp}/oap-ci-$(printf '%s' "$job" | tr -c 'A-Za-z0-9._-' _)"
elif [ "${1:-}" != install ]; then
    fail 'set OAP_CI_FOLDER to a folder of this job alone'
fi
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state" XDG_CACHE_HOME="$folder/cache" OAP_PROFILE=ci

install_package() {
    package="$1"
    root=
    [ "$(id -u)" -eq 0 ] || root=sudo
    case "$package" in
        https://*)
            if ! command -v curl > /dev/null; then
                $root apt-get update --quiet=2
                install_packages ca-certificates curl
            fi
            package="$(mktemp -d)/oap.deb"
            curl --fail --silent --show-error --location --proto '=https' --retry 3 --output "$package" "$1"
            ;;
    esac
    printf '%s  %s\n' "$2" "$package" | sha256sum --check --quiet --strict
    package="$(realpath "$package")"
    # A plain image has no lists of packages, and a machine without the network may need none.
    install_packages "$package" || { $root apt-get update --quiet=2 && install_packages "$package"; }
}

install_packages() {
    $root apt-get install --quiet=2 --yes "$@"
}

log_in() {
    # xargs takes quotes as a shell does, and expands nothing.
    words="$(printf '%s' "${OAP_CI_ARGUMENTS:-}" | xargs printf '%s\n')" || fail 'OAP_CI_ARGUMENTS has an unmatched quote'
    if [ -n "$words" ]; then
        set -f
        IFS='
'
        # shellcheck disable=SC2086 # A word for each line.
        set -- "$@" $words
        unset IFS
        set +f
    fi
    case " $* " in
        *' --provider '* | *' --grant '*) how=told ;;
        *) how= ;;
    esac
    if [ -n "$how" ]; then
        :
    elif [ -n "${OAP_CI_ID_TOKEN:-}" ]; then
        set -- --grant token-exchange --subject-token-from env:OAP_CI_ID_TOKEN "$@"
    elif [ -n "${OAP_CI_AUDIENCE:-}" ]; then
        set -- --grant token-exchange --subject-token-from ci "$@"
    elif [ -n "${OAP_CLIENT_ID:-}" ]; then
        set -- --grant client_credentials "$@"
    fi
    if [ -n "${OAP_CI_AUDIENCE:-}" ]; then set -- "$@" --identity-audience "$OAP_CI_AUDIENCE"; fi
    client="${OAP_CLIENT_ID:-}"
    if [ -e "$folder/client" ] && [ "$(cat "$folder/client")" != "$client" ]; then
        fail "$folder has the token of another client: set OAP_CI_FOLDER to a folder of this job alone"
    fi
    oap login ci "$@"
    printf '%s\n' "$client" > "$folder/client"
}

# Gives variables to the steps that follow, where the CI system has a file for that.
hand_on() {
    for name in XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME OAP_PROFILE; do
        eval "value=\$$name"
        printf '%s=%s\n' "$name" "$value"
    done >> "${GITHUB_ENV:-/dev/null}"
}

case "${1:-}" in
    install)
        [ $# -eq 3 ] || fail 'usage: step.sh install PACKAGE SHA256'
        install_package "$2" "$3"
        ;;
    login)
        (umask 077 && mkdir -p "$folder")
        shift
        log_in "$@"
        token="$(oap token ci)"
        # printf is part of the shell: the token is no argument of a process.
        if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'token=%s\n' "$token" >> "$GITHUB_OUTPUT"; fi
        hand_on
        ;;
    token) oap token ci ;;
    folder) printf '%s\n' "$folder" ;;
    logout)
        status=0
        if [ -e "$folder/client" ]; then
            oap logout ci || status=$?
        else
            echo 'step.sh: no login succeeded: there is nothing to revoke' >&2
        fi
        # A token that was not revoked stays for another try, with the secret.
        case $status in
            0 | 8)
                status=0
                rm -rf "$folder"
                ;;
        esac
        exit "$status"
        ;;
    *) fail 'usage: step.sh install PACKAGE SHA256 | login [OPTION ...] | token | folder | logout' ;;
esac
