#!/bin/sh
# Compiles Murmuration.cs by Mono, and plays a swarm through it. MurmurationBehaviour.cs needs Unity and is not compiled.
set -eu
cd "$(dirname "$0")/../.."
leave_out() { echo "integrations/unity/test.sh: LEFT OUT: $1" >&2; exit 77; }
{ command -v mcs && command -v mono; } >/dev/null 2>&1 || leave_out "there is no Mono (on Debian: apt install mono-mcs mono-runtime)"
sh crates/capi/test.sh build
folder=release
[ -z "${MURMURATION:-}" ] || folder=debug
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mcs -unsafe -langversion:latest -warnaserror -out:"$work/check.exe" integrations/unity/tests/Check.cs integrations/unity/Murmuration.cs
XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-$work} LD_LIBRARY_PATH=${CARGO_TARGET_DIR:-target}/$folder mono "$work/check.exe"
