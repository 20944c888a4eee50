#!/bin/sh
# Deletes a feature from a copy of the tree, and builds and tests the rest: `sh tests/without.sh food`.
#
# It deletes the folders of the feature, its lines in lists of modules and of features, and its presets with their names in `src/host.rs`
# and their golden hashes. Nothing else is edited. With `--check` it runs no tests.
set -eu
cd "$(dirname "$0")/.."
feature=${1:?name a feature, such as food}
copy=target/without/$feature
rm -rf "$copy"
mkdir -p "$copy"
git ls-files -z | grep -zv '^integrations/bevy/' | xargs -0 cp --parents -t "$copy"
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/without/build
export CARGO_TARGET_DIR
cd "$copy"

for parent in crates/core/src crates/gpu/src shaders tests/integration; do
    rm -rf "${parent:?}/$feature"
done
grep -rlE "^(pub(\(crate\))? )?mod $feature;|&$feature::FEATURE" crates src tests --include='*.rs' |
    xargs -r sed -i -E "/^(pub(\(crate\))? )?mod $feature;$/d; s/, &$feature::FEATURE//; s/&$feature::FEATURE(, )?//"
for preset in $(grep -lE "^\[$feature\]" presets/*.toml | sed 's/.*\///; s/[.]toml$//'); do
    echo "without the preset $preset"
    rm "presets/$preset.toml"
    sed -i "s/ *\"$preset[.]toml\"//; s/ *\"$preset\"//" src/host.rs
    rm -f "tests/fixtures/presets/$preset.toml"
    sed -i "/^$preset = /d" tests/golden/hashes.toml
done

cargo check --workspace --exclude murmuration-cluster --exclude murmuration-web
cargo check -p murmuration-web --target wasm32-unknown-unknown --profile page
[ "${2:-}" = --check ] || cargo test -p murmuration-core
echo "the program builds without $feature"
