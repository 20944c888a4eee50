//! Mistakes in the user's input are reported at once, in one line, and no output is made.

use crate::support::command::{Folder, repository};
use std::time::Duration;

/// The shortest valid preset. Added lines stand in `[world]`, from line 10 on.
const PRESET: &str = "\
description = \"x\"
[sight]
cohesion = { disc = 3 }
separation = { disc = 2 }
alignment = { disc = 2 }
[start]
boids = 9
[world]
size = [24, 16]
";

/// A chain with a pass per rule, an old version of `passes/cell.toml`.
const CHAIN: &str = "\
description = \"x\"
model = \"cell\"
[fields]
cohesion = \"vector\"
alignment = \"vector\"
outflow_x = \"amount\"
outflow_y = \"amount\"
outflow_xy = \"amount\"
[[pass]]
kernel = \"cohesion\"
sight = \"cohesion\"
read = [\"density\"]
write = [\"cohesion\"]
[[pass]]
kernel = \"alignment\"
sight = \"alignment\"
read = [\"density\", \"control\"]
write = [\"alignment\"]
[[pass]]
kernel = \"steer\"
read = [\"control\", \"cohesion\", \"alignment\"]
write = [\"control\"]
[[pass]]
kernel = \"outflow\"
read = [\"density\", \"capacity\", \"control\"]
write = [\"control\", \"outflow_x\", \"outflow_y\", \"outflow_xy\"]
[[pass]]
kernel = \"advect\"
read = [\"density\", \"control\", \"outflow_x\", \"outflow_y\", \"outflow_xy\"]
write = [\"density\", \"control\"]
[[pass]]
kernel = \"wander\"
read = [\"density\", \"capacity\"]
write = [\"density\"]
";

pub const RULE: &str = "description = \"x\"\nextends = \"cell\"\n[[rule]]\nkernel = \"mine.wgsl\"\nweight = 1.0\n";

/// Checks that the program refuses its input: with status 2, in one line that contains all of `says`, quickly, and
/// without output files.
pub fn is_refused(folder: &Folder, arguments: &[&str], says: &[&str]) {
    let before = folder.names();
    let run = folder.run(arguments);
    let what = format!("{arguments:?} must say {says:?}: {run:?}");
    assert_eq!(run.status, Some(2), "{what}");
    assert_eq!(run.out, "", "{what}");
    let complaint = run.complaint();
    assert!(says.iter().all(|part| complaint.contains(part)), "{what}");
    assert!(complaint.len() < 1500, "nobody reads that much: {what}");
    assert!(run.took < Duration::from_secs(5), "{what}");
    assert_eq!(folder.names(), before, "{what}");
}

const RENDER: [&str; 9] = ["--steps", "3", "--threads", "1", "--out", "frames", "--metrics", "run.csv", "--json"];

/// `check` and `render` refuse the preset with equal words.
fn preset_is_refused(folder: &Folder, says: &[&str]) {
    is_refused(folder, &["check", "p.toml"], says);
    is_refused(folder, &[&["render", "p.toml"][..], &RENDER].concat(), says);
}

fn chain_is_refused(folder: &Folder, says: &[&str]) {
    is_refused(folder, &["check", "c.toml"], says);
    let render = ["render", "droplets", "--size", "32x32", "--chain", "c.toml"];
    is_refused(folder, &[&render[..], &RENDER].concat(), says);
}

/// Replaces a part of the text that occurs once.
fn replaced(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from:?}");
    text.replace(from, to)
}

#[test]
fn the_examples_from_which_the_mistakes_are_made_are_sound() {
    let folder = Folder::new();
    folder.write("p.toml", PRESET);
    folder.write("c.toml", CHAIN);
    folder.write("rule.toml", RULE);
    folder.write("mine.wgsl", "fn mine(cell: Cell) -> Vector {\n    return Vector(0);\n}\n");
    folder.run(&["check", "p.toml", "c.toml", "rule.toml", "mine.wgsl"]).succeeded();
    folder.run(&["render", "p.toml", "--chain", "c.toml", "--steps", "3", "--threads", "1"]).succeeded();
}

#[test]
fn presets_with_a_mistake_are_refused() {
    let rows: &[(&str, &str, &str)] = &[
        // A line, its replacement, and the message.
        ("description = \"x\"\n", "", "p.toml:1: description: is missing; add one line"),
        ("\"x\"", "\"  \"", "p.toml:1: description: is empty"),
        ("\"x\"", "\"x\\ny\"", "p.toml:1: description: is longer than one line"),
        ("\"x\"", "3", "p.toml:1: description: invalid type: integer `3`; expected a string"),
        ("\"x\"", "\"x", "p.toml:1: "),
        ("\"x\"", "\"x\"\ndescription = \"y\"", "p.toml:2: duplicate key"),
        ("\"x\"", "\"x\"\nmodel = \"agents\"", "p.toml:1: agents.rules: is missing; say whose rules they follow"),
        ("\"x\"", "\"x\"\nagents = { rules = \"flock\" }", "p.toml:2: agents: means nothing with this model"),
        ("\"x\"", "\"x\"\nmodel = \"fish\"", "p.toml:2: model: unknown value `fish`; expected `cell` or `agents`"),
        ("\"x\"", "\"x\"\nseed = -1", "p.toml:2: seed: -1 is out of bounds"),
        ("\"x\"", "\"x\"\nseed = 9223372036854775808", "p.toml:2: "),
        ("\"x\"", "\"x\"\nseed = 1.5", "p.toml:2: seed: invalid type: floating point `1.5`; expected a whole number"),
        ("\"x\"", "\"x\"\nchain = 7", "p.toml:2: chain: invalid type"),
        ("\"x\"", "\"x\"\nchain = \"nope\"", "p.toml:2: chain: nope: no chain has this name; one of cell"),
        ("\"x\"", "\"x\"\nchain = \"no/such.toml\"", "p.toml:2: chain: no/such.toml: cannot be read"),
        ("\"x\"", "\"x\"\nspeed = 1", "p.toml:2: speed: unknown key `speed`; expected one of `description`"),
        ("{ disc = 3 }", "{ disc = 0.5 }", "p.toml:3: sight.cohesion.disc: 0.5 is out of bounds; it must be from 1 to"),
        ("{ disc = 3 }", "{ disc = nan }", "p.toml:3: sight.cohesion.disc: NaN is out of bounds"),
        ("{ disc = 3 }", "{ disc = inf }", "p.toml:3: sight.cohesion.disc: inf is out of bounds"),
        ("{ disc = 3 }", "{ disc = -1e300 }", "p.toml:3: sight.cohesion.disc: "),
        ("{ disc = 3 }", "{ disc = 255 }", "p.toml:3: sight.cohesion.disc: 204"),
        ("{ disc = 3 }", "{ box = 256 }", "p.toml:3: sight.cohesion.box: 256 is out of bounds"),
        ("{ disc = 3 }", "{ box = 2.0 }", "p.toml:3: sight.cohesion.box: invalid type"),
        ("{ disc = 3 }", "{ box = 9223372036854775807 }", "p.toml:3: sight.cohesion.box: 9223372036854775807 is out"),
        ("{ disc = 3 }", "{ disc = 3, box = 2 }", "p.toml:3: sight.cohesion: has disc and box at once"),
        ("{ disc = 3 }", "{}", "p.toml:3: sight.cohesion: says no form; add one of disc"),
        ("{ disc = 3 }", "{ list = [] }", "p.toml:3: sight.cohesion.list: a sight that sees no other cell"),
        ("{ disc = 3 }", "{ list = [[0, 0]] }", "p.toml:3: sight.cohesion.list: a sight that sees no other cell"),
        ("{ disc = 3 }", "{ list = [[1, 0], [1, 0]] }", "p.toml:3: sight.cohesion.list: the vector [1, 0] is listed"),
        ("{ disc = 3 }", "{ list = [[1, -256]] }", "p.toml:3: sight.cohesion.list: -256 is out of bounds"),
        ("{ disc = 3 }", "{ list = [[1]] }", "p.toml:3: sight.cohesion"),
        ("{ disc = 3 }", "{ rings = { directions = 5, radii = [1] } }", "p.toml:3: sight.cohesion.rings: 5 directions"),
        (
            "{ disc = 3 }",
            "{ rings = { directions = 4, radii = [0] } }",
            "p.toml:3: sight.cohesion.rings.radii: 0 is out",
        ),
        ("{ disc = 3 }", "{ rings = { directions = 4, radii = [] } }", "p.toml:3: sight.cohesion.rings: no radii"),
        ("{ disc = 3 }", "{ rings = { directions = 4 } }", "p.toml:3: sight.cohesion.rings: missing key `radii`"),
        ("{ disc = 3 }", "7", "p.toml:3: sight.cohesion: invalid type: integer `7`; expected a table"),
        ("cohesion = { disc = 3 }\n", "", "sight.cohesion: is missing; add [sight.cohesion]"),
        ("[sight]", "[sight]\n\"a b\" = { disc = 2 }", "p.toml:2: sight: the name \"a b\" cannot be that of a rule"),
        ("boids = 9", "boids = -1", "p.toml:7: start.boids: -1 is out of bounds"),
        ("boids = 9", "boids = 9.5", "p.toml:7: start.boids: invalid type: floating point `9.5`"),
        ("boids = 9", "boids = 25165441", "p.toml:7: start.boids: 25165441 boids do not fit into this world"),
        ("boids = 9", "boids = 9223372036854775807", "p.toml:7: start.boids: 9223372036854775807 is out of bounds"),
        ("boids = 9", "", "p.toml:6: start.boids: is missing"),
        ("boids = 9", "boids = 9\nshape = \"star\"", "p.toml:8: start.shape: unknown value `star`"),
        ("boids = 9", "boids = 9\nshape = \"map\"", "start.file: is missing; name the picture"),
        ("boids = 9", "boids = 9\nshape = \"array\"", "start.file: is missing"),
        ("boids = 9", "boids = 9\nwidth = 0.5", "p.toml:8: start.width: means nothing with this start.shape"),
        ("boids = 9", "boids = 9\npatch = 3", "p.toml:8: start.patch: means nothing with this start.headings"),
        ("boids = 9", "boids = 9\nheadings = \"random\"\npatch = -1", "p.toml:9: start.patch: -1 is out of bounds"),
        ("boids = 9", "boids = 9\nheadings = \"random\"\nspeed = nan", "p.toml:9: start.speed: NaN is out of bounds"),
        ("boids = 9", "boids = 9\nrun_in = -1", "p.toml:8: start.run_in: -1 is out of bounds"),
        ("boids = 9", "boids = 9\nrun_in = 1e9", "p.toml:8: start.run_in: invalid type: floating point"),
        ("boids = 9", "boids = 9\nshape = \"blobs\"\ncount = 0", "p.toml:9: start.count: 0 is out of bounds"),
        ("boids = 9", "boids = 9\nshape = \"blobs\"\nat = []", "p.toml:9: start.at: has no places"),
        ("boids = 9", "boids = 9\nshape = \"blobs\"\nat = [[0.5, 1.1]]", "p.toml:9: start.at: 1.1 is out of bounds"),
        ("boids = 9", "boids = 9\nshape = \"ring\"\nat = [[0.5, 0.5]]", "p.toml:9: start.at: has many places"),
        ("boids = 9", "boids = 9\nshape = \"ring\"\nradius = -0.1", "p.toml:9: start.radius: -0.1 is out of bounds"),
        ("[24, 16]", "[0, 16]", "p.toml:9: world.size: there is no lattice of this size"),
        ("[24, 16]", "[65536, 1]", "p.toml:9: world.size: there is no lattice of this size"),
        ("[24, 16]", "[-24, 16]", "p.toml:9: world.size: there is no lattice of this size"),
        ("[24, 16]", "[4294967297, 1]", "p.toml:9: world.size: there is no lattice of this size"),
        ("[24, 16]", "[24]", "p.toml:9: world.size: invalid length 1; expected a list of 2 or 3 numbers"),
        ("[24, 16]", "[24, 16, 8, 4]", "p.toml:9: world.size: invalid length 4; expected a list of 2 or 3 numbers"),
        (
            "[24, 16]",
            "[24, 16, 8]",
            "p.toml:5: sight.alignment.disc: is flat, and the world is deep; say ball instead of disc",
        ),
        ("[24, 16]", "[24, nan]", "p.toml:9: world.size"),
        ("[24, 16]", "[[24, 16]", "p.toml:"),
        ("size = [24, 16]\n", "", "p.toml:8: world.size: is missing"),
    ];
    let folder = Folder::new();
    for (from, to, says) in rows {
        folder.write("p.toml", replaced(PRESET, from, to));
        preset_is_refused(&folder, &[says]);
    }
}

#[test]
fn presets_with_an_added_mistake_are_refused() {
    let rows: &[(&str, &str)] = &[
        ("edges = \"sphere\"", ":10: world.edges: unknown value `sphere`; expected one of `torus`, `walls`, `endless`"),
        ("edges = true", ":10: world.edges"),
        ("margin = 3", ":10: world.margin: means nothing with this world.edges"),
        ("edges = \"walls\"\nmargin = 5", ":11: world.margin: 5 cells are too wide for this world"),
        ("edges = \"walls\"\nmargin = -1", ":11: world.margin: -1 is out of bounds"),
        ("capacity = 0", ":10: world.capacity: is no number of boids that a cell can hold"),
        ("capacity = nan", ":10: world.capacity: is no number of boids"),
        ("capacity = inf", ":10: world.capacity: is no number of boids"),
        ("capacity = 1e308", ":10: world.capacity: is no number of boids"),
        ("capacity = 0.01", ":7: start.boids: 9 boids do not fit into this world; at most 3 fit"),
        ("[[world.solid]]", ":10: world.solid[0]: says no form"),
        ("[[world.solid]]\nmask = \"no.png\"", ":11: world.solid[0].mask: no.png: No such file"),
        ("[[world.solid]]\nmask = \".\"", ":11: world.solid[0].mask: .: is not a plain file"),
        ("[[world.solid]]\nmask = \"p.toml\"", ":11: world.solid[0].mask: p.toml: is not a whole picture"),
        ("[[world.solid]]\ncircle = { at = [0.5, 0.5], radius = 2 }", ":11: world.solid[0].circle.radius: 2 is out of"),
        ("[[world.solid]]\ncircle = { at = [0.5, nan], radius = 1 }", ":11: world.solid[0].circle.at: NaN is out of"),
        ("[[world.solid]]\ncircle = { at = [0.5, 0.5] }", ":11: world.solid[0].circle: missing key `radius`"),
        (
            "[[world.solid]]\nmask = \"a\"\ncircle = { at = [0.5, 0.5], radius = 1 }",
            ":10: world.solid[0]: has circle and mask at once",
        ),
        ("[[world.solid]]\nrectangle = { from = [0.6, 0], to = [0.4, 1] }", ":11: world.solid[0].rectangle.to: lies"),
        (
            "[[world.solid]]\nrectangle = { from = [0, 0], to = [1, 1] }",
            ":7: start.boids: 9 boids do not fit into this world; at most 0 fit",
        ),
        ("[weights]\ncohesion = 32.1", ":11: weights.cohesion: 32.1 is out of bounds; it must be from -32 to 32"),
        ("[weights]\ncohesion = -1e99", ":11: weights.cohesion: "),
        ("[weights]\ncohesion = nan", ":11: weights.cohesion: NaN is out of bounds"),
        ("[weights]\ncohesion = \"much\"", ":11: weights.cohesion: invalid type: string \"much\"; expected a number"),
        (
            "[weights]\ntelepathy = 1",
            ":11: weights.telepathy: the chain cell-fast has no rule \"telepathy\" to be weighted",
        ),
        ("[weights]\n\"\" = 1", ": weights: the name \"\" cannot be that of a rule"),
        ("[separation]\ncrowd = 0", ":11: separation.crowd: is 0 in perceived density"),
        ("[separation]\ncrowd = 60000\n[perception]\nshift = 0", ":11: separation.crowd: is 3932160000 in perceived"),
        ("[perception]\nshift = 32", ":11: perception.shift: 32 is out of bounds"),
        ("[perception]\nshift = -1", ":11: perception.shift: -1 is out of bounds"),
        ("[movement]\nkeep = 1.1", ":11: movement.keep: 1.1 is out of bounds"),
        ("[movement]\nmax = 0", ":11: movement.max: nothing could move"),
        ("[movement]\nmax = 3", ":11: movement.max: 3 is out of bounds"),
        ("[movement]\ncruise = 1", ":11: movement.cruise: is above movement.max"),
        ("[movement]\nwander = 0.13", ":11: movement.wander: 0.13 is out of bounds; it must be from 0 to 0.125"),
        ("[movement]\ndistribution = \"evenly\"", ":11: movement.distribution: unknown value `evenly`"),
        ("[movement]\ncarry = \"yes\"", ":11: movement.carry: invalid type: string \"yes\""),
        ("[hunter]\nreach = 0", ":11: hunter.reach: 0 is out of bounds; it must be from 1 to 255"),
        ("[hunter]\nat = [0.5]", ":11: hunter.at"),
        ("[hunter]\nat = [0.5, 2]", ":11: hunter.at: 2 is out of bounds"),
        ("[hunter]\npath = []", ":11: hunter.path: has 0 places"),
        ("[hunter]\npath = [[0, 0]]\nat = [0, 0]", ":10: hunter: has at and path at once"),
        ("[hunter]\nspeed = 1", ":11: hunter.speed: means nothing"),
        ("[hunter]\npath = [[0, 0]]\nspeed = 65", ":12: hunter.speed: 65 is out of bounds"),
        ("[hunter]\nmood = \"hungry\"", ":11: hunter.mood: unknown value `hungry`"),
        ("[look]\nexposure = 0", ":11: look.exposure: 0 is out of bounds"),
        ("[look]\nbloom = nan", ":11: look.bloom: NaN is out of bounds"),
        ("[lok]", ":10: lok: unknown key `lok`"),
        ("[world]", ":10: "),
        ("= 3", ":10: "),
        ("\u{0}", ":10: "),
    ];
    let folder = Folder::new();
    for (added, says) in rows {
        folder.write("p.toml", format!("{PRESET}{added}\n"));
        preset_is_refused(&folder, &["p.toml:", says]);
    }
    let solid = "[[world.solid]]\ncircle = { at = [0.5, 0.5], radius = 0.1 }\n";
    folder.write("p.toml", format!("{PRESET}{}", solid.repeat(257)));
    preset_is_refused(&folder, &["world.solid: there are 257 solids; at most 256 are possible"]);
    folder.write("p.toml", format!("{PRESET}x = {}1{}\n", "[".repeat(5000), "]".repeat(5000)));
    preset_is_refused(&folder, &["p.toml:10: "]);
}

#[test]
fn files_that_are_no_text_are_refused() {
    let folder = Folder::new();
    folder.write("folder.toml/x", "");
    folder.write("latin.toml", b"# one line\ndescription = \"M\xf6wen\"\n");
    folder.write("empty.toml", "");
    folder.write("long.toml", vec![b'#'; (1 << 20) + 1]);
    folder.write("picture.toml", b"\x89PNG\r\n\x1a\n");
    folder.write("latin.wgsl", b"// M\xf6wen\n");
    folder.write("wrong.json", "{}");
    for (path, says) in [
        ("folder.toml", "folder.toml: cannot be read: is not a plain file"),
        ("latin.toml", "latin.toml:2: is not text in UTF-8"),
        ("empty.toml", "empty.toml:1: description: is missing"),
        ("long.toml", "long.toml: the file is too long; at most 1048576 bytes"),
        ("picture.toml", "picture.toml:1: is not text in UTF-8"),
        ("no/such.toml", "no/such.toml: cannot be read: No such file"),
        ("empty.toml/x.toml", "empty.toml/x.toml: cannot be read: Not a directory"),
        ("new\nline.toml", "new line.toml: cannot be read"),
    ] {
        is_refused(&folder, &["check", path], &[says]);
        is_refused(&folder, &[&["render", path][..], &RENDER].concat(), &[says]);
    }
    is_refused(&folder, &["check", "latin.wgsl"], &["latin.wgsl:1: is not text in UTF-8"]);
    is_refused(&folder, &["check", "wrong.json"], &["wrong.json: neither a preset, a chain nor a kernel"]);
    is_refused(&folder, &["check", "/dev/null"], &["/dev/null: cannot be read: is not a plain file"]);
    is_refused(
        &folder,
        &["render", "dropplets"],
        &["dropplets: there is no preset of this name; known are murmuration"],
    );
    is_refused(&folder, &["render", "droplets", "--chain", "cells"], &["cells: no chain has this name; one of cell"]);
}

/// A PNG of 8 × 8 grey pixels.
fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&[9; 64]).unwrap();
    bytes
}

/// An NPY file with a header and this number of zero bytes.
fn npy(header: &str, bytes: usize) -> Vec<u8> {
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &vec![0; bytes]].concat()
}

#[test]
fn pictures_and_arrays_that_lie_are_refused() {
    let folder = Folder::new();
    let whole = png();
    let mut noise = whole.clone();
    noise[45..60].fill(0xa5);
    let map = replaced(PRESET, "boids = 9", "boids = 9\nshape = \"map\"\nfile = \"f\"");
    let mask = format!("{PRESET}[[world.solid]]\nmask = \"f\"\n");
    for bytes in [b"".to_vec(), whole[..20].to_vec(), whole[..whole.len() - 14].to_vec(), noise, b"GIF89a".to_vec()] {
        folder.write("f", bytes);
        folder.write("p.toml", &map);
        preset_is_refused(&folder, &["p.toml:9: start.file: f: is not a whole picture"]);
        folder.write("p.toml", &mask);
        preset_is_refused(&folder, &["p.toml:11: world.solid[0].mask: f: is not a whole picture"]);
    }
    let mut black = Vec::new();
    png::Encoder::new(&mut black, 1, 1).write_header().unwrap().write_image_data(&[0]).unwrap();
    folder.write("f", black);
    folder.write("p.toml", &map);
    preset_is_refused(&folder, &["p.toml:9: start.file: holds nothing outside the solids"]);

    let quanta = replaced(PRESET, "boids = 9", "shape = \"array\"\nfile = \"f\"");
    folder.write("p.toml", &quanta);
    let other = "f: is not an NPY file of this kind; give an NPY array of two or three axes of u8, u16 or u32";
    let good = "{'descr': '<u4', 'fortran_order': False, 'shape': (16, 24), }\n";
    for (bytes, says) in [
        (vec![], other),
        (b"\x93NUMPY\x01\x00\xff\xff{".to_vec(), other),
        (npy(&good.replace("<u4", "<f8"), 16 * 24 * 8), other),
        (npy(&good.replace("(16, 24)", "(384,)"), 16 * 24 * 4), other),
        (npy(&good.replace("(16, 24)", "(-16, -24)"), 16 * 24 * 4), other),
        (npy(&good.replace("16", "99999999999999999999999"), 0), other),
        (npy(&good.replace("16", "4611686018427387904"), 0), "f: has an impossible size, 24 × 4611686018427387904"),
        (npy(&good.replace("(16, 24)", "(0, 0)"), 0), "f: has an impossible size, 0 × 0"),
        (npy(good, 16 * 24 * 4 - 1), "f: holds fewer than the 1536 bytes of numbers that its header says"),
        (npy(good, 16 * 24 * 4 + 1), "f: holds more than the 1536 bytes"),
        (npy(&good.replace("24", "23"), 16 * 23 * 4), "the array has 23 × 16 cells; it must have 24 × 16"),
    ] {
        folder.write("f", bytes);
        preset_is_refused(&folder, &["p.toml:8: start.file: ", says]);
    }
    let mut full = npy(good, 16 * 24 * 4);
    full.iter_mut().rev().take(4).for_each(|byte| *byte = 0xff);
    folder.write("f", full);
    let says = "the array puts 4294967295 quanta into the cell (23, 15), which holds 4294901760";
    preset_is_refused(&folder, &["p.toml:8: start.file: ", says]);
    folder.write("f", npy(good, 16 * 24 * 4));
    let says = ["--size 48x32: the start is an array of quanta; leave the size at 24x16"];
    is_refused(&folder, &["render", "p.toml", "--size", "48x32", "--steps", "1"], &says);
}

/// Reading a pipe without a writer would wait for ever.
#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_picture_is_refused() {
    let folder = Folder::new();
    assert!(std::process::Command::new("mkfifo").arg(folder.join("f")).status().unwrap().success());
    folder.write("p.toml", format!("{PRESET}[[world.solid]]\nmask = \"f\"\n"));
    preset_is_refused(&folder, &["p.toml:11: world.solid[0].mask: f: is not a plain file"]);
}

#[test]
fn chains_with_a_mistake_are_refused() {
    let rows: &[(&str, &str, &str)] = &[
        ("description = \"x\"\n", "", "c.toml:1: missing key `description`"),
        ("\"cell\"", "\"agents\"", "c.toml:6: fields.outflow_x: the element \"amount\""),
        ("model = \"cell\"", "conserves = \"no\"", "c.toml:2: conserves: invalid type: string \"no\""),
        ("model = \"cell\"", "extends = \"cell\"", "c.toml:9: a chain that extends another adds rules, not passes"),
        ("cohesion = \"vector\"\n", "cohesion = \"float\"\n", "c.toml:4: fields.cohesion: the texel \"float\""),
        (
            "cohesion = \"vector\"\n",
            "cohesion = \"amount\"\n",
            "\"cohesion\" is declared as \"amount\", but the kernel",
        ),
        ("cohesion = \"vector\"\n", "", "no field is called \"cohesion\"; declare it in [fields]"),
        (
            "cohesion = \"vector\"\n",
            "cohesion = \"vector\"\nA = \"vector\"\n",
            "c.toml:5: fields.A: \"A\" is not a word",
        ),
        (
            "cohesion = \"vector\"\n",
            "cohesion = \"vector\"\nfn = \"vector\"\n",
            "c.toml:5: fields.fn: the name \"fn\" is",
        ),
        ("cohesion = \"vector\"\n", "cohesion = \"vector\"\nlimit = \"vector\"\n", "c.toml:5: fields.limit: the name"),
        ("cohesion = \"vector\"\n", "cohesion = \"vector\"\nmin = \"vector\"\n", "c.toml:5: fields.min: the name"),
        (
            "cohesion = \"vector\"\n",
            "cohesion = \"vector\"\ndensity = \"amount\"\n",
            "c.toml:5: fields.density: the field",
        ),
        (
            "cohesion = \"vector\"\n",
            "cohesion = \"vector\"\nspare = \"vector\"\n",
            "no pass writes the field \"spare\"",
        ),
        ("cohesion = \"vector\"\n", "cohesion = \"vector\"\ncohesion = \"vector\"\n", "c.toml:5: duplicate key"),
        (
            "kernel = \"wander\"",
            "kernel = \"wonder\"",
            "c.toml:32: kernel: no kernel is called \"wonder\"; one of jaws,",
        ),
        ("kernel = \"wander\"", "kernel = 3", "c.toml:32: pass[5].kernel: invalid type: integer `3`"),
        ("kernel = \"wander\"", "kernel = \"no.wgsl\"", "c.toml:32: kernel: the kernel no.wgsl cannot be read"),
        ("kernel = \"wander\"", "kernel = \"../Up.wgsl\"", "c.toml:32: kernel: "),
        ("kernel = \"wander\"\n", "", "c.toml:31: "),
        ("kernel = \"wander\"", "kernel = \"wander\"\nread_write = []", "c.toml:33: pass[5].read_write: unknown key"),
        ("sight = \"cohesion\"\n", "", "c.toml:9: sight: `cohesion` looks through a sight; name one"),
        ("sight = \"cohesion\"", "sight = 5", "c.toml:11: pass[0].sight: invalid type"),
        ("read = [\"density\"]", "read = []", "c.toml:9: read: `cohesion` is not given \"density\""),
        ("read = [\"density\"]", "read = [\"dense\"]", "c.toml:12: read: no field is called \"dense\""),
        ("read = [\"density\"]", "read = [\"density\", \"density\"]", "c.toml:12: read: \"density\" is listed twice"),
        (
            "read = [\"density\"]",
            "read = [\"density\", \"control\"]",
            "c.toml:9: read: `cohesion` does not read \"control\"",
        ),
        ("read = [\"density\"]", "read = \"density\"", "c.toml:12: pass[0].read: invalid type"),
        ("write = [\"cohesion\"]", "write = []", "c.toml:9: write: 0 outputs; a pass writes 1 to 4 fields"),
        ("write = [\"cohesion\"]", "write = [\"capacity\"]", "c.toml:13: write: \"capacity\" belongs to the world"),
        ("write = [\"cohesion\"]", "write = [\"alignment\"]", "c.toml:9: write: `cohesion` is not given \"cohesion\""),
        ("write = [\"cohesion\"]\n", "", "c.toml:9: "),
        (
            "write = [\"cohesion\"]",
            "write = [\"cohesion\"]\nweight = 33",
            "c.toml:14: weight: the weight 33; a weight lies between -32 and 32",
        ),
        ("write = [\"cohesion\"]", "write = [\"cohesion\"]\nweight = nan", "c.toml:14: weight: the weight NaN"),
        (
            "write = [\"density\", \"control\"]",
            "write = [\"density\", \"control\"]\nweight = 1.0",
            "c.toml:31: weight: a weight on a pass that does not write a control vector alone",
        ),
        (
            "write = [\"density\"]",
            "write = [\"density\"]\nweight = 1.0",
            "c.toml:35: weight: a weight on a pass that does not write a control vector alone",
        ),
        (
            "read = [\"control\", \"cohesion\", \"alignment\"]",
            "read = [\"control\", \"cohesion\", \"outflow_x\"]",
            "\"outflow_x\" is declared as \"amount\", but the kernel wants \"vector\"",
        ),
        (
            "read = [\"control\", \"cohesion\", \"alignment\"]",
            "read = [\"control\", \"cohesion\"]",
            "c.toml:14: write: no pass reads \"alignment\", which `alignment` writes",
        ),
        (
            "[[pass]]\nkernel = \"steer\"",
            "[[pass]]\nkernel = \"cohesion\"\nsight = \"cohesion\"\nread = [\"density\"]\nwrite = [\"cohesion\"]\n\
             [[pass]]\nkernel = \"steer\"",
            "c.toml:19: write: \"cohesion\" is written twice in a step",
        ),
        (
            "[[pass]]\nkernel = \"wander\"",
            "[[pass]]\nkernel = \"steer\"\nread = [\"control\", \"cohesion\"]\nwrite = [\"control\"]\n\
             [[pass]]\nkernel = \"wander\"",
            "c.toml:31: kernel: a second pass that steers, `steer`; let one sum all the control vectors",
        ),
        (
            "[[pass]]\nkernel = \"advect\"",
            "[[pass]]\nkernel = \"wander\"\nread = [\"density\", \"capacity\"]\nwrite = [\"density\"]\n\
             [[pass]]\nkernel = \"advect\"",
            "c.toml:27: write: `wander` changes the state between `outflow` and `advect`",
        ),
        (
            "[[pass]]\nkernel = \"wander\"",
            "[[pass]]\nkernel = \"advect\"\n\
             read = [\"density\", \"control\", \"outflow_x\", \"outflow_y\", \"outflow_xy\"]\n\
             write = [\"density\", \"control\"]\n[[pass]]\nkernel = \"wander\"",
            "c.toml:27: write: `advect` changes the state between `outflow` and `advect`",
        ),
        ("[[pass]]\nkernel = \"wander\"", "[pass]\nkernel = \"wander\"", "c.toml:31: "),
    ];
    let folder = Folder::new();
    for (from, to, says) in rows {
        folder.write("c.toml", replaced(CHAIN, from, to));
        chain_is_refused(&folder, &["c.toml:", says]);
    }

    // A pass before the one that it needs, two passes that need each other, and no pass.
    let passes: Vec<&str> = CHAIN.split_inclusive("[[pass]]\n").collect();
    let head = passes[0].strip_suffix("[[pass]]\n").unwrap();
    folder.write("c.toml", head);
    chain_is_refused(&folder, &["c.toml: a chain without passes; add [[pass]], or extends"]);
    let steer =
        "[[pass]]\nkernel = \"steer\"\nread = [\"control\", \"cohesion\", \"alignment\"]\nwrite = [\"control\"]\n";
    let without = replaced(CHAIN, steer, "");
    folder.write("c.toml", replaced(&without, head, &format!("{head}{steer}")));
    chain_is_refused(
        &folder,
        &["c.toml:9: read: `steer` reads \"cohesion\" from `cohesion`: it is written only later"],
    );
    for (name, other) in [("one", "two"), ("two", "one")] {
        folder.write(&format!("{name}.wgsl"), format!("fn {name}(cell: Cell) -> Vector {{ return {other}(cell); }}"));
    }
    let cycle = "[[pass]]\nkernel = \"one.wgsl\"\nread = [\"two\"]\nwrite = [\"one\"]\n\
                 [[pass]]\nkernel = \"two.wgsl\"\nread = [\"one\"]\nwrite = [\"two\"]\n";
    let fields = "cohesion = \"vector\"\none = \"vector\"\ntwo = \"vector\"\n";
    let with_fields = replaced(CHAIN, "cohesion = \"vector\"\n", fields);
    folder.write("c.toml", format!("{with_fields}{cycle}"));
    chain_is_refused(&folder, &["c.toml:37: read: `one` reads \"two\" from `two`: a cycle"]);
}

#[test]
fn chains_that_extend_others_wrongly_are_refused() {
    let folder = Folder::new();
    folder.write("mine.wgsl", "fn mine(cell: Cell) -> Vector { return Vector(0); }");
    folder.write("Loud Name.wgsl", "fn loud(cell: Cell) -> Vector { return Vector(0); }");
    folder.write("density.wgsl", "fn density(cell: Cell) -> Vector { return Vector(0); }");
    folder.write("max.wgsl", "fn max(cell: Cell) -> Vector { return Vector(0); }");
    folder.write("b.toml", "description = \"b\"\nextends = \"./c.toml\"\n");
    folder.write("sub/b.toml", "description = \"b\"\nextends = \"../sub/../c.toml\"\n");
    for (from, to, says) in [
        ("\"cell\"", "\"none\"", "c.toml:2: extends: none: no chain has this name; one of cell"),
        ("\"cell\"", "\"no.toml\"", "c.toml:2: extends: no.toml: cannot be read: No such file"),
        ("\"cell\"", "\"mine.wgsl\"", "mine.wgsl:1: "),
        ("\"cell\"", "\".\"", "c.toml:2: extends: .: "),
        ("\"cell\"", "\"c.toml\"", ": the chain extends itself; take `extends` away from one"),
        ("\"cell\"", "\"b.toml\"", ": the chain extends itself"),
        ("\"cell\"", "\"sub/b.toml\"", ": the chain extends itself"),
        ("\"mine.wgsl\"", "\"Loud Name.wgsl\"", "c.toml:4: kernel: \"Loud Name\" is not a word of lower-case letters"),
        ("\"mine.wgsl\"", "\"density.wgsl\"", "c.toml:4: kernel: the chain has a field \"density\" already"),
        ("\"mine.wgsl\"", "\"max.wgsl\"", "c.toml:4: kernel: the name \"max\" is taken"),
        ("\"mine.wgsl\"", "\"cohesion\"", "c.toml:4: kernel: the chain has a field \"cohesion\" already"),
        ("\"mine.wgsl\"", "\"advect\"", "c.toml:3: read: `advect` is not given \"density\""),
        ("\"mine.wgsl\"", "\"steer\"", "c.toml:3: read: `steer` is not given \"control\""),
        ("\"mine.wgsl\"", "\"mine.wgsl\"\nread = [\"wind\"]", "c.toml:5: read: no field is called \"wind\""),
        ("\"mine.wgsl\"", "\"mine.wgsl\"\nwrite = [\"wind\"]", "c.toml:5: rule[0].write: unknown key `write`"),
        ("weight = 1.0", "weight = -inf", "c.toml:5: weight: the weight -inf; a weight lies between -32 and 32"),
        ("weight = 1.0", "weight = \"strong\"", "c.toml:5: rule[0].weight: invalid type: string \"strong\""),
    ] {
        folder.write("c.toml", replaced(RULE, from, to));
        chain_is_refused(&folder, &[says]);
    }
    let many: String = (0..12).map(|rule| format!("[[rule]]\nkernel = \"r{rule}.wgsl\"\nweight = 1.0\n")).collect();
    for rule in 0..12 {
        folder.write(&format!("r{rule}.wgsl"), format!("fn r{rule}(cell: Cell) -> Vector {{ return Vector(0); }}"));
    }
    folder.write("c.toml", format!("description = \"x\"\nextends = \"cell\"\n{many}"));
    chain_is_refused(&folder, &["c.toml:30: more than 15 rules; their sum must fit in 32 bits"]);
    // A sight that the preset lacks.
    folder.write("c.toml", replaced(RULE, "weight = 1.0", "weight = 1.0\nsight = \"far\""));
    let arguments = ["render", "droplets", "--engine", "gpu", "--chain", "c.toml"];
    is_refused(
        &folder,
        &arguments,
        &["c.toml:3: sight: `mine` looks through the sight \"far\", which the preset lacks"],
    );
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let folder = Folder::new();
    for (setting, says) in [
        ("seed", "there is no `=` in it; write it as key=value"),
        ("=1", "what stands before `=` is not a dotted key"),
        ("weights..cohesion=1", "what stands before `=` is not a dotted key"),
        ("seed=", "what stands after `=` is not a value of TOML"),
        ("seed=[1", "what stands after `=` is not a value of TOML"),
        ("seed=x", "seed: invalid type: string \"x\"; expected a whole number"),
        ("seed=-1", "seed: -1 is out of bounds"),
        ("weights.cohesion=33", "weights.cohesion: 33 is out of bounds"),
        ("weights.cohesion=nan", "weights.cohesion: NaN is out of bounds"),
        ("weights.telepathy=1", "weights.telepathy: the chain cell-fast has no rule"),
        ("movement.speed=1", "movement.speed: unknown key `speed`"),
        ("world.size=[65536, 16]", "world.size: there is no lattice of this size"),
        ("world.size=16x16", "world.size: invalid type: string \"16x16\"; expected"),
        ("start.boids=99999999999999", "start.boids: 99999999999999 is out of bounds"),
        ("start.boids=99999999999", "start.boids: 99999999999 boids do not fit into this world"),
        ("sight.cohesion.disc=300", "sight.cohesion.disc: 300 is out of bounds"),
        ("description.x=1", "`description` is not a table"),
        ("world.solid[0].mask=x", "`world.solid` is not a list"),
        ("chain=nope", "chain: nope: no chain has this name"),
        ("look.hue=two\nlines", "what stands after `=` is not a value of TOML"),
    ] {
        let says = [&format!("--set {}: ", setting.replace('\n', " ")), says];
        is_refused(&folder, &[&["render", "droplets", "--set", setting][..], &RENDER].concat(), &says);
    }
}

#[test]
fn arguments_that_contradict_each_other_or_the_folder_are_refused() {
    let folder = Folder::new();
    folder.write("file", "mine");
    folder.write("dir/x", "");
    for (arguments, says) in [
        ("--engine cpu --dispatch compute", "--dispatch: the CPU engine has none; take it away, or add --engine gpu"),
        ("--engine gpu --threads 2", "--threads: is for the CPU engine"),
        ("--dispatch fragment --threads 2", "--dispatch: is for the GPU, and --threads for the CPU"),
        (
            "--size 0x16",
            "--size 0x16: there is no lattice of this size; each extent must be from 1 to 65535 cells, and all cells \
             together at most 4294967296",
        ),
        ("--size 16x16x16", "--size 16x16x16: the preset's world is flat; give two extents, as in 16x16"),
        ("--size 65536x1", "--size 65536x1: there is no lattice of this size"),
        (
            "--individuals --size 16385x16",
            "--size 16385x16: there is no lattice of this size; each extent of a world of individuals",
        ),
        ("--size 4294967295x4294967295", "--size 4294967295x4294967295: there is no lattice"),
        ("--threads 1 --out file", "--out file: file is a file; name a folder"),
        ("--threads 1 --metrics dir", "--metrics dir: a folder is there; name a file"),
        ("--threads 1 --metrics nowhere/run.csv", "--metrics nowhere/run.csv: its folder is not there"),
        ("--threads 1 --out frames --metrics nowhere/run.csv", "--metrics nowhere/run.csv: its folder is not there"),
        ("--threads 1 --metrics file/run.csv", "--metrics file/run.csv: its folder is not there"),
    ] {
        let arguments = format!("render droplets --steps 2 {arguments}");
        is_refused(&folder, &arguments.split_whitespace().collect::<Vec<_>>(), &[says]);
    }
    assert_eq!(std::fs::read(folder.join("file")).unwrap(), b"mine");
    // The table may lie in the folder of the frames.
    let arguments = "render droplets --size 16x16 --steps 2 --threads 1 --out new/er --metrics new/er/run.csv";
    folder.run(&arguments.split_whitespace().collect::<Vec<_>>()).succeeded();
    assert!(folder.join("new/er/run.csv").exists());
}

/// The command-line parser refuses wrong arguments, with messages in its own form.
#[test]
fn arguments_that_cannot_be_read_are_refused() {
    let folder = Folder::new();
    for (arguments, says) in [
        ("render", "<PRESET>"),
        ("check", "<FILE>"),
        ("rendr", "rendr"),
        ("render droplets extra", "extra"),
        ("render droplets --size 16", "write it as WxH"),
        ("render droplets --size 8x8x", "`` is not a number of cells"),
        ("render droplets --size 8x8x8x8", "write it as WxH"),
        ("render droplets --size 99999999999x1", "`99999999999` is not a number of cells"),
        ("render droplets --size 1e3x4", "`1e3` is not a number of cells"),
        ("render droplets --size=-1x4", "`-1` is not a number of cells"),
        ("render droplets --size x", "`` is not a number of cells"),
        ("render droplets --steps -1", "-1"),
        ("render droplets --steps 1.5", "1.5"),
        ("render droplets --steps 18446744073709551616", "18446744073709551616"),
        ("render droplets --every 0", "`0` is no such number; give a whole number, 1 or more"),
        ("render droplets --seed nan", "nan"),
        ("render droplets --threads 0", "`0` is no such number; give a whole number, 1 to 1024"),
        ("render droplets --threads 65536", "65536"),
        ("render droplets --engine tpu", "possible values: auto, cpu, gpu"),
        ("render droplets --dispatch pixel", "possible values: compute, fragment"),
        ("render droplets --out frames --frames jpeg", "`jpeg` is no kind of frame; use picture, density16, npy"),
        ("render droplets --out frames --frames picture,", "`` is no kind of frame"),
        ("render droplets --frames npy", "--out"),
        ("render droplets --out", "--out"),
        ("render droplets --json --json", "--json"),
        ("render droplets --colour", "--colour"),
    ] {
        let run = folder.run(&arguments.split_whitespace().collect::<Vec<_>>());
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{arguments}: {run:?}");
        assert!(run.err.starts_with("error: ") && run.err.contains(says), "{arguments}: {run:?}");
        assert!(!run.err.contains("panicked") && run.took < Duration::from_secs(5), "{arguments}: {run:?}");
        assert!(folder.names().is_empty(), "{arguments}");
    }
}

/// Mistakes in the reference preset are found too.
#[test]
fn every_line_of_the_reference_is_read() {
    let reference = std::fs::read_to_string(repository().join("presets/reference.toml")).unwrap();
    let folder = Folder::new();
    let mut tried = 0;
    for (index, line) in reference.lines().enumerate() {
        let Some((key, _)) =
            line.split_once(" = ").filter(|(key, _)| key.bytes().all(|byte| byte.is_ascii_lowercase()))
        else {
            continue;
        };
        let mut lines: Vec<String> = reference.lines().map(str::to_owned).collect();
        lines[index] = format!("{key} = 1979-05-27");
        folder.write("p.toml", lines.join("\n"));
        is_refused(&folder, &["check", "p.toml"], &[&format!("p.toml:{}: ", index + 1), key]);
        tried += 1;
    }
    assert!(tried > 30, "{tried} keys");
}
