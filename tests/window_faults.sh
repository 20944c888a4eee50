#!/bin/sh
# Opens the window under Xvfb while an operation fails on purpose, by its number. Whatever fails, the program lives on or ends with one
# message; what it wrote is whole; nothing hangs.
#
#     sh tests/window_faults.sh target/release/murmuration         a few numbers of each operation
#     sh tests/window_faults.sh target/release/murmuration 200     the first 200, until three runs in a row have had no failure
#     sh tests/window_faults.sh target/release/murmuration 200 "write rename"     of these operations
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/debug/murmuration}")
most=${2:-0}
operations=${3:-device submission map thread write rename allocation}

for tool in Xvfb xdotool identify; do
    command -v "$tool" >/dev/null || { echo "please install xvfb, xdotool and imagemagick" >&2; exit 1; }
done
[ -x "$program" ] || { echo "there is no $program; build it first" >&2; exit 1; }

folder=$(mktemp -d)
display_pid=""
end() {
    pkill -KILL -P $$ -x timeout 2>/dev/null || true
    [ -z "$display_pid" ] || kill "$display_pid" 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM

Xvfb -screen 0 900x700x24 -noreset -nolisten tcp -displayfd 3 3>"$folder/display" >/dev/null 2>&1 &
display_pid=$!
tries=50
while [ ! -s "$folder/display" ]; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || { echo "Xvfb does not start" >&2; exit 1; }
    sleep 0.1
done
DISPLAY=:$(cat "$folder/display")
export DISPLAY
unset WAYLAND_DISPLAY

fail() {
    echo "window, $fault: $*" >&2
    cat "$folder/said" >&2
    exit 1
}

# Whether the program still runs; one that has ended stays as a zombie until it is waited for.
lives() {
    case $(ps -o stat= -p "$pid" 2>/dev/null) in "" | Z*) return 1 ;; esac
}

# Plays for a moment with a failure: a film, a still, a checkpoint, a brush, and the end. Leaves its status in $status.
play() {
    fault=$1 engine=$2
    MURMURATION_FAIL=$fault
    export MURMURATION_FAIL
    [ "$fault" != none ] || unset MURMURATION_FAIL
    rm -rf "$folder/played" "$folder/data"
    mkdir "$folder/played"
    : >"$folder/trace"
    # Without noise the kernels are compiled before the first keys.
    (cd "$folder/played" && XDG_DATA_HOME=$folder/data MURMURATION_TRACE=$folder/trace exec timeout 60 "$program" view simmer --size 64x64 --set noise.angle=0 --engine "$engine" >"$folder/said" 2>&1) &
    pid=$!
    unset MURMURATION_FAIL
    tries=60 window=""
    while lives && [ "$tries" -gt 0 ] && [ -z "$window" ]; do
        window=$(xdotool search --onlyvisible --name "Murmuration" 2>/dev/null | tail -n 1)
        tries=$((tries - 1))
        sleep 0.1
    done
    if [ -n "$window" ]; then
        # A film needs steps. A slow machine plays the first one after a second or two, and after some failures none is played.
        tries=30
        while lives && [ "$tries" -gt 0 ] && ! grep -q '"step":[1-9]' "$folder/trace"; do
            tries=$((tries - 1))
            sleep 0.1
        done
        for keys in "windowfocus $window" "key m" "key p" "key ctrl+s" "key b mousemove 400 400 click 1" "key m" "key q"; do
            # shellcheck disable=SC2086 # Each is a command with its words.
            xdotool $keys 2>/dev/null || true
            sleep 0.2
        done
    fi
    # A window that has not taken the keys is told to end.
    tries=100
    while lives && [ "$tries" -gt 0 ]; do
        tries=$((tries - 1))
        [ "$tries" -ne 70 ] || pkill -TERM -P $pid 2>/dev/null || true
        sleep 0.1
    done
    status=0
    wait $pid || status=$?
}

# Whether what was played ended well, and left only whole files.
check() {
    case $status in
        0 | 130) ;;
        1 | 2) [ "$(grep -c "^murmuration: " "$folder/said")" = 1 ] || fail "not one message" ;;
        124) fail "it hangs" ;;
        *) fail "it ends with $status" ;;
    esac
    ! grep -q panicked "$folder/said" || fail "it panicked"
    case $fault in
        # The program ends at once then.
        allocation*) ;;
        *) [ -z "$(find "$folder/played" -name '.murmuration-*')" ] || fail "something unfinished is left" ;;
    esac
    for file in "$folder"/played/*; do
        case $file in
            *.png | *.apng) identify "$file" >/dev/null 2>&1 || fail "$(basename "$file") is not whole" ;;
            *.checkpoint) "$program" render --resume "$file" --steps 1 --out "$folder/out" --overwrite >/dev/null || fail "a checkpoint is not whole" ;;
        esac
    done
    for file in "$folder"/data/murmuration/*.replay.json; do
        [ ! -e "$file" ] || "$program" replay "$file" --engine cpu --json >/dev/null 2>&1 || fail "the last hunt is not whole"
    done
}

# Whether nothing was said of a failure: not at the end, and not on the window's panel, whose messages are in the trace.
is_sound() {
    [ "$status" = 0 ] && ! grep -qiE "fail|lost|cannot|could not" "$folder/said" &&
        ! grep -qE '"message":"[^"]*(fail|lost|cannot|could not)' "$folder/trace"
}

# The first kind of file that a sound run leaves and that is not there.
missing() {
    for wanted in played/*.apng played/*.png played/*.checkpoint data/murmuration/*.replay.json; do
        # shellcheck disable=SC2086 # It is a pattern.
        ls "$folder"/$wanted >/dev/null 2>&1 || { echo "$wanted"; return; }
    done
}

# Plays, and again where a busy machine has lost keys: nothing was said, and a file is missing all the same.
play_all() {
    attempts=5
    while play "$@" && check && is_sound && [ -n "$(missing)" ] && [ "$attempts" -gt 0 ]; do
        attempts=$((attempts - 1))
    done
}

begun=$(date +%s)
play_all none gpu
[ "$status" = 0 ] || fail "a sound run ends with $status"
[ -z "$(missing)" ] || fail "a sound run leaves no $(missing)"
runs=0
for operation in $operations; do
    numbers="1 2 5"
    [ "$operation" != submission ] || numbers="1 4 40"
    [ "$most" = 0 ] || numbers=$(seq 1 "$most")
    engine=gpu sound=0 failed=0
    for number in $numbers; do
        play_all "$operation@$number" "$engine"
        runs=$((runs + 1))
        ! is_sound || [ -z "$(missing)" ] || fail "there is no $(missing), and nothing is said of it"
        if is_sound; then sound=$((sound + 1)); else failed=$((failed + 1)) sound=0; fi
        # Operations that come with time, such as submissions, have no last one.
        case $operation in submission | map) continue ;; esac
        [ "$sound" -lt 3 ] || break
    done
    case $operation in
        submission | map) ;;
        *) [ "$failed" -gt 0 ] || fail "none of the failures struck" ;;
    esac
    echo "window: $operation fails, up to its number $number: $failed said so ($(($(date +%s) - begun)) s)"
done
echo "window: $runs failures, each one message or none, and whole files"
