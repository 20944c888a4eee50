#!/bin/sh
# Installs what a fresh Debian machine lacks, and then tests everything. What no run of the program depends on (lints, documentation, builds with
# a part of the features) is `sh tests/lints.sh`; checks that take minutes are played whole by `sh tests/long.sh`.
#
# The tests that need a graphics adapter run on lavapipe where there is no other, and fail where there is none at all;
# MURMURATION_TEST_GPU=auto leaves them out loudly, =off quietly.
set -eu
cd "$(dirname "$0")/.."

# The program and its libraries. What the other faces need is installed by their own tests.
crates="-p murmuration-sim -p murmuration-core -p murmuration-gpu -p murmuration-testing"
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

# Release: the same swarm, to the last bit. The core is compiled without checks and with the release build's optimisations; what it
# depends on is compiled alike for both, and is there already.
check_release() {
    core=profile.dev.package.murmuration-core
    # shellcheck disable=SC2086 # Options are words of their own.
    cargo test --quiet $crates --test golden --config $core.opt-level=3 --config $core.debug-assertions=false \
        --config $core.overflow-checks=false
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

# What runs beside other steps is a call of this script.
case ${1:-} in
release) check_release; exit ;;
esac

step cargo fmt --all --check
step sh tests/figures.sh check
# Debug: optimised, but with every overflow and assertion checked. The shaders of tests are compiled for a few invocations each: llvmpipe
# leaves the optimising passes out.
export GALLIVM_PERF=nopt
# A test that waits for its device leaves a processor to another one.
processors=$(getconf _NPROCESSORS_ONLN)
# shellcheck disable=SC2086 # Options are words of their own.
step env RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((processors + 1))}" cargo test $crates --no-fail-fast
unset GALLIVM_PERF
beside sh tests/run.sh release
step sh tests/window.sh target/debug/murmuration
step sh tests/window_faults.sh target/debug/murmuration
join
echo
echo "== all is well after $(($(date +%s) - begun)) s"
