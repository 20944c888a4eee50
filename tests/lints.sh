#!/bin/sh
# Lints, the documentation, and programs with a part of the features, which are only checked and not built. MURMURATION_PAGE_FOLLOWS says that the
# tests of the page are run too: what they compile for a browser is not checked twice.
set -eu
cd "$(dirname "$0")/.."
begun=$(date +%s)
step() {
    echo
    echo "== $* (after $(($(date +%s) - begun)) s)"
    "$@"
}
[ -d target ] || export CARGO_INCREMENTAL=0

# The core without threads and the engines on a GPU build for a browser. Where there is no rustup that has the target, Debian's compiler for it
# and the source of its standard library do.
check_wasm() {
    target=wasm32-unknown-unknown
    sysroot=$(rustc --print sysroot)
    [ -d "$sysroot/lib/rustlib/$target" ] || ! command -v rustup >/dev/null || rustup target add $target || true
    if [ -d "$sysroot/lib/rustlib/$target" ]; then
        cargo check --quiet --package murmuration-gpu --target $target
    elif command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq rustc-web rust-web-src
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=target/wasm cargo check --quiet \
            --package murmuration-gpu --target $target -Zbuild-std=std,panic_abort
    else
        echo "please run: rustup target add $target" >&2
        return 1
    fi
}

case ${1:-} in
wasm) check_wasm; exit ;;
esac

crates="-p murmuration-sim -p murmuration-core -p murmuration-gpu -p murmuration-testing"
# shellcheck disable=SC2086 # Options are words of their own.
step cargo clippy --quiet $crates --all-targets -- --deny warnings
# shellcheck disable=SC2086
step env RUSTDOCFLAGS="--deny warnings" cargo doc --quiet $crates --no-deps
# Checks the program with a part of its features. Beside `murmuration-testing` its dependencies have the features that they have above, and are not
# checked again.
check_features() {
    step cargo check --quiet -p murmuration-sim -p murmuration-testing --no-default-features --features "$1"
}
# A laboratory needs a GPU, and no look and no window.
check_features murmuration-sim/lab
# A program that embeds the swarm needs neither a window nor a GPU.
check_features ""
# Nor does the program on a cluster need a window.
check_features murmuration-sim/threads,murmuration-sim/cli
[ -n "${MURMURATION_PAGE_FOLLOWS:-}" ] || step check_wasm
