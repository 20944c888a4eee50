#!/bin/sh
# Opens the window under Xvfb and plays in it as a person would, by mouse and keys. What comes of it is read from the
# window's trace, a line of JSON each second. Ends by itself, well under two minutes; says what went wrong and fails.
set -eu
cd "$(dirname "$0")/.."
program=$(realpath "${1:-target/debug/murmuration}")

for tool in Xvfb xdotool setxkbmap convert; do
    command -v "$tool" >/dev/null || { echo "please install xvfb, xdotool, x11-xkb-utils and imagemagick" >&2; exit 1; }
done
[ -x "$program" ] || { echo "there is no $program; build it first" >&2; exit 1; }

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

fail() {
    echo "window: $*" >&2
    echo "the last lines of the trace:" >&2
    tail -n 3 "$folder/trace" >&2 2>/dev/null || true
    cat "$folder/said" >&2 2>/dev/null || true
    exit 1
}

# The value of a key in the last line of the trace.
get() {
    tail -n 1 "$folder/trace" 2>/dev/null | sed -n "s/.*\"$1\":\"\{0,1\}\([^,}\"]*\).*/\1/p"
}

# Whether an expression of awk holds, in which $name is the number of a key of the last line of the trace. $cpu: whether the engine is one.
holds() {
    expression=$(echo "$1" | sed 's/\$\([a-z_][a-z_]*\)/of["\1"]/g')
    tail -n 1 "$folder/trace" 2>/dev/null | awk '
        { rest = $0 }
        END {
            while (match(rest, /"[a-z_]+":"?[^,}"]*/)) {
                pair = substr(rest, RSTART + 1, RLENGTH - 1)
                rest = substr(rest, RSTART + RLENGTH)
                at = index(pair, "\":")
                of[substr(pair, 1, at - 1)] = substr(pair, at + 2) + 0
            }
            of["cpu"] = $0 ~ /"engine":"[^"]*cpu/
            exit !(NR && ('"$expression"'))
        }'
}

# Waits up to so many seconds until a command succeeds; else fails with words.
wait_for() {
    tries=$(($1 * 20)) words=$2
    shift 2
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || fail "$words"
        [ -z "$window_pid" ] || kill -0 "$window_pid" 2>/dev/null || fail "the window is gone: $words"
        sleep 0.05
    done
}

# Waits up to so many seconds until an expression holds.
await() { wait_for "$1" "$3 (waited $1 s for $2)" holds "$2"; }

# Waits until a key of the trace has a value: await_value SECONDS KEY VALUE WORDS
await_value() { wait_for "$1" "$4 (waited $1 s for $2 = $3)" has_value "$2" "$3"; }
has_value() { [ "$(get "$1")" = "$2" ]; }
# And until it has another one.
await_other() { wait_for "$1" "$4 (waited $1 s for $2 other than $3)" has_other "$2" "$3"; }
has_other() { [ "$(get "$1")" != "$2" ]; }

# Waits for a window's message with a text in it.
says() { wait_for 10 "the window does not say: $1" said_in_window "$1"; }
said_in_window() { tail -n 1 "$folder/trace" | grep -qF "$1"; }

# Whether there is a file of each pattern.
there_are() {
    # shellcheck disable=SC2068 # They are patterns.
    ls $@ >/dev/null 2>&1
}

# Waits for a number of further lines of the trace. The window writes five a second.
next_lines() {
    lines=$(($(wc -l <"$folder/trace") + $1))
    wait_for 10 "the trace has stopped" has_lines "$lines"
}
has_lines() { [ "$(wc -l <"$folder/trace")" -ge "$1" ]; }

# Waits until the window has taken what was done before, and has shown it.
settle() { next_lines 4; }

begun=$(date +%s)
passed() {
    echo "window: $* ($(($(date +%s) - begun)) s)"
}

# Starts an X server with further options. Leaves its process in $server_pid, and its number in a file.
start_server() {
    file=$1
    shift
    Xvfb -screen 0 1280x800x24 -noreset -nolisten tcp "$@" -displayfd 3 3>"$file" >/dev/null 2>&1 &
    server_pid=$!
    wait_for 10 "Xvfb does not start" test -s "$file"
}

# What was said is one message about a missing display, without a path of the machine that compiled the program.
says_no_display() {
    [ "$status" = 1 ] || fail "$1: the program ends with $status"
    grep -q "^murmuration: no display answers (.*murmuration render" "$folder/said" || fail "$1: this is not said"
    [ "$(wc -l <"$folder/said")" = 1 ] || fail "$1: there is more than one message"
    grep -Eq "panicked|registry|\.rs" "$folder/said" && fail "$1: a path of a source file is said"
    return 0
}

