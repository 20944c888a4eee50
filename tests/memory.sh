#!/bin/sh
#     sh tests/memory.sh [SECONDS] [PROGRAM] [ENGINE]
#
# Hunts in the window under Xvfb for so many seconds (600), with an engine (cpu), and reads every 10 s what memory the program holds: after the
# first fifth of the time it is to grow by less than 1 MiB a minute. Not part of the usual tests, because of its length.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
program=$(realpath "${2:-target/debug/murmuration}")
engine=${3:-cpu}
folder=$(mktemp -d)
display_pid=""
window_pid=""
end() {
    [ -z "$window_pid" ] || kill "$window_pid" 2>/dev/null || true
    [ -z "$display_pid" ] || kill "$display_pid" 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 130' INT TERM

Xvfb -screen 0 1280x800x24 -nolisten tcp -displayfd 3 3>"$folder/display" >/dev/null 2>&1 &
display_pid=$!
while [ ! -s "$folder/display" ]; do sleep 0.1; done
DISPLAY=:$(cat "$folder/display")
export DISPLAY
cd "$folder"
MURMURATION_TRACE="$folder/trace" "$program" view simmer --size 128x128 --engine "$engine" >"$folder/said" 2>&1 &
window_pid=$!
while [ ! -s "$folder/trace" ]; do sleep 0.1; done
window=$(xdotool search --onlyvisible --name Murmuration | tail -n 1)
xdotool windowfocus "$window" key c mousemove 300 300 mousedown 1

begun=$(date +%s)
now=0
next=0
turn=0
while [ "$now" -lt "$seconds" ]; do
    # Some sixty places a second, on a circle.
    places=$(awk -v turn="$turn" 'BEGIN { for (i = 0; i < 60; i++) {
        angle = (turn * 60 + i) / 40
        printf "mousemove %d %d sleep 0.015 ", 460 + 300 * cos(angle), 400 + 300 * sin(angle)
    } }')
    # shellcheck disable=SC2086 # Every word is one of xdotool's.
    xdotool $places
    turn=$((turn + 1))
    now=$(($(date +%s) - begun))
    kill -0 "$window_pid" || { cat "$folder/said" >&2; exit 1; }
    if [ "$now" -ge "$next" ]; then
        next=$((next + 10))
        kibibytes=$(sed -n 's/VmRSS:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$window_pid/status")
        echo "$now $kibibytes $(tail -n 1 "$folder/trace" | sed -n 's/.*"step":\([0-9]*\).*/\1/p')" >>"$folder/memory"
        tail -n 1 "$folder/memory"
    fi
done
# The slope of a line through what is after the first fifth (least squares).
awk -v from=$((seconds / 5)) '$1 >= from { n++; x += $1; y += $2; xx += $1 * $1; xy += $1 * $2 }
    END {
        slope = 60 * (n * xy - x * y) / (n * xx - x * x)
        printf "memory: %.0f KiB more a minute\n", slope
        exit slope > 1024
    }' "$folder/memory"
