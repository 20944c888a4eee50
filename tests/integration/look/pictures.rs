//! Presets whose masks and starts are pictures and arrays.

use crate::support::random::Random;
use image::{DynamicImage, GrayImage, ImageFormat};
use murmuration_core::numbers::BOID;
use murmuration_core::preset::{Overrides, Preset};
use ndarray::Array2;
use ndarray_npy::WriteNpyExt;
use std::io::Cursor;
use tempfile::TempDir;

const PRESET: &str = "description = \"x\"\n[sight]\ncohesion.disc = 1\nseparation.disc = 1\nalignment.disc = 1\n\
                      [world]\nsize = [3, 2]\n";
const MASK: &str = "[[world.solid]]\nmask = \"f\"\n[start]\nboids = 1\n";
const MAP: &str = "[start]\nboids = 12\nshape = \"map\"\nfile = \"f\"\n";
const ARRAY: &str = "[start]\nshape = \"array\"\nfile = \"f\"\n";

/// The preset with `rest` at its end, and a file `f` beside it.
fn load(file: &[u8], rest: &str, size: Option<(u32, u32)>) -> Result<Preset, String> {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("f"), file).unwrap();
    let path = folder.path().join("p.toml");
    std::fs::write(&path, format!("{PRESET}{rest}")).unwrap();
    let place = format!("{}/", folder.path().display());
    let overrides = Overrides { size, ..Overrides::default() };
    Preset::load(murmuration::host(), path.to_str().unwrap(), &overrides)
        .map_err(|failure| failure.to_string().replace(&place, ""))
}

fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn grey(width: u32, height: u32, levels: &[u8]) -> GrayImage {
    GrayImage::from_raw(width, height, levels.to_vec()).unwrap()
}

fn png(width: u32, height: u32, levels: &[u8]) -> Vec<u8> {
    encoded(grey(width, height, levels), ImageFormat::Png)
}

