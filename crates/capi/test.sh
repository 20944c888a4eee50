#!/bin/sh
# Builds the C library, and tests it by programs in C: alone, under the address sanitizer, and under Valgrind. It installs a C compiler and Valgrind where it
# can. With the argument `build` it only builds, into the target folder of the workspace. With `bench` it prints the steps a second of the C
# interface and of the library. MURMURATION names the program that was built for the development profile; the library is then of that profile
# and shares its compiled dependencies. Else it is built for release.
set -eu
cd "$(dirname "$0")/../.."
has() { command -v "$1" >/dev/null 2>&1; }
leave_out() { echo "crates/capi/test.sh: LEFT OUT: $1" >&2; exit 77; }

begun=$(date +%s)
step() { echo "== crates/capi/test.sh: $1 (after $(($(date +%s) - begun)) s)"; }
fail() { echo "crates/capi/test.sh: FAILED: $1" >&2; exit 1; }

missing=""
has cc || missing="$missing gcc g++"
has valgrind || missing="$missing valgrind"
has pkg-config || missing="$missing pkg-config"
if [ -n "$missing" ] && has apt-get && [ "$(id -u)" = 0 ]; then
    step "installs$missing"
    # shellcheck disable=SC2086 # The packages are words of their own.
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $missing; } >/dev/null 2>&1 || true
fi
has cc || leave_out "there is no C compiler (on Debian: apt install gcc g++)"

step "builds"
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
profile=release
folder=release
features=
if [ -n "${MURMURATION:-}" ]; then
    profile=dev
    folder=debug
    features=testing
fi
own() { "$cargo" "$@" --profile $profile --features "$features" --locked --package murmuration-capi --target-dir "$target"; }
own build --quiet
[ "${1:-}" != build ] || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
capi=$PWD/crates/capi
golden=$PWD/tests/golden/hashes.toml
export RAYON_NUM_THREADS=2
warnings="-Wall -Wextra -Werror -pedantic"
library="-L$target/$folder -lmurmuration_c -Wl,-rpath,$target/$folder -lm -pthread"
# Compiles a program: compile OUTPUT SOURCE FLAGS…
compile() {
    output=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # Flags are words of their own.
    cc -std=c99 -D_POSIX_C_SOURCE=200809L -O1 -g $warnings "$@" -I"$capi/include" "$source" -o "$output" $library || fail "cc $source"
}

if [ "${1:-}" = bench ]; then
    step "measures"
    own build --quiet --example bench
    compile "$work/bench" "$capi/examples/bench.c"
    # The same world by turns, and the median of each.
    for turn in 1 2 3 4 5 6 7 8 9 10 11; do
        "$work/bench" >>"$work/c"
        "$target/$folder/examples/bench" >>"$work/rust"
    done
    median() { sort -n "$1" | sed -n 6p; }
    echo "$(median "$work/c") $(median "$work/rust")" \
        | awk '{ printf "%.1f steps a second in C, %.1f in Rust: %.3f\n", $1, $2, $1 / $2 }'
    exit 0
fi

step "compares the header with the code, and tests the inside of the library"
own test --quiet

