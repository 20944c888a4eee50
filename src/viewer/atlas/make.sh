#!/bin/sh
# Makes the sheets of the built-in atlas, which the window shows: the best tiles of the searches in examples/atlas. It takes about an hour on two
# cores. A search that was killed goes on in its folder. Name a new folder after the hashes of a preset have changed:
#   cargo build --release && sh src/viewer/atlas/make.sh target/release/murmuration searches
set -eu
cd "$(dirname "$0")/../../.."
program=$(realpath "${1:-target/release/murmuration}")
out=${2:-searches}

make() {
    sheet=$1 count=$2
    "$program" atlas run "examples/atlas/$sheet.toml" --out "$out/$sheet"
    "$program" atlas pick "$out/$sheet" --count "$count" --out "src/viewer/atlas/$sheet.toml"
}

make droplets 30
make ribbons 18
make murmuration 18
make veils 18
make circles 18