fn npy(array: Array2<u32>) -> Vec<u8> {
    let mut bytes = Vec::new();
    array.write_npy(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_map_holds_more_where_it_is_brighter() {
    let map = png(3, 1, &[0, 100, 200]);
    let start = load(&map, MAP, None).unwrap().start().unwrap();
    assert_eq!(start.layers[0].density, [0, 2, 4, 0, 2, 4].map(|boids| boids * BOID));
    let solid = "[[world.solid]]\nrectangle = { from = [0.8, 0], to = [1, 1] }\n";
    let start = load(&map, &format!("{solid}{MAP}"), None).unwrap().start().unwrap();
    assert_eq!(start.layers[0].density, [0, 6, 0, 0, 6, 0].map(|boids| boids * BOID));
    let wrong = load(&png(1, 1, &[0]), MAP, None).unwrap_err();
    let expected =
        "p.toml:11: start.file: holds nothing outside the solids; something in it must be bright where no solid is";
    assert_eq!(wrong, expected);
}

#[test]
fn a_map_that_overflows_its_cells_runs_into_the_next() {
    let rest = format!("capacity = 2\n{}", MAP.replace("12", "9"));
    let start = load(&png(3, 1, &[0, 0, 9]), &rest, None).unwrap().start().unwrap();
    assert_eq!(start.total(), 9 * u64::from(BOID));
    assert!(start.layers[0].density.iter().all(|quanta| *quanta <= 2 * BOID));
    assert_eq!((start.layers[0].density[2], start.layers[0].density[5]), (2 * BOID, 2 * BOID));
}

#[test]
fn a_mask_makes_solids() {
    let mask = png(3, 2, &[0, 127, 128, 255, 0, 0]);
    let solids = load(&mask, MASK, None).unwrap().world.solids;
    assert_eq!(*solids, [false, false, true, true, false, false]);
    let wrong = load(&mask[..30], MASK, None).unwrap_err();
    assert!(wrong.starts_with("p.toml:9: world.solid[0].mask: f: is not a whole picture"), "{wrong}");
}

#[test]
fn an_array_says_every_quantum() {
    let exact = npy(Array2::from_shape_fn((2, 3), |(y, x)| (3 * y + x) as u32));
    assert_eq!(load(&exact, ARRAY, None).unwrap().start().unwrap().layers[0].density, [0, 1, 2, 3, 4, 5]);
    let wrong = load(&exact, ARRAY, Some((6, 4))).unwrap_err();
    assert_eq!(wrong, "size 6x4: the start is an array of quanta; leave the size at 3x2, or say start.boids");
    let start = load(&exact, &format!("{ARRAY}boids = 15\n"), Some((6, 4))).unwrap().start().unwrap();
    assert_eq!(
        (start.total(), start.layers[0].density[0], start.layers[0].density[23]),
        (60 * u64::from(BOID), 0, 5 * BOID)
    );
    let wrong = load(&npy(Array2::from_elem((3, 2), 1)), ARRAY, None).unwrap_err();
    let cure = "it must have 3 × 2 (shape (2, 3)), or say start.boids";
    assert_eq!(wrong, format!("p.toml:10: start.file: the array has 2 × 3 cells; {cure}"));
    let wrong = load(&npy(Array2::from_elem((2, 3), u32::MAX)), ARRAY, None).unwrap_err();
    let problem = "the array puts 4294967295 quanta into the cell (0, 0), which holds 4294901760";
    assert_eq!(wrong, format!("p.toml:10: start.file: {problem}; keep to world.capacity, and out of solids"));
}

/// A picture with a bright and a dark part. Their levels are so far apart that errors of JPEG do not move a pixel to
/// the other half of the grey levels.
fn halves() -> GrayImage {
    GrayImage::from_fn(48, 32, |x, _| image::Luma([if x < 32 { 250 } else { 5 }]))
}

#[test]
fn masks_and_maps_are_read_from_every_common_format() {
    let rgb = || DynamicImage::from(halves()).into_rgb8();
    for (format, bytes) in [
        ("PNG", encoded(halves(), ImageFormat::Png)),
        ("JPEG", encoded(halves(), ImageFormat::Jpeg)),
        ("GIF", encoded(DynamicImage::from(halves()).into_rgba8(), ImageFormat::Gif)),
        ("WebP", encoded(rgb(), ImageFormat::WebP)),
        ("BMP", encoded(rgb(), ImageFormat::Bmp)),
        ("TIFF", encoded(halves(), ImageFormat::Tiff)),
        ("PNM", encoded(halves(), ImageFormat::Pnm)),
    ] {
        let solids = load(&bytes, MASK, None).unwrap_or_else(|wrong| panic!("{format}: {wrong}")).world.solids;
        assert_eq!(*solids, [true, true, false, true, true, false], "{format}");
        let density = load(&bytes, MAP, None).unwrap().start().unwrap().into_densities();
        assert!(density[0] > 2 * BOID && density[2] < BOID / 4, "{format}: {density:?}");
        let cut = &bytes[..bytes.len() / 2];
        if format != "JPEG" {
            let wrong = load(cut, MASK, None).unwrap_err();
            assert!(
                wrong.starts_with("p.toml:9: world.solid[0].mask: f: is not a whole picture ("),
                "{format}: {wrong}"
            );
            assert!(wrong.ends_with("; give a picture as PNG, JPEG, GIF, WebP, BMP, TIFF or PNM"), "{format}: {wrong}");
        }
    }
}

#[test]
fn samples_of_sixteen_bits_and_transparency_count_alike_in_every_format() {
    let samples: Vec<u16> = [0x7fff, 0xffff, 0x8000, 0xffff, 0xffff, 0x0000, 0xffff, 0x8000].to_vec();
    let deep = image::ImageBuffer::<image::LumaA<u16>, _>::from_raw(2, 2, samples).unwrap();
    let deep = encoded(DynamicImage::ImageLumaA16(deep), ImageFormat::Png);
    let eight: Vec<u8> =
        [[127, 127, 127, 255], [128, 128, 128, 255], [255, 255, 255, 0], [255, 255, 255, 128]].concat();
    let eight = image::RgbaImage::from_raw(2, 2, eight).unwrap();
    for bytes in [deep, encoded(eight.clone(), ImageFormat::WebP), encoded(eight, ImageFormat::Tiff)] {
        let solids = load(&bytes, MASK, Some((2, 2))).unwrap().world.solids;
        assert_eq!(*solids, [false, true, false, true]);
    }
}

#[test]
fn a_picture_of_many_pixels_is_refused_in_every_format() {
    // Only the headers: 65 536 × 1 pixels. A JPEG has at most 65 535 pixels a side, and no more are read of a BMP.
    let wide = image::RgbImage::new(65_536, 1);
    for format in [ImageFormat::Png, ImageFormat::Tiff, ImageFormat::Pnm] {
        let wrong = load(&encoded(wide.clone(), format), MASK, None).unwrap_err();
        let size = "f: has an impossible size, 65536 × 1; each extent must be from 1 to 65535, and";
        assert!(wrong.contains(size), "{format:?}: {wrong}");
    }
}

const MINIMAL: &str = "description = \"x\"\n[sight]\ncohesion = { disc = 3 }\nseparation = { disc = 2 }\n\
                     alignment = { disc = 2 }\n[world]\nsize = [24, 16]\n";

#[test]
fn a_missing_picture_is_named_with_the_key_that_names_it() {
    let why = std::fs::File::open("nowhere.png").unwrap_err();
    let cure = "name a file that can be read; a path is taken from where the preset is";
    let expected = format!("f.toml:9: world.solid[0].mask: nowhere.png: {why}; {cure}");
    let text = format!("{MINIMAL}[[world.solid]]\nmask = \"nowhere.png\"\n");
    let read = Preset::from_text(murmuration::host(), "f.toml", &text, &Overrides::default());
    assert_eq!(read.unwrap_err().to_string(), expected);
}

#[test]
fn files_that_are_no_text_are_refused() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("a.toml");
    for (bytes, end) in [
        (&b"seed = 1\n# \xff\n"[..], ":2: is not text in UTF-8; save it in that encoding"),
        (&vec![b'#'; 1 << 21], ": the file is too long; at most 1048576 bytes"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let failure = Preset::load(murmuration::host(), path.to_str().unwrap(), &Overrides::default()).unwrap_err();
        assert_eq!(failure.to_string(), format!("{}{end}", path.display()));
    }
}

/// A picture that can be turned, mirrored and shifted.
#[derive(Clone)]
struct Grid<T> {
    size: [usize; 2],
    values: Vec<T>,
}

impl<T: Copy> Grid<T> {
    fn map(&self, size: [usize; 2], from: impl Fn([usize; 2]) -> [usize; 2]) -> Self {
        let at = |index| from([index % size[0], index / size[0]]);
        let values = (0..size[0] * size[1]).map(at).map(|[x, y]| self.values[y * self.size[0] + x]).collect();
        Self { size, values }
    }

    /// One of the 8 symmetries of a square.
    fn turned(&self, turn: usize) -> Self {
        let [width, height] = self.size;
        let swapped = if turn & 4 == 0 { [width, height] } else { [height, width] };
        self.map(swapped, |[x, y]| {
            let [x, y] = if turn & 4 == 0 { [x, y] } else { [y, x] };
            [if turn & 1 == 0 { x } else { width - 1 - x }, if turn & 2 == 0 { y } else { height - 1 - y }]
        })
    }

    /// Shifts around a torus.
    fn shifted(&self, by: [usize; 2]) -> Self {
        let [width, height] = self.size;
        self.map(self.size, |[x, y]| [(x + width - by[0] % width) % width, (y + height - by[1] % height) % height])
    }
}

/// The density at the start on a lattice, with two boids a cell.
fn started(picture: &Grid<u8>, size: [usize; 2], edges: &str, capacity: u32) -> Grid<u32> {
    let [width, height] = picture.size.map(|extent| extent as u32);
    let rest = format!("edges = {edges:?}\ncapacity = {capacity}\n{MAP}");
    let on = Some((size[0] as u32, size[1] as u32));
    let preset = load(&png(width, height, &picture.values), &rest, on).unwrap();
    let start = preset.start().unwrap();
    assert!(start.layers[0].density.iter().all(|quanta| *quanta <= capacity * BOID));
    assert_eq!(start.total(), preset.start_spec.quanta());
    let (asked, cells) = (2 * (size[0] * size[1]) as u64 * u64::from(BOID), (size[0] * size[1]) as u64);
    assert!((asked..asked + cells).contains(&start.total()), "{} of {asked}", start.total());
    Grid { size, values: start.into_densities() }
}

#[test]
fn a_turned_mirrored_or_shifted_map_gives_such_a_state_to_the_last_quantum() {
    let mut random = Random::new(44);
    for (pixels, cells) in [([7, 5], [7, 5]), ([6, 6], [12, 3]), ([5, 4], [9, 9]), ([4, 6], [7, 5]), ([1, 9], [8, 9])] {
        // From pictures with room for all boids to pictures whose bright cells overflow.
        for (part_dark, capacity) in [(0, 1000), (1, 4), (4, 3), (8, 5)] {
            let levels = |random: &mut Random| if random.below(9) < part_dark { 0 } else { random.below(256) as u8 };
            let mut values: Vec<u8> = (0..pixels[0] * pixels[1]).map(|_| levels(&mut random)).collect();
            values[0] = 200;
            let picture = Grid { size: pixels, values };
            let on_torus = started(&picture, cells, "torus", capacity);
            for (edges, state) in [("torus", &on_torus), ("walls", &started(&picture, cells, "walls", capacity))] {
                for turn in 1..8 {
                    let turned = state.turned(turn);
                    let actual = started(&picture.turned(turn), turned.size, edges, capacity);
                    assert!(
                        actual.values == turned.values,
                        "{pixels:?} on {cells:?}, turn {turn}, {edges}, {capacity}"
                    );
                }
            }
            let wholes = [0, 1].map(|axis| (cells[axis] % pixels[axis] == 0).then(|| cells[axis] / pixels[axis]));
            if let [Some(wide), Some(high)] = wholes {
                for by in [[1, 0], [0, 1], [3, 2]] {
                    let shifted = on_torus.shifted([by[0] * wide, by[1] * high]);
                    let actual = started(&picture.shifted(by), cells, "torus", capacity);
                    assert!(actual.values == shifted.values, "{pixels:?} on {cells:?}, by {by:?}, {capacity}");
                }
            }
        }
    }
}

/// A PNG with an EXIF orientation.
fn oriented(width: u32, height: u32, levels: &[u8], orientation: u8) -> Vec<u8> {
    let exif = [&b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"[..], &[orientation, 0, 0, 0, 0, 0, 0]].concat();
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::set_exif_metadata(&mut encoder, exif).unwrap();
    image::ImageEncoder::write_image(encoder, levels, width, height, image::ExtendedColorType::L8).unwrap();
    bytes
}

#[test]
fn masks_and_maps_are_turned_as_viewers_show_them() {
    // Stored with two columns. Shown turned to the right, with the last row in front.
    let turned = oriented(2, 3, &[0, 255, 255, 0, 0, 0], 6);
    let mask = load(&turned, MASK, None).unwrap();
    assert_eq!(mask.world.solids[..], [false, true, false, false, false, true]);
    let map = load(&turned, MAP, None).unwrap().start().unwrap();
    assert_eq!(map.layers[0].density, [0, 6, 0, 0, 0, 6].map(|boids| boids * BOID));
    assert_eq!(load(&png(3, 2, &[0, 255, 0, 0, 0, 255]), MASK, None).unwrap().world.solids, mask.world.solids);
}

#[test]
fn a_mask_that_marks_nothing_or_everything_is_noted() {
    let empty = MASK.replace("boids = 1", "boids = 0");
    let notes = |levels: &[u8]| load(&png(3, 2, levels), &empty, None).unwrap().notes();
    let within = |notes: &[String], text: &str| notes.len() == 1 && notes[0].ends_with(text);
    let labels = notes(&[0, 1, 0, 1, 0, 0]);
    let expected = "marks nothing: its greatest brightness is 1 of 255, and 128 and more is solid; draw solid cells in \
        white (255)";
    assert!(labels[0].contains("p.toml:9: world.solid[0].mask: "), "{labels:?}");
    assert!(within(&labels, expected), "{labels:?}");
    let full = notes(&[128, 255, 200, 255, 255, 255]);
    let expected =
        "marks everything: its least brightness is 128 of 255, and 128 and more is solid; draw free cells in black (0)";
    assert!(within(&full, expected), "{full:?}");
    // A thin line falls between the centres of a coarser lattice.
    let mut line = [0; 90];
    (0..90).step_by(9).for_each(|pixel| line[pixel] = 255);
    let thin = load(&png(9, 10, &line), &empty, None).unwrap().notes();
    assert!(within(&thin, "draw larger areas, or take a finer lattice"), "{thin:?}");
    assert!(notes(&[0, 255, 0, 0, 0, 0]).is_empty());
}
