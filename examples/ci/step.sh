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
set -eu

# A CI system sets a variable that has no value to an empty one. With an ID token no secret is needed.
if [ -z "${OAP_CLIENT_SECRET-}" ] && [ -n "${OAP_CI_AUDIENCE:-}${OAP_CI_ID_TOKEN:-}" ] || [ -z "${OAP_CLIENT_ID-}" ]; then
    unset OAP_CLIENT_SECRET
fi

fail() {
    printf 'step.sh: %s\n' "$1" >&2
    exit 2
}

# The files of this job; nothing is kept in the home of the runner.
folder="${OAP_CI_FOLDER:-${RUNNER_TEMP:-${CI_PROJECT_DIR:-${TMPDIR:-/tmp}}}/oap-ci}"
export XDG_CONFIG_HOME="$folder/config" XDG_STATE_HOME="$folder/state" XDG_CACHE_HOME="$folder/cache" OAP_PROFILE=ci

install_package() {
    package="$1"
    case "$package" in
        https://*)
            package="$(mktemp -d)/oap.deb"
            curl --fail --silent --show-error --location --proto '=https' --retry 3 --output "$package" "$1"
            ;;
    esac
    printf '%s  %s\n' "$2" "$package" | sha256sum --check --quiet --strict
    root=
    [ "$(id -u)" -eq 0 ] || root=sudo
    $root apt-get install --quiet=2 --yes "$(realpath "$package")"
}

log_in() {
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
    oap login ci "$@"
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
        oap logout ci || status=$?
        # A token that was not revoked stays for another try, with the secret.
        case $status in 0 | 8) rm -rf "$folder" ;; esac
        exit "$status"
        ;;
    *) fail 'usage: step.sh install PACKAGE SHA256 | login [OPTION ...] | token | folder | logout' ;;
esac
