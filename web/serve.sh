#!/bin/sh
# Serves the page on 127.0.0.1: sh web/serve.sh [PORT]
set -eu
cd "$(dirname "$0")"
[ -f dist/index.html ] || { echo "web/serve.sh: the page is not built; run sh web/build.sh first" >&2; exit 1; }
port=${1:-8080}
if command -v node >/dev/null 2>&1; then
    exec node serve.mjs dist "$port"
fi
echo "http://127.0.0.1:$port/"
exec python3 -m http.server --bind 127.0.0.1 --directory dist "$port"