# Without a display.
if env -u DISPLAY -u WAYLAND_DISPLAY "$program" view >"$folder/said" 2>&1; then
    fail "view without a display succeeded"
fi
grep -q "there is no display" "$folder/said" || fail "view without a display does not say so"
for stale in DISPLAY=:4711 WAYLAND_DISPLAY=wayland-4711 "WAYLAND_DISPLAY=wayland-4711 DISPLAY=:4711"; do
    status=0
    # shellcheck disable=SC2086 # The variables are words of their own.
    env -u DISPLAY -u WAYLAND_DISPLAY XDG_RUNTIME_DIR="$folder" $stale timeout 20 "$program" view --size 64x64 >"$folder/said" 2>&1 ||
        status=$?
    says_no_display "$stale"
done
# winit panics where a server lacks this extension.
start_server "$folder/display" -extension RANDR
display_pid=$server_pid
status=0
DISPLAY=:$(cat "$folder/display") WAYLAND_DISPLAY='' timeout 20 "$program" view --size 64x64 >"$folder/said" 2>&1 || status=$?
kill "$display_pid"
says_no_display "a server without RANDR"
passed "a missing display is said"

: >"$folder/display"
start_server "$folder/display"
display_pid=$server_pid
DISPLAY=:$(cat "$folder/display")
# The last hunt and the best scores of whoever runs this are not to be touched.
XDG_DATA_HOME=$folder/data
export DISPLAY XDG_DATA_HOME
unset WAYLAND_DISPLAY

open() {
    : >"$folder/trace"
    (cd "$folder" && MURMURATION_TRACE="$folder/trace" exec timeout 115 "$program" "$@" >"$folder/said" 2>&1) &
    window_pid=$!
    wait_for 10 "there is no window" finds_window
    xdotool windowfocus "$window"
}
finds_window() {
    window=$(xdotool search --onlyvisible --name "Murmuration" 2>/dev/null | tail -n 1) && [ -n "$window" ]
}
# Closes the window by its key.
close() {
    xdotool key q
    closed "q ends the program with"
}
# Waits for the end of the program: closed WORDS [STATUS]
closed() {
    status=0
    wait "$window_pid" || status=$?
    window_pid=""
    [ "$status" = "${2:-0}" ] || fail "$1 $status"
    ! grep -q panicked "$folder/said" || fail "the program panicked"
}

# The density around the pointer is known where the state is in memory. Without noise the droplets come by more evenly.
open view droplets --size 192x192 --engine cpu --set noise.angle=0 --set weights.separation=0.15
await 10 '$step >= 2' "nothing moves"
passed "the window is there, and the swarm moves"
settle
import -silent -window root "$folder/shown.png"
colours=$(convert "$folder/shown.png" -crop 900x700+0+100 +repage -resize 200x -format '%k' info:)
[ "$colours" -gt 200 ] || fail "the window shows $colours colours, and no swarm"

# The density around the pointer, with a brush in the hand and then with the hunter: the mean of three seconds.
density() {
    xdotool key r
    settle
    await 15 '$step >= 60 && $step < 100000' "the restart does not run"
    next_lines 15
    tail -n 15 "$folder/trace" | sed -n 's/.*"near":\([^,}]*\).*/\1/p' | awk '{ sum += $1 } END { print sum / NR }'
}
xdotool mousemove 338 400 key b
calm=$(density)
xdotool key v
hunted=$(density)
awk "BEGIN { exit !($hunted < 0.5 * $calm) }" || fail "around the hunter are $hunted boids a cell, and $calm without it"
holds '$lost == 0' || fail "boids were lost"
passed "around the hunter are $hunted boids a cell, and $calm without it"

# The lure draws boids into the jaws; every one that is gone is in the ledger.
xdotool key c mousedown 3
await 20 '$caught > 65536' "no boid is caught"
xdotool mouseup 3 key c
settle
holds '$start + $spawned - $caught == $boids && $lost == 0' || fail "the count and the ledger disagree"
passed "$(get caught) quanta were caught, and the ledger agrees"

xdotool key space
await_value 5 paused true "a pause does not pause"
settle
step=$(get step)
settle
holds "\$step == $step" || fail "a pause does not pause"
xdotool key period
await 5 "\$step == $step + 1" "a single step is none"
passed "pause and single step"

