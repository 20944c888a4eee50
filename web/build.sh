#!/bin/sh
# Builds the page into web/dist, a folder of static files. It installs the compiler's target where rustup can, and ends with 3 if a tool is missing.
set -eu
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
has() { command -v "$1" >/dev/null 2>&1; }

if has rustup; then
    rustup --quiet target add wasm32-unknown-unknown || exit 3
elif ! rustc --print target-libdir --target wasm32-unknown-unknown >/dev/null 2>&1; then
    echo "web/build.sh: the compiler has no target wasm32-unknown-unknown; install rustup, or on Debian libstd-rust-dev-wasm32" >&2
    exit 3
fi

# wasm-bindgen of the version that the lock file names: its library, which is compiled in a fraction of the time of its program.
version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"$/\1/p;}' Cargo.lock)
bindgen=$target/page-tools/bindgen
mkdir -p "$bindgen/src"
cat >"$bindgen/Cargo.toml" <<TOML
[package]
name = "bindgen"
version = "0.1.0"
edition = "2024"
[dependencies]
wasm-bindgen-cli-support = "=$version"
[profile.dev]
opt-level = 1
debug = false
[workspace]
TOML
cat >"$bindgen/src/main.rs" <<'RS'
//! Writes the files of a page for a program in WebAssembly: bindgen PROGRAM FOLDER

fn main() {
    let [program, folder] = [1, 2].map(|at| std::env::args().nth(at).expect("bindgen PROGRAM FOLDER"));
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(program).web(true).expect("a page is the only target");
    bindgen.typescript(true).remove_name_section(true).omit_default_module_path(false);
    bindgen.generate(folder).expect("the files of the page");
}
RS
if ! (cd "$bindgen" && cargo build --quiet --target-dir target); then
    echo "web/build.sh: wasm-bindgen $version cannot be built" >&2
    exit 3
fi

RUSTFLAGS="-Ctarget-feature=+simd128" cargo build --quiet --profile page --locked --package murmuration-web --target wasm32-unknown-unknown
rm -rf web/dist
mkdir -p web/dist
"$bindgen/target/debug/bindgen" "$target/wasm32-unknown-unknown/page/murmuration_web.wasm" web/dist
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
