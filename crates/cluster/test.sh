#!/bin/sh
# Builds `murmuration-cluster` and compares what its ranks compute with the program, by hash. It installs OpenMPI where it can.
# MURMURATION names the program to which the ranks are held;
# the ranks are then of the development profile, as that program is. Else both are built for release.
set -eu
cd "$(dirname "$0")/../.."
has() { command -v "$1" >/dev/null 2>&1; }
leave_out() { echo "crates/cluster/test.sh: LEFT OUT: $1" >&2; exit 77; }

begun=$(date +%s)
step() { echo "== crates/cluster/test.sh: $1 (after $(($(date +%s) - begun)) s)"; }
fail() { echo "crates/cluster/test.sh: FAILED: $1" >&2; exit 1; }

has_libclang() { [ -n "${LIBCLANG_PATH:-}" ] || has llvm-config || ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1; }
if ! has mpicc || ! has mpirun || ! has_libclang; then
    step "installs MPI and libclang"
    { has apt-get && [ "$(id -u)" = 0 ]; } \
        || leave_out "there is no MPI or no libclang (on Debian: apt install libopenmpi-dev openmpi-bin libclang-dev)"
    { apt-get update -qq && apt-get install -y -qq libopenmpi-dev openmpi-bin libclang-dev clang; } >/dev/null 2>&1 \
        || leave_out "MPI or libclang cannot be installed"
fi

step "builds"
program=${MURMURATION:-}
profile=dev
folder=debug
features=testing
if [ -z "$program" ]; then
    cargo build --quiet --release
    program=$PWD/target/release/murmuration
    profile=release
    folder=release
    features=
fi
cargo build --quiet --profile $profile --features "$features" --locked --package murmuration-cluster

cluster=$PWD/target/$folder/murmuration-cluster
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# More ranks than cores, and by root: this is a test.
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1
export RAYON_NUM_THREADS=1

