#!/bin/sh
# Tests the server of the page and the lanes of SIMD128 in node, gives every shader to Chromium's compiler, builds the
# page and tests it in headless Chromium. It installs what it needs: the compiler's target wasm32-wasip1, Chromium on
# Debian, and puppeteer-core. MURMURATION names the program to which the page is held; else it is built.
set -eu
cd "$(dirname "$0")/.."
has() { command -v "$1" >/dev/null 2>&1; }
leave_out() { echo "web/test.sh: LEFT OUT: $1" >&2; exit 77; }

has node && has npm || leave_out "there is no node; install it (on Debian: apt install nodejs npm)"
node web/tests/server.mjs
chromium=${CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
if [ -z "$chromium" ]; then
    if has apt-get && [ "$(id -u)" = 0 ]; then
        echo "web/test.sh: installs Chromium"
        apt-get update -qq >/dev/null && apt-get install -y -qq chromium >/dev/null || leave_out "Chromium cannot be installed"
        chromium=$(command -v chromium)
    else
        leave_out "there is no Chromium; install it, or name it in CHROMIUM"
    fi
fi

# The modules lie outside the project's folders of sources.
node=target/page-tools/node
mkdir -p "$node"
cp web/tests/*.mjs web/serve.mjs "$node/"
[ -d "$node/node_modules/puppeteer-core" ] || (cd "$node" && echo '{ "private": true, "type": "module" }' >package.json && npm install --silent puppeteer-core@24 >/dev/null) \
    || leave_out "puppeteer-core cannot be installed"

# Chromium's compiler reads every shader of the program. Shaders that differ only in numbers count as one, unless
# MURMURATION_TEST_LONG is set. `sh web/test.sh shaders` does no more. The build is that of `tests/run.sh`.
if [ "${1:-}" != build ]; then
    crates="-p murmuration-sim -p murmuration-core -p murmuration-gpu -p murmuration-testing"
    # shellcheck disable=SC2086 # Options are words of their own.
    MURMURATION_SHADERS=$PWD/$node/shaders.json \
        cargo test --quiet $crates --test integration the_shaders_are_written_for_a_browser
    (cd "$node" && CHROMIUM="$chromium" node shaders.mjs . shaders.json)
    [ "${1:-}" != shaders ] || exit 0
fi

# The tests of the lanes and of vectors, compiled with SIMD128 and run by node's WASI. They are a package of their own, because proptest, which
# other tests of `murmuration-core` use, does not compile for WebAssembly.
lanes=target/page-tools/lanes
mkdir -p "$lanes"
cp Cargo.lock "$lanes/"
cat >"$lanes/Cargo.toml" <<TOML
[package]
name = "lanes"
version = "0.1.0"
edition = "2024"
[lib]
path = "lib.rs"
[dependencies]
rand_pcg = "0.10"
[profile.dev]
opt-level = 2
debug = false
[workspace]
TOML
echo '#![allow(dead_code)]' >"$lanes/lib.rs"
for module in lanes/mod numbers/mod; do
    printf '#[path = "../../../crates/core/src/%s.rs"]\npub mod %s;\n' "$module" "${module%/mod}" >>"$lanes/lib.rs"
done
cat >"$lanes/wasi.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";
const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(args[0]), { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
JS
if has rustup; then
    rustup --quiet target add wasm32-wasip1
fi
if [ -d "$(rustc --print target-libdir --target wasm32-wasip1)" ]; then
    (cd "$lanes" && RUSTFLAGS="-Ctarget-feature=+simd128" CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/wasi.mjs" \
        cargo test --quiet --lib --target wasm32-wasip1 --target-dir target)
else
    echo "web/test.sh: LEFT OUT: the tests of the lanes; the compiler has no target wasm32-wasip1; install rustup" >&2
fi

status=0
sh web/build.sh || status=$?
[ $status != 3 ] || leave_out "a tool that builds the page is missing; what is said above tells which"
[ $status = 0 ] || exit $status
[ "${1:-}" != build ] || exit 0
if [ -z "${MURMURATION:-}" ]; then
    cargo build --quiet --release
    MURMURATION=$PWD/target/release/murmuration
fi
export MURMURATION CHROMIUM="$chromium"

link() { "$MURMURATION" link "$@" --engine cpu; }
cat >"$node/expected.json" <<JSON
{
  "droplets": "$(link droplets --size 193x101 --steps 80)",
  "murmuration": "$(link murmuration --steps 60)",
  "aquarium": "$(link aquarium --steps 30)",
  "three": "$(link three --steps 30 --set sight.cohesion.disc=3 --set sight.separation.disc=1 --set sight.alignment.disc=2)",
  "moods": "$(link moods --steps 30)"
}
JSON
(cd "$node" && node page.mjs ../../../web/dist expected.json "$@")
"$MURMURATION" verify web/gallery.toml
