#!/bin/sh
# The token of a CI job, as a shell step of any CI system:
#
#     step.sh install PACKAGE SHA256   installs the Debian package, a path or an https URL
#     step.sh login                    fetches a token with the client credentials or the ID token of the job, and masks
#                                      it in the log
#     step.sh token                    prints the token of the moment, renewed if needed, and masks it before that
#     step.sh logout                   revokes and forgets it; run this always, after a failure too
#
# The variables of the job: OAP_CLIENT_ID, OAP_CLIENT_SECRET, OAP_ISSUER or OAP_TOKEN_ENDPOINT, and OAP_SCOPE if the server
# wants one. The secret is never written to a file; steps that renew the token need the variable too. Between login and
# logout, `oap call URL` and `oap token` of the same job use the token, and renew it.
#
# Without a secret (federation): with OAP_CI_AUDIENCE, a job of GitHub with the permission `id-token: write` exchanges its
# ID token (RFC 8693); elsewhere OAP_CI_ID_TOKEN is the ID token. It ends after minutes: then log in again.
set -eu

# A CI system sets a variable that has no value to an empty one. With an ID token no secret is needed.
if [ -z "${OAP_CLIENT_SECRET-}" ] && [ -n "${OAP_CI_AUDIENCE:-}${OAP_CI_ID_TOKEN:-}" ]; then
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

# Prints the ID token of the job.
id_token() {
    if [ -n "${OAP_CI_ID_TOKEN:-}" ]; then
        printf '%s\n' "$OAP_CI_ID_TOKEN"
        return
    fi
    [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ] || fail 'the job has no ID token: it needs the permission id-token: write'
    # This token is for GitHub, and not for the API of the job.
    unset OAP_PROFILE OAP_API_BASE
    # GitHub has no ID token yet for a job that it still calls pending.
    for pause in 1 2 4 8 ''; do
        status=0
        token="$(printf '{"access_token":"%s","token_type":"Bearer"}\n' "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" |
            oap call "$ACTIONS_ID_TOKEN_REQUEST_URL" -X GET -f audience="$OAP_CI_AUDIENCE" --jq '.value // empty' -r \
                --error-document "$folder/error.json")" || status=$?
        if [ "$status" -ne 7 ] || [ -z "$pause" ] || ! grep -qi pending "$folder/error.json"; then break; fi
        sleep "$pause"
    done
    rm -f "$folder/error.json"
    [ "$status" -eq 0 ] || return "$status"
    [ -n "$token" ] || fail 'the answer of GitHub has no ID token'
    printf '%s\n' "$token"
}

log_in() {
    if [ -z "${OAP_CI_AUDIENCE:-}${OAP_CI_ID_TOKEN:-}" ]; then
        oap login ci --grant client_credentials
        return
    fi
    (umask 077 && id_token > "$folder/id.jwt")
    oap login ci --grant token-exchange --subject-token-file "$folder/id.jwt" \
        --param subject_token_type=urn:ietf:params:oauth:token-type:id_token
}

# Prints the token, after the line that masks it on standard error: a renewed token is another one. GitLab has no such line.
print_token() {
    if [ "${GITHUB_ACTIONS:-}" = true ]; then
        oap token ci --mask-line github
    elif [ "${TF_BUILD:-}" = True ]; then
        oap token ci --mask-line azure
    else
        oap token ci
    fi
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
        log_in
        token="$(print_token)"
        # printf is part of the shell: the token is no argument of a process.
        if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'token=%s\n' "$token" >> "$GITHUB_OUTPUT"; fi
        hand_on
        ;;
    token) print_token ;;
    logout)
        status=0
        oap logout ci || status=$?
        # A token that was not revoked stays for another try, with the secret.
        case $status in 0 | 8) rm -rf "$folder" ;; esac
        exit "$status"
        ;;
    *) fail 'usage: step.sh install PACKAGE SHA256 | login | token | logout' ;;
esac
