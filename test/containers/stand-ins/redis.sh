#!/bin/sh
# As the entrypoint of redis:7: runs the server as the user "redis".
set -eu
if [ "$(id -u)" = 0 ]; then
  chown -R redis .
  exec setpriv --reuid redis --regid redis --clear-groups "$@" --protected-mode no
fi
exec "$@" --protected-mode no
