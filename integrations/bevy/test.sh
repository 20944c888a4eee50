#!/bin/sh
# Builds `bevy_murmuration` and plays games without a window on whatever adapter there is, a software one too. Hashes are held against the
# library, pictures against stored ones. The examples draw a few frames.
set -eu
cd "$(dirname "$0")"
has() { command -v "$1" >/dev/null 2>&1; }
leave_out() { echo "integrations/bevy/test.sh: LEFT OUT: $1" >&2; exit 77; }

begun=$(date +%s)
step() { echo "== integrations/bevy/test.sh: $1 (after $(($(date +%s) - begun)) s)"; }

# Bevy is compiled with the toolchain that it asks for, which is not the program's.
toolchain=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
has rustup || leave_out "there is no rustup, and Bevy needs Rust $toolchain"
if ! rustup toolchain list | grep -q "^$toolchain-"; then
    step "installs Rust $toolchain"
    rustup toolchain install "$toolchain" --profile minimal --component clippy --component rustfmt >/dev/null 2>&1 \
        || leave_out "Rust $toolchain cannot be had"
fi
# What a run of the tests set for the program's own toolchain does not hold here.
unset RUSTUP_TOOLCHAIN RUSTC RUSTFLAGS CARGO_TARGET_DIR
cargo fetch --locked >/dev/null 2>&1 || leave_out "the crates of Bevy cannot be had"
if [ -n "${MURMURATION:-}" ]; then
    "$MURMURATION" render droplets --size 64x64 --steps 1 --engine gpu --json >/dev/null 2>&1 \
        || leave_out "there is no graphics adapter (on Debian: apt install mesa-vulkan-drivers)"
fi

step "formats"
cargo fmt --check
step "tests"
# A build is done once here, and opens no window.
CARGO_INCREMENTAL=0 cargo test --quiet --locked --no-default-features -- --test-threads=1
step "examples"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for example in bevy_aquarium bevy_hunt; do
    CARGO_INCREMENTAL=0 cargo run --quiet --locked --no-default-features --example $example -- --frames 2 --size 320x192 --screenshot "$work/$example.png"
    [ -s "$work/$example.png" ] || { echo "integrations/bevy/test.sh: FAILED: $example draws nothing" >&2; exit 1; }
done
step "all is well"
