#!/bin/sh
# Serves the page on 127.0.0.1: sh web/serve.sh [PORT]
set -eu
cd "$(dirname "$0")"
refuse() { echo "web/serve.sh: $1" >&2; exit 1; }

[ -f dist/index.html ] || refuse "the page is not built; run sh web/build.sh first"
port=${1:-8080}
another="as in sh web/serve.sh 8081"
case $port in *[!0-9]* | "" | ??????*) refuse "port $port: is no port; name one from 1 to 65535, $another" ;; esac
[ "$port" -ge 1 ] && [ "$port" -le 65535 ] || refuse "port $port: is no port; name one from 1 to 65535, $another"
if command -v node >/dev/null 2>&1; then
    exec node serve.mjs dist "$port"
fi
bind='import socket, sys; s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1); s.bind(("127.0.0.1", int(sys.argv[1])))'
python3 -c "$bind" "$port" 2>/dev/null || refuse "port $port: is in use, or may not be opened; name another, $another"
echo "http://127.0.0.1:$port/"
exec python3 -m http.server --bind 127.0.0.1 --directory dist "$port"
