#!/bin/bash
# cron runs a job that knows the token by OAP_PROFILE alone, beside a standard input of cron's own. It needs root, and sees
# tables of jobs of its own.
set -euo pipefail
oap login job --grant client_credentials 2> /dev/null
mkfifo "$HOME/answer"
export JOB="* * * * * root exec > $HOME/answer 2>&1; stat -L -c \%F /dev/stdin; oap call $OAP_API_BASE/user -q .login -r"
printf '%s=%s\n' PATH "$PATH" HOME "$HOME" OAP_PROFILE job > "$HOME/table"
env | grep '^XDG_' >> "$HOME/table"
printf '%s\n' "$JOB" >> "$HOME/table"
unshare --mount --pid --fork --kill-child --mount-proc bash -euc '
    for folder in /etc/cron.d /var/spool/cron /run; do mount -t tmpfs none "$folder"; done
    mkdir /var/spool/cron/crontabs
    mount --bind "$HOME/table" /etc/crontab
    exec cron -f' &
trap 'kill -KILL "$!"' EXIT
{
    read -r input
    read -r login
} < "$HOME/answer"
[ "$input" = fifo ]
[ "$login" = ada ] || { echo "$login"; exit 1; }
echo 'ok: a job whose standard input is a pipe uses the token of OAP_PROFILE'