hash_of() { sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p' "$1"; }
# The same run by the program and by several numbers of ranks.
same() {
    ranks=$1
    shift
    "$program" render "$@" --engine cpu --json >"$work/one" 2>"$work/said" || { cat "$work/said"; fail "render $*"; }
    for count in $ranks; do
        timeout 300 mpirun -n "$count" "$cluster" render "$@" --engine cpu --threads 1 --json >"$work/many" 2>"$work/said" \
            || { cat "$work/said"; fail "render $* on $count ranks"; }
        [ -n "$(hash_of "$work/one")" ] || fail "render $* prints no hash"
        [ "$(hash_of "$work/one")" = "$(hash_of "$work/many")" ] || fail "render $* on $count ranks has another hash"
        [ "$(wc -l <"$work/many")" = "$(wc -l <"$work/one")" ] || fail "render $* on $count ranks speaks more than once"
    done
    echo "$(hash_of "$work/one" | cut -c1-16)  $ranks ranks: $*"
}

step "hashes"
same "1 2 3 7" droplets --size 256x256 --steps 100
same "2 3" murmuration --size 48x48x48 --steps 20 --set start.run_in=0
same "2 3" caves --size 40x40x60 --steps 20
same "2 5" three --size 160x160 --steps 40
same "3" aquarium --steps 20
same "2 3" flock --size 200x240x40 --steps 150
same "2 3" evolve --steps 200
same "2" lagoon --size 200x200 --steps 60 --set noise.angle=0.4

# Ranks on GPUs beside ranks on processors, where there is an adapter. A software adapter will do.
mixed() {
    "$program" render "$@" --engine cpu --json >"$work/one" 2>"$work/said" || { cat "$work/said"; fail "render $*"; }
    timeout 300 mpirun -n 1 "$cluster" render "$@" --engine gpu --json : -n 2 "$cluster" render "$@" --engine cpu --threads 1 --json \
        >"$work/many" 2>"$work/said" || { cat "$work/said"; fail "render $* on a GPU and two processors"; }
    [ "$(hash_of "$work/one")" = "$(hash_of "$work/many")" ] || fail "render $* on a GPU and two processors has another hash"
    echo "$(hash_of "$work/one" | cut -c1-16)  a GPU and two processors: $*"
}
if "$program" render droplets --size 64x64 --steps 1 --engine gpu --json >/dev/null 2>&1; then
    mixed droplets --size 160x128 --steps 40
    mixed stoop --size 96x160 --steps 20
    mixed caves --size 24x24x48 --steps 10
else
    echo "crates/cluster/test.sh: LEFT OUT: ranks on GPUs, for there is no adapter" >&2
fi

step "files"
for ranks in 1 3; do
    out=$work/out$ranks
    mkdir "$out"
    timeout 300 mpirun -n "$ranks" "$cluster" render lagoon --size 160x120 --steps 40 --every 20 --out "$out/frames" --frames picture,npy \
        --metrics "$out/metrics.csv" --statistics "$out/statistics.json" --checkpoint "$out/end.checkpoint" --engine cpu >"$out/said" 2>&1 \
        || { cat "$out/said"; fail "a render with files on $ranks ranks"; }
done
for file in frames/density-000040.npy metrics.csv end.checkpoint; do
    cmp "$work/out1/$file" "$work/out3/$file" || fail "$file of three ranks differs from that of one"
done
# The record in a picture tells the ranks. The pixels are the same; ImageMagick compares them.
same_pixels() {
    has identify || { echo "crates/cluster/test.sh: LEFT OUT: pixels ($3), for there is no ImageMagick" >&2; return 0; }
    [ "$(identify -format '%#' "$1")" = "$(identify -format '%#' "$2")" ] || fail "$3"
}
same_pixels "$work/out1/frames/picture-000040.png" "$work/out3/frames/picture-000040.png" "a picture of three ranks differs from that of one"
grep -q '"ranks": *{"count":3,"hosts":1,"library":"[A-Z]' "$work/out3/frames/picture-000040.png" || grep -q '"count": 3' "$work/out3/metrics.csv.json" \
    || fail "the records of three ranks do not tell them"
[ "$(ls "$work/out1/frames")" = "$(ls "$work/out3/frames")" ] || fail "three ranks write other frames"
"$program" render lagoon --size 160x120 --steps 60 --engine cpu --json >"$work/one"
timeout 300 mpirun -n 5 "$cluster" render --resume "$work/out3/end.checkpoint" --steps 20 --engine cpu --json >"$work/many"
[ "$(hash_of "$work/one")" = "$(hash_of "$work/many")" ] || fail "a run that is resumed on five ranks has another hash"

"$program" render murmuration --size 40x40x40 --set start.run_in=0 --steps 8 --every 4 --engine cpu --threads 1 --out "$work/points1" >/dev/null
timeout 300 mpirun -n 3 "$cluster" render murmuration --size 40x40x40 --set start.run_in=0 --steps 8 --every 4 --engine cpu --threads 1 \
    --out "$work/points3" >/dev/null
same_pixels "$work/points1/picture-000008.png" "$work/points3/picture-000008.png" "a picture with points on three ranks"
"$program" render evolve --size 96x96 --steps 300 --engine cpu --lineage "$work/one.nwk" >/dev/null
timeout 300 mpirun -n 2 "$cluster" render evolve --size 96x96 --steps 300 --engine cpu --lineage "$work/two.nwk" >/dev/null
cmp "$work/one.nwk" "$work/two.nwk" || fail "a family tree of two ranks"

timeout 300 mpirun -n 2 "$cluster" render caves --size 40x40x60 --steps 4 --engine cpu --threads 1 --out "$work/caves2" >"$work/said" 2>&1 \
    || { cat "$work/said"; fail "a picture among rock on two ranks"; }

step "sweeps"
set -- sweep droplets --set weights.cohesion=0:1:0.25 --seeds 1..3 --size 48x48 --steps 100
"$program" "$@" --out "$work/sweep1" >/dev/null
timeout 300 mpirun -n 3 "$cluster" "$@" --out "$work/sweep3" >"$work/many" 2>"$work/said" || { cat "$work/said"; fail "a sweep on three ranks"; }
for file in runs.csv runs.npz means.csv; do
    cmp "$work/sweep1/$file" "$work/sweep3/$file" || fail "$file of a sweep on three ranks"
done
[ "$(grep -c 'are in' "$work/many")" = 1 ] || fail "a sweep on three ranks speaks more than once"

step "links"
link=$("$program" link droplets --size 193x151 --steps 60)
timeout 300 mpirun -n 3 "$cluster" verify "$link" --engine cpu || fail "verify on three ranks"

step "ranks that were given different input"
# One message, which names the option and the rank, and no result.
differs() {
    what=$1
    shift
    timeout 60 mpirun "$@" >"$work/out" 2>"$work/said" && fail "ranks with different input play: $what"
    [ "$(grep -cE '^(murmuration|error):' "$work/said")" = 1 ] || { cat "$work/said"; fail "different input is not said once: $what"; }
    grep -qF -e "$what" "$work/said" || { cat "$work/said"; fail "the message does not say: $what"; }
    [ ! -s "$work/out" ] || fail "ranks with different input print a result: $what"
}
play="-n 1 $cluster render droplets --engine cpu --threads 1 --json --steps"
# shellcheck disable=SC2086
{
    differs '--seed: is `1` on rank 0, and `2` on rank 1' $play 5 --size 96x96 --seed 1 : $play 5 --size 96x96 --seed 2
    differs '--size: is `96x96` on rank 0, and `96x64` on rank 1' $play 5 --size 96x96 : $play 5 --size 96x64
    differs '--set: is not given on rank 0, and `weights.cohesion=0.9` on rank 1' $play 5 : $play 5 --set weights.cohesion=0.9
    differs '--steps: is `5` on rank 0, and `6` on rank 1' $play 5 : $play 6
    differs "unexpected argument '--sed'" $play 5 : -n 1 $cluster render droplets --sed 3
    differs 'some ranks were asked for help' $play 5 : -n 1 $cluster --help
    differs 'the command of murmuration-cluster: is `render` on rank 0, and `presets` on rank 1' $play 5 : -n 1 $cluster presets
}
# Files of one name and other contents, as on hosts that share no file system.
mkdir "$work/here" "$work/there"
"$program" check droplets --print >"$work/here/own.toml"
sed 's/^seed = .*/seed = 77/' "$work/here/own.toml" >"$work/there/own.toml"
cmp -s "$work/here/own.toml" "$work/there/own.toml" && fail "the preset has no seed to be changed"
for steps in 10 12; do
    [ $steps = 10 ] && place=here || place=there
    "$program" render droplets --size 96x96 --steps $steps --engine cpu --checkpoint "$work/$place/own.checkpoint" >/dev/null
done
for seeds in 1..2 1..3; do
    [ $seeds = 1..2 ] && place=here || place=there
    printf 'preset = "droplets"\nsize = ["48x48"]\nseeds = "%s"\nsteps = 20\n' $seeds >"$work/$place/sweep.toml"
done
in_place() { echo "-wdir $work/$1 -n 1 $cluster render --engine cpu --threads 1 --json --steps 5"; }
# shellcheck disable=SC2046
{
    differs 'the preset `own`: is' $(in_place here) own.toml : $(in_place there) own.toml
    differs 'the sweep: is' -wdir "$work/here" -n 1 "$cluster" sweep sweep.toml --out out : -wdir "$work/there" -n 1 "$cluster" sweep sweep.toml --out out
    differs 'another file' $(in_place here) --resume own.checkpoint : $(in_place there) --resume own.checkpoint
}

step "processes without a common MPI"
for told in SLURM_STEP_NUM_TASKS=2 PMI_SIZE=2 OMPI_COMM_WORLD_SIZE=2 PMIX_RANK=1; do
    env $told "$cluster" render droplets --size 64x64 --steps 1 --engine cpu >"$work/out" 2>"$work/said" && fail "a process with $told plays alone"
    grep -q "$told.*no common MPI" "$work/said" || { cat "$work/said"; fail "the message does not name $told"; }
done
env SLURM_NTASKS=64 "$cluster" render droplets --size 64x64 --steps 1 --engine cpu >/dev/null || fail "a batch script of one process is refused"
env SLURM_STEP_NUM_TASKS=2 "$cluster" render droplets --size 64x64 --steps 1 --engine cpu --alone >/dev/null || fail "--alone does not play alone"
"$cluster" --version | grep -qE '^murmuration-cluster [0-9.]+ \(.*MPI' || fail "--version does not tell the MPI"
"$cluster" --help >"$work/out"
for command in render replay verify sweep; do
    grep -qE "^ +$command " "$work/out" || fail "--help does not list $command"
done
grep -qE '^ +(view|bench|atlas|presets|check) ' "$work/out" && fail "--help lists a command that ranks do not play"
OMPI_MCA_rmaps_base_oversubscribe=0 timeout 60 mpirun --bind-to core -n 1 "$cluster" render droplets --size 64x64 --steps 1 --engine cpu --threads 2 >"$work/out" 2>"$work/said"
[ "$(nproc)" = 1 ] || grep -q 'rank 0 has 2 threads and may use 1 core' "$work/said" || { cat "$work/said"; fail "two threads on one core are not said"; }

step "faults"
# Bad input: one message, from one rank.
for wrong in "render nowhere" "render droplets --size 64x28 --steps 1 --engine cpu" "render droplets --set weights.cohesio=1" "view droplets" \
    "render flock --engine gpu" "render droplets --size"; do
    # shellcheck disable=SC2086
    timeout 60 mpirun -n 7 "$cluster" $wrong >"$work/out" 2>"$work/said" && fail "$wrong is taken"
    [ "$(grep -cE '^(murmuration:|error:)' "$work/said")" = 1 ] || { cat "$work/said"; fail "$wrong is not said once"; }
done
# A disk that is full for the first rank ends all ranks.
for option in --metrics --checkpoint; do
    timeout 60 mpirun -n 3 "$cluster" render droplets --size 96x96 --steps 20 --engine cpu $option /dev/full >"$work/out" 2>"$work/said" \
        && fail "a full disk is no failure for $option"
    [ "$(grep -c "No space left" "$work/said")" = 1 ] || { cat "$work/said"; fail "a full disk is not said once for $option"; }
done
# A checkpoint whose folder has gone is in the working folder.
mkdir "$work/gone"
(cd "$work" && exec timeout 60 mpirun -n 3 "$cluster" render droplets --size 128x128 --steps 1000000 --engine cpu --threads 1 \
    --checkpoint gone/end.checkpoint) >"$work/out" 2>"$work/said" &
run=$!
sleep 2
rm -r "$work/gone"
pkill -TERM -f "^$cluster render" || true
status=0
wait $run || status=$?
[ $status != 124 ] || fail "ranks wait where a checkpoint cannot be written"
[ -f "$work/end.checkpoint" ] || { cat "$work/said"; fail "a checkpoint whose folder has gone is lost"; }
"$program" render --resume "$work/end.checkpoint" --steps 1 --engine cpu >/dev/null || fail "a checkpoint in the working folder is damaged"
# Ranks that are killed at any moment end all others, and the last checkpoint stays good.
number=0
kept=0
while [ $number -lt "${MURMURATION_KILLS:-20}" ]; do
    number=$((number + 1))
    rm -f "$work/kept.checkpoint"
    timeout 60 mpirun -n 3 "$cluster" render droplets --size 128x128 --steps 1000000 --engine cpu --threads 1 \
        --checkpoint "$work/kept.checkpoint" --checkpoint-every 50 >"$work/out" 2>"$work/said" &
    run=$!
    sleep "$(echo "$number" | awk '{ print 0.5 + $1 * 0.07 }')"
    victim=$(pgrep -f "^$cluster render" | sed -n "$((number % 3 + 1))p")
    [ -z "$victim" ] || kill -9 "$victim" 2>/dev/null || true
    status=0
    wait $run || status=$?
    [ $status != 124 ] || fail "ranks wait for one that was killed"
    [ $status != 0 ] || fail "a killed rank is no failure"
    if [ -f "$work/kept.checkpoint" ]; then
        kept=$((kept + 1))
        "$program" render --resume "$work/kept.checkpoint" --steps 1 --engine cpu >/dev/null || fail "the last checkpoint is damaged"
    fi
done
[ $kept -gt 0 ] || fail "no checkpoint was ever kept"
# A signal ends all ranks after a whole step, with the checkpoint of that step.
rm -f "$work/kept.checkpoint"
timeout 60 mpirun -n 3 "$cluster" render droplets --size 128x128 --steps 1000000 --engine cpu --threads 1 --checkpoint "$work/kept.checkpoint" \
    --metrics "$work/kept.csv" --every 1000 >"$work/out" 2>"$work/said" &
run=$!
sleep 2
pkill -TERM -f "^$cluster render" || true
status=0
wait $run || status=$?
[ $status != 124 ] && [ $status != 0 ] || fail "an interrupted run ends with $status"
[ "$(grep -c 'interrupted at step' "$work/said")" = 1 ] || { cat "$work/said"; fail "an interruption is not said once"; }
"$program" render --resume "$work/kept.checkpoint" --steps 1 --engine cpu >/dev/null || fail "an interrupted run keeps no checkpoint"
[ -s "$work/kept.csv" ] || fail "an interrupted run keeps no metrics"

step "all is well"
