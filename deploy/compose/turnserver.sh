#!/bin/sh
# Starts the relay with the secret from the environment, so that the list of processes does not show it.
set -eu
umask 077
[ "${#TURN_SECRET}" -ge 16 ] || { echo 'Set TURN_SECRET in .env to the output of openssl rand -hex 24.'; exit 1; }
folder=$(mktemp -d)
cat "$(dirname "$0")/turnserver.conf" > "$folder/conf"
printf 'static-auth-secret=%s\n' "$TURN_SECRET" >> "$folder/conf"
unset TURN_SECRET
exec turnserver -c "$folder/conf" --pidfile "$folder/pid" --userdb "$folder/users" "$@"