# A brush, and its undo.
xdotool key b mousemove 300 500 mousedown 1 mousemove 380 500 mouseup 1
await 5 '$spawned > 0 && $lost == 0' "the brush spawns nothing"
xdotool key z
await 5 '$spawned == 0 && $lost == 0' "undo does not take the stroke back"
xdotool key s mousedown 1 mousemove 420 540 mouseup 1
await 5 '$solids > 0' "the brush paints no solid"
xdotool key v
passed "brushes and undo"

# The probe looks into the cell under the mouse, while nothing hunts.
xdotool key i mousemove 450 400
await_value 5 hunts false "the probe hunts"
probes() { [ "$(get probe)" = "$(get place)" ] && [ -n "$(get probe)" ]; }
wait_for 5 "the probe is not at the place of the mouse" probes
xdotool key v
passed "the probe"

# A round counts what is caught; a brush calls it off.
xdotool key g
await 10 '$left > 0 && $jaws > 0' "g begins no round"
xdotool key b
await 5 '$left == 0' "a brush does not call the round off"
xdotool key v space
passed "a round, called off"

scale=$(get pixels_per_cell)
xdotool click 4 click 4 click 4
await 5 "\$pixels_per_cell > 1.3 * $scale" "the wheel does not zoom"
xdotool key f
await 5 "\$pixels_per_cell < 1.01 * $scale" "f does not fit"
xdotool key p
wait_for 8 "p saves no still" there_are "$folder/murmuration-droplets-*.png"
# The record is plain text in the file.
grep -aq '"preset":"droplets".*"seed":1,' "$folder"/murmuration-droplets-*.png || fail "the still has no seed in it"
passed "zoom and still"

