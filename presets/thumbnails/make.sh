#!/bin/sh
# Makes the picture of every preset, which the window shows to choose from: a frame of the preset itself, cut out of its
# middle. Needs ImageMagick. Run it after a preset has changed:
#   cargo build --release && sh presets/thumbnails/make.sh target/release/murmuration
set -eu
program=$(realpath "${1:-target/release/murmuration}")
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Steps, the part of the lattice's height that is shown, and what else is asked of the program.
make() {
    preset=$1 steps=$2 part=$3
    shift 3
    "$program" render "$preset" --steps "$steps" --every "$steps" --out "$folder/$preset" --engine cpu "$@"
    frame=$(find "$folder/$preset" -name '*.png' | sort | tail -n 1)
    height=$(identify -format '%[fx:round(h*'"$part"')]' "$frame")
    width=$((height * 184 / 116))
    convert "$frame" -gravity center -crop "${width}x$height+0+0" +repage -resize 184x116^ -gravity center \
        -extent 184x116 -strip -quality 88 "$preset.jpg"
}

make murmuration 120 0.75
make veils 600 0.75
make smoke 600 0.75
make ink 600 0.6
make stoop 1600 1
make droplets 1000 0.5
make ribbons 2000 0.6
make shoals 1500 0.8
make simmer 1500 0.7
make fog 1000 0.7
make lagoon 1000 0.9
make paper 300 0.5
# Of so many boids a part is as good as the whole.
make million 1000 0.5 --size 640x640
make caves 300 0.75
make aquarium 1200 0.9
make rings 600 0.9
make temple 600 0.9
make reef 1500 0.9
make chase 700 0.5
make three 2500 0.7
make moods 2400 0.45
make feeding 4000 0.6
make evolve 6000 0.75
make shoal-compare 100 1
make drift-compare 100 0.7
make hunt-compare 300 1
make mill-compare 300 1
make school 450 0.8
make flock 200 0.8
make circles 400 0.7
make flock-million 60 0.6 --size 800x480
make reference 400 0.7