step "compiles the programs"
echo '#include "murmuration.h"' >"$work/alone.c"
# shellcheck disable=SC2086
cc -std=c99 $warnings -I"$capi/include" -fsyntax-only "$work/alone.c" || fail "the header in C99"
for source in "$capi"/tests/*.c "$capi/examples/swarm.c"; do
    name=$(basename "$source" .c)
    compile "$work/$name" "$source"
    compile "$work/$name-sanitized" "$source" -fsanitize=address,undefined -fno-sanitize-recover=all
    if has c++; then
        # shellcheck disable=SC2086
        c++ -std=c++11 $warnings -I"$capi/include" -x c++ -fsyntax-only "$source" || fail "$source in C++"
    fi
done
has c++ || echo "crates/capi/test.sh: LEFT OUT: the programs in C++, for there is no compiler" >&2

step "hashes"
for preset in droplets lagoon chase school evolve three; do
    known=$(sed -n '/^\[hashes\]/,/^\[fix/s/^'"$preset"' = "\(.*\)"/\1/p' "$golden")
    found=$("$work/hashes" $preset 200) || fail "$preset"
    [ "$found" = "$known" ] || fail "$preset has the hash $found"
    echo "$(echo "$found" | cut -c1-16)  $preset"
done
if MURMURATION_ENGINE=gpu "$work/hashes" droplets 0 >/dev/null 2>&1; then
    said=$(env -u XDG_RUNTIME_DIR MURMURATION_ENGINE=auto "$work/hashes" droplets 0 2>&1 >/dev/null)
    [ -z "$said" ] || fail "the engine auto says: $said"
    # The software adapter compiles shaders for a few invocations each.
    export GALLIVM_PERF=nopt
    [ "$(MURMURATION_ENGINE=gpu "$work/hashes" droplets 20)" = "$("$work/hashes" droplets 20)" ] || fail "a GPU has another hash"
    MURMURATION_SMALL=1 MURMURATION_ENGINE=gpu "$work/values" "$work/gpu.checkpoint" || fail "values on a GPU"
else
    echo "crates/capi/test.sh: LEFT OUT: the GPU, for there is no adapter" >&2
fi

step "runs the programs"
(cd "$work" && MURMURATION_ENGINE=cpu ./swarm droplets swarm.ppm) || fail "the example"
head -c 2 "$work/swarm.ppm" | grep -q P6 || fail "the example saves no picture"
"$work/values" "$work/values.checkpoint" || fail "values"
"$work/threads" || fail "threads"
"$work/bad_arguments" 2000 || fail "bad_arguments"
"$work/leaks" 20 || fail "leaks"

step "runs them under the address sanitizer"
export ASAN_OPTIONS=detect_leaks=1
(cd "$work" && MURMURATION_ENGINE=cpu ./swarm-sanitized droplets >/dev/null) || fail "the example, sanitized"
MURMURATION_SMALL=1 "$work/values-sanitized" "$work/values.checkpoint" || fail "values, sanitized"
"$work/threads-sanitized" || fail "threads, sanitized"
"$work/bad_arguments-sanitized" 300 || fail "bad_arguments, sanitized"
"$work/leaks-sanitized" 1000 || fail "leaks, sanitized"

if has valgrind; then
    step "runs them under Valgrind, with the portable lanes"
    watched() {
        MURMURATION_SMALL=1 MURMURATION_INSTRUCTION_SET=portable valgrind --quiet --error-exitcode=9 --leak-check=full \
            --errors-for-leak-kinds=definite --show-leak-kinds=definite --fair-sched=yes "$@" || fail "Valgrind: $*"
    }
    watched "$work/hashes" droplets 2 >/dev/null
    watched "$work/values" "$work/values.checkpoint"
    watched "$work/bad_arguments" 10
    watched "$work/leaks" 5
else
    echo "crates/capi/test.sh: LEFT OUT: Valgrind, which is not here" >&2
fi

step "installs"
built=$target/$folder/libmurmuration_c.so
[ -f "$built" ] || built=$target/$folder/libmurmuration_c.dylib
MURMURATION_C=$built sh crates/capi/install.sh "$work/prefix"
if has pkg-config; then
    # shellcheck disable=SC2046 # Flags are words of their own.
    (cd "$work" && PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig && export PKG_CONFIG_PATH \
        && cc -std=c99 "$capi/examples/swarm.c" -o installed $(pkg-config --cflags --libs murmuration) -lm \
        && LD_LIBRARY_PATH=$work/prefix/lib DYLD_LIBRARY_PATH=$work/prefix/lib MURMURATION_ENGINE=cpu ./installed >/dev/null) \
        || fail "a program by pkg-config"
else
    echo "crates/capi/test.sh: LEFT OUT: pkg-config, which is not here" >&2
fi
step "all is well"