# The whole hunt, with brushes and undo, is kept and arrives at the same bits without a window.
xdotool key k key ctrl+s
wait_for 20 "k and Ctrl-S keep nothing" there_are "$folder/*.replay.json" "$folder/*.checkpoint"
"$program" replay "$folder"/*.replay.json --engine cpu --json >"$folder/replayed" || fail "the replay ends elsewhere"
"$program" render --resume "$folder"/*.checkpoint --steps 5 >"$folder/resumed" || fail "the checkpoint is not resumed"
passed "replay and checkpoint: $(tail -n 1 "$folder/replayed")"

# A film goes on through a restart and into another preset; it has a frame for every step that was played meanwhile.
xdotool key m key space key r
await 10 "\$step >= 1 && \$step < $step" "r does not restart"
xdotool key 7
await_value 10 preset ribbons "7 does not change the preset"
passed "restart and another preset"
filmed=$(get film_frames)
await 20 "\$film_frames > $filmed + 3" "another preset is not filmed"
xdotool click 4 key m
await 20 '$filming == 0' "the film is not completed"
film=$(ls "$folder"/murmuration-droplets-*.apng) || fail "there is no film"
steps=$(get film_steps)
frames=$(LC_ALL=C grep -aoP '\x00\x00\x00\x1afcTL' "$film" | wc -l)
header=$(LC_ALL=C grep -aobm 1 acTL "$film" | head -n 1 | cut -d : -f 1)
said=$(od -An -tu1 -j $((header + 4)) -N 4 "$film" | awk '{ print (($1 * 256 + $2) * 256 + $3) * 256 + $4 }')
[ "$frames" = "$steps" ] && [ "$said" = "$steps" ] ||
    fail "$frames frames are in the film, $said in its header, of $steps steps"
[ "$(identify -format '%wx%h' "$film[0]")" = 960x800 ] || fail "the film is not as large as what the window shows beside its panel"
passed "a film of $frames frames of as many steps"

for size in "900 600" "1280 800" "500 333"; do
    # shellcheck disable=SC2086 # Width and height are words of their own.
    xdotool windowsize "$window" $size
    wait_for 8 "the window does not follow to $size" said_in_window "\"window\":[$(echo "$size" | tr ' ' ,)]"
done
xdotool key Tab key F11 key question key Escape key Escape
settle
kill -0 "$window_pid" 2>/dev/null || fail "the window did not survive a resize"
passed "resize, at $(get frames_a_second) frames a second"

# A window that closes completes its film.
xdotool key m
await 25 '$filming == 1 && $film_frames > 0' "no second film begins"
close
grep -q "^saved .* as .*murmuration-ribbons-.*\.apng$" "$folder/said" || fail "a film is not completed when the window closes"
[ "$(identify -format '%wx%h' "$(ls "$folder"/murmuration-ribbons-*.apng)[0]")" = 500x333 ] || fail "the second film is broken"
passed "q closes the window, and completes its film: $(tail -n 1 "$folder/said")"

# The last hunt was kept: it is played again, and watched in the window, where Enter takes it over.
"$program" replay --engine cpu --json >"$folder/replayed" || fail "the last hunt was not kept, or ends elsewhere"
open replay --engine cpu
await 10 '$step >= 2' "the hunt that is watched does not move"
[ "$(get watching)" = true ] || fail "nothing is watched"
xdotool key Return
await_value 8 watching false "Enter does not take the hunt over"
holds '$lost == 0' || fail "boids were lost"
close
passed "the last hunt is watched and taken over"

# Keys act by their places under layouts whose characters are no shortcuts. A Wayland display that does not answer is passed over.
WAYLAND_DISPLAY=wayland-4711
export WAYLAND_DISPLAY
open view droplets --size 64x64 --engine cpu
unset WAYLAND_DISPLAY
await 10 '$step >= 2' "nothing moves where a Wayland display does not answer"
for layout in us ru gr fr; do
    setxkbmap "$layout"
    # The keys 7, Ctrl-S, 9, Ctrl-S and b. The names of the checkpoints tell the presets.
    xdotool key Escape key 16 key ctrl+39 key 18 key ctrl+39 key 56
    for preset in ribbons simmer; do
        wait_for 5 "$layout: the digits and Ctrl-S save no checkpoint of $preset" there_are "$folder/murmuration-$preset-*.checkpoint"
        rm -f "$folder/murmuration-$preset"-*.checkpoint
    done
    await_value 5 tool spawn "$layout: the key of b leads to another tool"
done
# A dead key acts, and the letter after it is without its accent.
xdotool key 34 key 26
await_value 5 tool erase "an accent and an e lead to another tool"
setxkbmap us
xdotool key 24
closed "q ends the program with"
passed "keys under Latin, Cyrillic and Greek layouts"

# A session that ends closes the window as its button does: what was asked for just before, the film and the hunt are kept.
open view simmer --size 64x64
await 10 '$step >= 2' "nothing moves"
xdotool mousemove 450 400
settle
xdotool key m
await 25 '$filming == 1 && $film_frames > 0' "no film begins"
rm -f "$XDG_DATA_HOME/murmuration/last-hunt.replay.json"
xdotool key p key p key ctrl+s key ctrl+s
# It is the program that is told, not what watches over its time.
pkill -TERM -P "$window_pid"
closed "SIGTERM ends the window with" 130
grep -q "^saved .* as .*murmuration-simmer-.*\.apng$" "$folder/said" || fail "SIGTERM leaves no film"
"$program" replay --engine cpu --json >"$folder/replayed" || fail "the hunt before SIGTERM was not kept, or ends elsewhere"
[ -z "$(find "$folder" -name '.murmuration-*')" ] || fail "SIGTERM leaves something unfinished behind"
[ "$(find "$folder" -name 'murmuration-simmer-*.png' | wc -l)" = 2 ] || fail "of two stills one took the place of the other"
[ "$(find "$folder" -name 'murmuration-simmer-*.checkpoint' | wc -l)" = 2 ] || fail "of two checkpoints not both were kept"
rm -f "$folder"/murmuration-simmer-*
passed "SIGTERM closes the window, and keeps its film and its hunt"

# A scene on disk, with a kernel of its own: what changes there is taken over, and what is wrong there is said.
cp -r examples/wind "$folder/wind"
sed -i 's/size = .*/size = [64, 64]/; s/boids = .*/boids = 800/' "$folder/wind/windy.toml"
open view wind/windy.toml --engine gpu
await 20 '$step >= 3' "nothing moves"
boids=$(get boids)
line=$(grep -n '^alignment' "$folder/wind/windy.toml" | cut -d : -f 1)
sed -i 's/^alignment = .*/alignment = much/' "$folder/wind/windy.toml"
says "windy.toml:$line"
sed -i 's/^alignment = .*/alignment = 0.6/' "$folder/wind/windy.toml"
says "reloaded windy.toml; the same swarm goes on"
step=$(get step)
# In place this time, and not by a new file in the place of the old one.
cp "$folder/wind/wind.wgsl" "$folder/sound.wgsl"
sed 's/Vector3(swing/Vectr(swing/' "$folder/sound.wgsl" >"$folder/wind/wind.wgsl"
says "wind.wgsl:5"
sed 's/128u)/200u)/' "$folder/sound.wgsl" >"$folder/wind/wind.wgsl"
says "reloaded wind.wgsl; the same swarm goes on"
await 10 "\$step > $step && \$boids == $boids && \$lost == 0" "the swarm does not go on"
rm -f "$folder"/*.replay.json
xdotool key k
says "saved"
xdotool key ctrl+shift+s
says "murmuration-windy.toml"
hash_of() {
    (cd "$folder" && "$program" render "$@" --engine gpu --steps 4 --json 2>/dev/null) | sed -n 's/.*"state_hash": *"\([0-9a-f]*\)".*/\1/p'
}
saved=$(hash_of murmuration-windy.toml)
[ -n "$saved" ] && [ "$saved" = "$(hash_of wind/windy.toml)" ] || fail "the saved preset is another one"
echo nonsense >"$folder/wind/wind.wgsl"
(cd "$folder" && "$program" replay ./*.replay.json --engine gpu --json >"$folder/replayed") || fail "the replay needs the old files"
cp "$folder/sound.wgsl" "$folder/wind/wind.wgsl"
sed -i 's/boids = .*/boids = 700/' "$folder/wind/windy.toml"
await 10 "\$boids == 700 * 65536" "another start does not begin anew"
close
passed "files that change are taken over, mistakes in them are said, and the preset is saved"

# A deep world is hunted on its middle plane and turned around, and seen from above again.
open view school --size 96x60
await 10 '$step >= 2' "nothing moves"
xdotool mousemove 470 400
await_value 5 hunts true "nothing hunts in a deep world"
yaw=$(get yaw)
[ "$yaw" != null ] || fail "a deep world is not seen from around"
xdotool mousedown 2 mousemove 560 430 mouseup 2
await_other 5 yaw "$yaw" "the middle button does not turn a deep world"
xdotool key d
await_value 8 yaw null "d does not lead back to the view from above"
xdotool key x
says "has no cells"
close
passed "a deep world is hunted and turned around"

# In a deep world of cells the jaws are as deep as the crowd under the pointer, and the view goes along with a falcon.
open view murmuration --size 48x48 --set start.run_in=400 --engine cpu
await 15 '$run_in > 0 && $step == 0' "the run-in is not shown"
await 60 '$step >= 2' "nothing moves"
xdotool mousemove 480 400 key c mousedown 3
await 20 '$caught > 0 && $lost == 0' "nothing is caught in depth"
xdotool mouseup 3 key c
# After a while without a move the hunter rests, and the falcons hunt.
await_value 20 hunts false "the hunter never rests where falcons fly"
yaw=$(get yaw)
xdotool key n
await_other 8 yaw "$yaw" "n does not take the view along with a falcon"
close
holds '$lost == 0' || fail "boids were lost"
passed "the hunt in depth, and the view with a falcon"

# Cells and individuals side by side: one start, one hunter, one clock, two ledgers.
open view droplets --size 96x96
await 10 '$step >= 2' "nothing moves"
xdotool key x
await 20 '$individuals == $boids && $step >= 2' "x brings no individuals"
xdotool key c mousemove 700 400 mousedown 3
await 30 '$caught > 0 && $individuals_caught > 0' "the lure in one half does not catch in both"
xdotool mouseup 3 key c key space
await_value 5 paused true "a pause does not pause"
settle
holds '$lost == 0 && $individuals_lost == 0 && $individuals + $individuals_caught == $start' || fail "a ledger is wrong"
boids=$(get individuals)
xdotool key b mousemove 200 500 mousedown 1 mouseup 1
await 5 "\$spawned > 0 && \$individuals > $boids" "the brush does not spawn in both"
xdotool key z
await 5 "\$spawned == 0 && \$individuals == $boids" "undo does not take both strokes back"
xdotool key v mousemove 480 300 mousedown 1 mousemove 600 300 mouseup 1
await 5 '$divider > 560 && $divider < 640' "the divider is not dragged"
xdotool key p
says "saved"
xdotool key x
await_value 5 models individuals "x does not show the individuals alone"
xdotool key x
await 10 '$individuals == 0' "x does not lead back to the cells"
close
passed "cells and individuals side by side"

# The picture reads the swarm in the textures of the engine; a film goes on while the engine changes, with every step in it.
open view droplets --size 96x96 --engine gpu
await 20 '$step >= 20' "nothing moves"
readbacks=$(get state_readbacks)
await 20 '$step >= 80' "nothing moves"
holds "\$state_readbacks == $readbacks && \$cpu == 0 && \$lost == 0" || fail "the state was read back for a picture"
import -silent -window root "$folder/shown.png"
colours=$(convert "$folder/shown.png" -crop 900x700+0+100 +repage -resize 200x -format '%k' info:)
[ "$colours" -gt 200 ] || fail "of a swarm on the GPU the window shows $colours colours"
passed "$(get frames_a_second) frames and $(get steps_a_second | cut -d . -f 1) steps a second on one device"
xdotool key m
await 25 '$filming == 1 && $film_frames > 2' "no film of a swarm on the GPU begins"
xdotool key u
await 20 '$cpu == 1' "u does not change to the CPU"
filmed=$(get film_frames)
await 20 "\$film_frames > $filmed + 3" "the film does not go on with the CPU"
xdotool key u
await 20 '$cpu == 0' "u does not change back to the GPU"
filmed=$(get film_frames)
await 20 "\$film_frames > $filmed + 3 && \$lost == 0 && \$boids == \$start" "the film does not go on with the GPU"
xdotool key space key m
await 20 '$filming == 0' "the film is not completed"
holds '$film_frames == $film_steps' || fail "$(get film_frames) frames of $(get film_steps) steps"
close
passed "engines change while a film runs"

# Losses: of the window's device at its first frame, of it in the middle (and eight attempts to open another fail, meanwhile
# the window gets another size), of the engine's device. Every time the hunt goes on with the same boids.
is_without_device() { xdotool search --name "looking for another" >/dev/null 2>&1; }
for loss in canvas@0 canvas@40+8 engine@30+3600 canvas@40; do
    MURMURATION_LOSE_DEVICE=$loss
    export MURMURATION_LOSE_DEVICE
    case $loss in
        # The engine is on the device of the window, and both come back on another one.
        canvas@40) open view simmer --size 64x64 --engine gpu; lost='$canvases == 2 && $cpu == 0' ;;
        canvas*) open view simmer --size 64x64; lost='$canvases == 2' ;;
        *) open view simmer --size 64x64 --engine gpu; lost='$step > 60 && $cpu == 1' ;;
    esac
    unset MURMURATION_LOSE_DEVICE
    if [ "$loss" = canvas@40+8 ]; then
        wait_for 10 "$loss: no device is looked for" is_without_device
        xdotool windowsize "$window" 500 700
    fi
    await 40 "$lost" "$loss: the hunt does not go on"
    if [ "$loss" = canvas@40+8 ]; then
        settle
        fitted=$(get pixels_per_cell)
        xdotool windowfocus "$window" key f
        settle
        holds "\$pixels_per_cell == $fitted" || fail "$loss: the world is not fitted to the window's new size"
    fi
    step=$(get step)
    xdotool mousemove 200 200 windowsize "$window" 700 500
    await 40 "\$step > $step + 5 && \$lost == 0 && \$boids == \$start" "$loss: boids are missing"
    if [ "$loss" = engine@30+3600 ]; then
        # Out of sight and back, and with hardly any area.
        xdotool windowunmap "$window"
        sleep 1
        xdotool windowmap "$window" windowsize "$window" 1 1
        settle
        xdotool windowsize "$window" 640 480
        step=$(get step)
        await 10 "\$step > $step + 5" "the window does not come back"
        xdotool windowfocus "$window"
    fi
    close
    passed "$loss: the hunt goes on"
done

# Where no other device can be had, the swarm is saved and the program ends with words.
rm -f "$folder"/*.checkpoint
MURMURATION_LOSE_DEVICE=canvas@20+3600
export MURMURATION_LOSE_DEVICE
open view simmer --size 64x64
unset MURMURATION_LOSE_DEVICE
closed "a window without a device ends with" 1
grep -q "was lost.*the swarm was saved to .*checkpoint" "$folder/said" || fail "a window without a device does not say so"
"$program" render --resume "$folder"/*.checkpoint --steps 1 >"$folder/resumed" || fail "what was saved is not resumed"
passed "a window without a device saves the swarm"

# A display that closes ends the program, with words and without a hang.
open view simmer --size 64x64
await 10 '$step >= 1' "nothing moves"
kill "$display_pid"
display_pid=""
watched=$window_pid
window_pid=""
has_ended() { ! kill -0 "$watched" 2>/dev/null; }
wait_for 10 "the program hangs after its display has closed" has_ended
grep -q panicked "$folder/said" && fail "a display that closes makes the program panic"
passed "a display that closes ends the program: $(head -n 1 "$folder/said")"
