#!/bin/sh
# Builds the page into web/dist, a folder of static files. It installs what it needs: the compiler's target and wasm-bindgen of the version
# that the lock file names. It ends with 3 if a tool is missing and cannot be installed.
set -eu
cd "$(dirname "$0")/.."
target=$PWD/crates/web/target
has() { command -v "$1" >/dev/null 2>&1; }

if has rustup; then
    rustup --quiet target add wasm32-unknown-unknown || exit 3
elif ! rustc --print target-libdir --target wasm32-unknown-unknown >/dev/null 2>&1; then
    echo "web/build.sh: the compiler has no target wasm32-unknown-unknown; install rustup, or on Debian libstd-rust-dev-wasm32" >&2
    exit 3
fi

version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"$/\1/p;}' crates/web/Cargo.lock)
bindgen=wasm-bindgen
if [ "$(wasm-bindgen --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
    bindgen=$target/tools/bin/wasm-bindgen
    if [ "$("$bindgen" --version 2>/dev/null)" != "wasm-bindgen $version" ]; then
        echo "web/build.sh: installs wasm-bindgen $version, which takes some minutes"
        cargo install --quiet --root "$target/tools" --target-dir "$target/tools/build" --version "$version" wasm-bindgen-cli || {
            echo "web/build.sh: wasm-bindgen cannot be installed" >&2
            exit 3
        }
        rm -rf "$target/tools/build"
    fi
fi

(cd crates/web && RUSTFLAGS="-Ctarget-feature=+simd128" cargo build --quiet --release --locked --target wasm32-unknown-unknown)
rm -rf web/dist
mkdir -p web/dist
"$bindgen" --target web --remove-name-section --out-dir web/dist "$target/wasm32-unknown-unknown/release/murmuration_web.wasm"
if has wasm-opt && wasm-opt --version | awk '{ exit $3 < 116 }'; then
    wasm-opt -O3 --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
        --enable-reference-types --enable-multivalue -o web/dist/opt.wasm web/dist/murmuration_web_bg.wasm
    mv web/dist/opt.wasm web/dist/murmuration_web_bg.wasm
fi
cp web/index.html web/example.html web/*.css web/page.js web/plain.js web/gallery.js web/editor.js web/swarm.js web/gallery.toml web/dist/
# The page without a network: its files, and a name that changes with them.
version=$(cat web/dist/* | sha256sum | cut -c1-16)
files=$(cd web/dist && ls | grep -v '\.d\.ts$' | sed 's/.*/"&"/' | paste -sd, -)
sed -e "s/{{version}}/murmuration-$version/" -e "s|{{files}}|[\"./\",$files]|" web/offline.js >web/dist/offline.js
# The package for npm: the element, the program and their types.
mkdir -p web/dist/npm
cp web/npm/* web/swarm.js web/swarm.d.ts web/dist/murmuration_web.js web/dist/murmuration_web.d.ts web/dist/murmuration_web_bg.wasm LICENSE-MIT LICENSE-APACHE web/dist/npm/
wc -c web/dist/*.wasm
if has brotli; then
    printf '%s bytes compressed\n' "$(brotli --stdout --quality=9 web/dist/murmuration_web_bg.wasm | wc -c)"
fi
