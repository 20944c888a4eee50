#!/bin/sh
# Builds the wheel, installs it into a fresh environment, and runs all tests and notebooks there. It installs what it needs from the package
# index: maturin, NumPy, pandas and others. With the argument `build` it only builds the wheel, into target/wheels.
# MURMURATION names the program to which the module is held; the module is then of the development profile, as that program is, and shares its
# compiled dependencies. Else both are built for release.
set -eu
cd "$(dirname "$0")/.."
has() { command -v "$1" >/dev/null 2>&1; }
leave_out() { echo "python/test.sh: LEFT OUT: $1" >&2; exit 77; }

python=${PYTHON:-python3}
has "$python" || leave_out "there is no Python; install 3.10 or later (on Debian: apt install python3 python3-venv)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
    || leave_out "the tests read TOML, which Python has from 3.11 on; name one in PYTHON"

begun=$(date +%s)
step() { echo "== python/test.sh: $1 (after $(($(date +%s) - begun)) s)"; }

target=$PWD/target/python
tools=$target/tools
if ! "$tools/bin/maturin" --version >/dev/null 2>&1; then
    step "installs maturin"
    rm -rf "$tools"
    "$python" -m venv "$tools" || leave_out "Python makes no environments (on Debian: apt install python3-venv)"
    "$tools/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.12,<2' || leave_out "maturin cannot be installed"
fi

step "builds the wheel"
rm -rf target/wheels
if [ -n "${MURMURATION:-}" ]; then
    "$tools/bin/maturin" build --profile dev --features testing --locked --quiet --strip --out target/wheels
else
    "$tools/bin/maturin" build --profile wheel --locked --quiet --compression-level 9 --out target/wheels
fi
wheel=$(ls "$PWD"/target/wheels/*.whl)
bytes=$(wc -c <"$wheel")
echo "$(basename "$wheel"): $((bytes / 1000)) kB"
if [ -n "${MURMURATION:-}" ]; then
    echo "python/test.sh: LEFT OUT: the size of a release; this wheel is of the development profile"
elif [ "$bytes" -gt 9000000 ]; then
    echo "python/test.sh: the wheel is larger than 9 MB" >&2
    exit 1
fi
[ "${1:-}" != build ] || exit 0

step "builds the source archive"
"$tools/bin/maturin" sdist --out target/wheels
archive=$(ls target/wheels/*.tar.gz)
bytes=$(wc -c <"$archive")
echo "$(basename "$archive"): $((bytes / 1000)) kB"
[ "$bytes" -le 5000000 ] || { echo "python/test.sh: the source archive is larger than 5 MB" >&2; exit 1; }
# The targets that its manifests name are in it, and its packages are those of the lock file.
rm -rf "$target/archive"
mkdir "$target/archive"
tar -xzf "$archive" -C "$target/archive" --strip-components 1
host=$(rustc -vV | sed -n 's/^host: //p')
cargo fetch --offline --target "$host" --manifest-path "$target/archive/crates/python/Cargo.toml"
packages_of() { awk '/^name = / { name = $3 } /^version = / { print name, $3 }' "$1" | sort; }
packages_of Cargo.lock >"$target/packages"
packages_of "$target/archive/Cargo.lock" | comm -13 "$target/packages" - >"$target/other"
[ ! -s "$target/other" ] || { echo "python/test.sh: the source archive is of other packages:" >&2; cat "$target/other" >&2; exit 1; }
rm -rf "$target/archive"

step "makes a fresh environment"
rm -rf "$target/venv"
"$python" -m venv "$target/venv"
pip="$target/venv/bin/pip install --quiet --disable-pip-version-check"
$pip "$wheel" || leave_out "NumPy cannot be installed"
# Without its optional packages it can be imported.
(cd / && "$target/venv/bin/python" -W error -c 'import murmuration as m; s = m.Simulation("droplets", size=(48, 32)); s.advance(3); assert s.account()["lost"] == 0')
$pip "$wheel[data,gym,widget]" pytest pillow matplotlib nbclient ipykernel mypy pandas-stubs || leave_out "the packages of the tests cannot be installed"

if [ -z "${MURMURATION:-}" ]; then
    step "builds the program to which the module is held"
    cargo build --quiet --release
    MURMURATION=$PWD/target/release/murmuration
fi
export MURMURATION

step "tests, and beside them checks the types"
(cd "$target" && nice venv/bin/python -m mypy.stubtest murmuration._native --ignore-disjoint-bases \
    && nice venv/bin/python -m mypy --ignore-missing-imports --package murmuration) >"$target/types" 2>&1 &
types=$!
tested=0
(cd python/tests && "$target/venv/bin/python" -m pytest --quiet -p no:cacheprovider --durations 8 . "$@") || tested=$?
checked=0
wait $types || checked=$?
cat "$target/types"
[ $tested = 0 ] || exit $tested
[ $checked = 0 ] || exit $checked
step "tests the examples in the documentation"
(cd "$target" && venv/bin/python -m pytest --quiet -p no:cacheprovider --doctest-modules --pyargs murmuration)

step "runs the notebooks and examples"
work=$target/notebooks
rm -rf "$work"
mkdir -p "$work/python" "$work/examples"
cp -r python/notebooks "$work/python/"
cp examples/*.py "$work/examples/"
cat >"$work/run.py" <<'PY'
import pathlib, sys, time
import nbclient, nbformat
for path in sorted(pathlib.Path("python/notebooks").glob("*.ipynb")):
    begun = time.monotonic()
    notebook = nbformat.read(path, 4)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}}).execute()
    nbformat.write(notebook, path)
    print(f"{path.name}: {time.monotonic() - begun:.0f} s")
PY
(cd "$work" && "$target/venv/bin/python" -W ignore run.py)
for example in "$work"/examples/*.py; do
    (cd "$work" && "$target/venv/bin/python" "$example")
done

# The wheel in an environment of its own.
environment() {
    rm -rf "$target/venv-$1"
    "$2" -m venv "$target/venv-$1" && "$target/venv-$1/bin/pip" install --quiet --disable-pip-version-check "$wheel"
}
# The Python of a version; nothing: it is not here.
python_of() {
    other=$(ls -d "${PYENV_ROOT:-$HOME/.pyenv}"/versions/$1.*/bin/python 2>/dev/null | tail -1 || true)
    [ -n "$other" ] || other=$(command -v python$1 || true)
    [ -n "$other" ] && "$other" -c 'import sys' 2>/dev/null && echo "$other" || true
}
versions="3.10 3.11 3.12 3.13 3.14"
step "makes the environments of all Pythons"
made=""
for version in $versions; do
    other=$(python_of $version)
    [ -z "$other" ] || { environment $version "$other" & made="$made $!"; }
done
for process in $made; do
    wait $process
done

# Every other Python that is here plays the same swarm with the same wheel.
for version in $versions; do
    if [ -z "$(python_of $version)" ]; then
        echo "python/test.sh: LEFT OUT: Python $version, which is not here"
        continue
    fi
    step "Python $version"
    (cd / && "$target/venv-$version/bin/python" -W error - <<'PY'
import murmuration as m

sim = m.Simulation("droplets", size=(193, 101), engine="cpu", set={"start.run_in": 0})
sim.advance(200)
print(sim.state_hash, sim.account()["lost"])
PY
    ) | tee "$target/hash-$version"
    grep -q "^$(sed -n '/^\[hashes\]/,/^\[fix/s/^droplets = "\(.*\)"/\1/p' tests/golden/hashes.toml) 0$" "$target/hash-$version" \
        || { echo "python/test.sh: Python $version has another hash" >&2; exit 1; }
done
step "all is well"
