#!/bin/sh
# Builds the C library for release, and installs library, header and pkg-config file: install.sh PREFIX. MURMURATION_C names a library that is
# built already.
set -eu
[ $# = 1 ] || { echo "usage: crates/capi/install.sh PREFIX" >&2; exit 2; }
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
library=${MURMURATION_C:-}
if [ -z "$library" ]; then
    cargo build --release --locked --package murmuration-capi --target-dir target
    for library in target/release/libmurmuration_c.so target/release/libmurmuration_c.dylib; do
        [ ! -f "$library" ] || break
    done
fi
mkdir -p "$prefix/include" "$prefix/lib/pkgconfig"
cp crates/capi/include/murmuration.h "$prefix/include/"
cp "$library" "$prefix/lib/"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" crates/capi/murmuration.pc.in >"$prefix/lib/pkgconfig/murmuration.pc"
