#!/bin/sh
# Installs what a fresh Debian machine lacks, and then checks everything: format, lints, tests, documentation.
#
# The tests that need a graphics adapter run on lavapipe where there is no other, and fail where there is none at all;
# MURMURATION_TEST_GPU=auto leaves them out loudly, =off quietly. MURMURATION_PAGE_FOLLOWS says that the tests of the page are run too: what they
# compile for a browser is not checked twice.
set -eu
cd "$(dirname "$0")/.."

# The Vulkan loader and a software adapter; what a window opens at run time; and what plays in it.
packages="libvulkan1 mesa-vulkan-drivers
libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0
xvfb xdotool x11-xkb-utils imagemagick"

install_packages() {
    command -v dpkg-query >/dev/null || return 0
    missing=""
    for package in $packages; do
        status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
        [ "$status" = "install ok installed" ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    echo "== installing$missing"
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "please install$missing, and run this again" >&2; exit 1; }
        as_root=sudo
    fi
    $as_root apt-get update -qq
    # shellcheck disable=SC2086 # The packages are words of their own.
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing
}

# Every step says how many seconds came before it.
begun=$(date +%s)
step() {
    echo
    echo "== $* (after $(($(date +%s) - begun)) s)"
    "$@"
}

# The core without threads and the engines on a GPU build for a browser. Where there is no rustup that has the target, Debian's compiler for it
# and the source of its standard library do.
check_wasm() {
    target=wasm32-unknown-unknown
    sysroot=$(rustc --print sysroot)
    [ -d "$sysroot/lib/rustlib/$target" ] || ! command -v rustup >/dev/null || rustup target add $target || true
    if [ -d "$sysroot/lib/rustlib/$target" ]; then
        cargo check --quiet --package murmuration-gpu --target $target
    elif command -v dpkg-query >/dev/null; then
        packages="rustc-web rust-web-src" install_packages
        RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=target/wasm cargo check --quiet \
            --package murmuration-gpu --target $target -Zbuild-std=std,panic_abort
    else
        echo "please run: rustup target add $target" >&2
        return 1
    fi
}

# Release: the same swarm, to the last bit. The core is compiled without checks and with the release build's optimisations; what it
# depends on is compiled alike for both, and is there already. And the documentation, and programs with a part of the features.
check_release() {
    core=profile.dev.package.murmuration-core
    cargo test --quiet --workspace --test golden --config $core.opt-level=3 --config $core.debug-assertions=false \
        --config $core.overflow-checks=false
    RUSTDOCFLAGS="--deny warnings" cargo doc --quiet --workspace --no-deps
    # A laboratory needs a GPU, and no look and no window.
    cargo check --quiet --no-default-features --features lab
    # A program that embeds the swarm needs neither a window nor a GPU.
    cargo check --quiet --no-default-features
    # Nor does the program on a cluster need a window.
    cargo check --quiet --no-default-features --features threads,cli
}

# Runs something with what the steps before the next `join` leave of the processors; what it says is shown there.
beside_pid=""
beside_log=$(mktemp)
beside() {
    what=$*
    nice -n 19 "$@" >"$beside_log" 2>&1 &
    beside_pid=$!
}
join() {
    [ -n "$beside_pid" ] || return 0
    status=0
    wait "$beside_pid" || status=$?
    beside_pid=""
    echo
    echo "== $what, beside these steps (after $(($(date +%s) - begun)) s)"
    cat "$beside_log"
    return "$status"
}
trap '[ -z "$beside_pid" ] || kill "$beside_pid" 2>/dev/null || true; rm -f "$beside_log"' EXIT

install_packages
command -v cargo >/dev/null || { echo "please install Rust 1.95 or later: https://rustup.rs" >&2; exit 1; }

# A fresh clone compiles all of it once. What the next edit would spare takes a fifth longer at first.
[ -d target ] || export CARGO_INCREMENTAL=0

# The parts that run beside others are calls of this script.
case ${1:-} in
wasm) check_wasm; exit ;;
release) check_release; exit ;;
esac

step cargo fmt --all --check
step sh tests/figures.sh check
[ -n "${MURMURATION_PAGE_FOLLOWS:-}" ] || beside sh tests/run.sh wasm
step cargo clippy --quiet --workspace --all-targets -- --deny warnings
join
# Debug: optimised, but with every overflow and assertion checked. The shaders of tests are compiled for a few invocations each: llvmpipe
# leaves the optimising passes out.
export GALLIVM_PERF=nopt
# A test that waits for its device leaves a processor to another one.
processors=$(getconf _NPROCESSORS_ONLN)
step env RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((processors + 1))}" cargo test --workspace --no-fail-fast
unset GALLIVM_PERF
beside sh tests/run.sh release
step sh tests/window.sh target/debug/murmuration
step sh tests/window_faults.sh target/debug/murmuration
join
echo
echo "== all is well after $(($(date +%s) - begun)) s"
