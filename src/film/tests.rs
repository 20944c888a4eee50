use super::*;
use crate::provenance::{KEYWORD, Provenance};
use serde_json::Value;
use std::fs::{self, File};
use std::io::BufReader;

/// A dark picture with two soft lights that move from frame to frame.
fn picture(frame: u32, width: u32, height: u32) -> Picture {
    let mut bytes = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let light = |at: [u32; 2], colour: [f32; 3]| {
                let away = (x as f32 - at[0] as f32).hypot(y as f32 - at[1] as f32);
                colour.map(|part| part * (-away * away / 60.0).exp())
            };
            let lights =
                [light([10 + 2 * frame, 12], [240.0, 60.0, 160.0]), light([30, 30 - frame], [20.0, 230.0, 130.0])];
            let night = [4.0, 6.0, 13.0];
            bytes.extend(
                (0..3).map(|channel| (night[channel] + lights[0][channel] + lights[1][channel]).min(255.0) as u8),
            );
        }
    }
    Picture { width, height, bytes }
}

fn caption(frame: u32) -> Caption {
    let provenance = Provenance { preset: "Möwen".into(), seed: 7, ..Provenance::default() };
    Caption { provenance: provenance.into(), step: 100 + 3 * u64::from(frame) }
}

/// Writes a film of `frames` frames.
fn film(path: &Path, frames: u32, [width, height]: [u32; 2]) -> Result<u64, Failure> {
    let mut film = Film::begin(path, 30)?;
    for frame in 0..frames {
        film.add(&picture(frame, width, height), &caption(frame))?;
    }
    film.finish()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The frames of a PNG, and the steps in its text chunks.
fn decode_png(path: &Path) -> (Vec<Vec<u8>>, Vec<u64>) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let frames = reader.info().animation_control.map_or(1, |control| control.num_frames);
    let frames: Vec<Vec<u8>> = (0..frames)
        .map(|_| {
            let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut bytes).unwrap();
            bytes
        })
        .collect();
    reader.finish().unwrap();
    let texts = &reader.info().uncompressed_latin1_text;
    let steps = texts.iter().filter(|text| text.keyword == "murmuration:step").map(|text| text.text.parse().unwrap());
    (frames, steps.collect())
}

fn records_in_png(path: &Path) -> Vec<Value> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    reader.finish().unwrap();
    let texts: Vec<_> = reader.info().utf8_text.iter().filter(|text| text.keyword == KEYWORD).collect();
    texts.iter().map(|text| serde_json::from_str(&text.get_text().unwrap()).unwrap()).collect()
}

/// The comment of a GIF: the sub-blocks of its comment extension (0x21 0xfe).
fn comment_of_gif(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap();
    let begin = bytes.windows(2).position(|two| two == [0x21, 0xfe]).unwrap() + 2;
    let (mut rest, mut text) = (&bytes[begin..], Vec::new());
    while rest[0] > 0 {
        let (block, after) = rest[1..].split_at(rest[0].into());
        text.extend_from_slice(block);
        rest = after;
    }
    serde_json::from_slice(&text).unwrap()
}

#[test]
fn every_film_has_the_record_of_what_made_it() {
    let folder = tempfile::tempdir().unwrap();
    // Inputs change the provenance between the frames. An animated picture records all of them.
    let film = |name: &str| {
        let path = folder.path().join(name);
        let mut film = Film::begin(&path, 30).unwrap();
        for frame in 0..3 {
            let Caption { provenance, step } = caption(frame);
            let provenance = provenance.with_inputs(frame.into());
            film.add(&picture(frame, 20, 20), &Caption { provenance, step }).unwrap();
        }
        film.finish().unwrap();
        path
    };
    let expected = |inputs: u32| {
        serde_json::from_str::<Value>(
            &Caption { provenance: caption(inputs).provenance.with_inputs(inputs.into()), ..caption(inputs) }.record(),
        )
        .unwrap()
    };
    assert_eq!(
        (&expected(2)["preset"], &expected(2)["inputs"], &expected(2)["steps"]),
        (&"Möwen".into(), &2.into(), &106.into())
    );
    assert_eq!(records_in_png(&film("film.apng")), [expected(0), expected(2)]);
    assert_eq!(comment_of_gif(&film("film.gif")), expected(2));
    let pictures = film("film");
    for frame in 0..3 {
        assert_eq!(records_in_png(&pictures.join(format!("{frame:08}.png"))), [expected(frame)]);
    }
}

/// The frames of a GIF as viewers show them, and the durations of the frames in 1/100 s.
fn decode_gif(path: &Path) -> (Vec<Vec<u8>>, Vec<u16>) {
    let mut reader = ::gif::Decoder::new(File::open(path).unwrap()).unwrap();
    let (width, height) = (usize::from(reader.width()), usize::from(reader.height()));
    let palette = reader.global_palette().unwrap().to_vec();
    let (mut shown, mut delays) = (Vec::new(), Vec::new());
    let mut now = vec![0; 3 * width * height];
    while let Some(frame) = reader.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "a palette for one frame would flicker");
        for (y, row) in frame.buffer.chunks(frame.width.into()).enumerate() {
            for (x, entry) in row.iter().enumerate().filter(|(_, entry)| Some(**entry) != frame.transparent) {
                let at = 3 * ((usize::from(frame.top) + y) * width + usize::from(frame.left) + x);
                now[at..at + 3].copy_from_slice(&palette[3 * usize::from(*entry)..][..3]);
            }
        }
        delays.push(frame.delay);
        shown.push(now.clone());
    }
    (shown, delays)
}

#[test]
fn the_extension_of_a_path_determines_the_form() {
    for (path, form) in [
        ("film", FilmFormat::Pictures),
        ("a.b/film", FilmFormat::Pictures),
        ("film.gif/", FilmFormat::Pictures),
        ("film.apng", FilmFormat::Apng),
        ("film.png", FilmFormat::Apng),
        ("FILM.GIF", FilmFormat::Gif),
        ("film.mp4", FilmFormat::Mp4),
        ("film.webm", FilmFormat::Webm),
    ] {
        assert_eq!(FilmFormat::from_path(Path::new(path)), Ok(form), "{path}");
    }
    let message = FilmFormat::from_path(Path::new("film.avi")).unwrap_err().to_string();
    assert!(message.starts_with("film.avi: `.avi` is no ending of a film; use .apng,"), "{message}");
}

#[test]
fn a_folder_has_every_picture_with_its_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film");
    assert_eq!(film(&path, 5, [40, 30]).unwrap(), 5);
    assert_eq!(names_in(&path), [0, 1, 2, 3, 4].map(|frame| format!("{frame:08}.png")));
    for frame in 0..5 {
        let (frames, steps) = decode_png(&path.join(format!("{frame:08}.png")));
        assert_eq!((frames, steps), (vec![picture(frame, 40, 30).bytes], vec![caption(frame).step]));
    }
    assert_eq!(names_in(folder.path()), ["film"]);
}

#[test]
fn a_picture_that_cannot_be_written_takes_no_other_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film");
    let mut film = Film::begin(&path, 30).unwrap();
    for frame in 0..2 {
        film.add(&picture(frame, 40, 30), &caption(frame)).unwrap();
    }
    let draft = folder.path().join(&names_in(folder.path())[0]);
    fs::create_dir(draft.join("00000002.png")).unwrap();
    film.add(&picture(2, 40, 30), &caption(2)).unwrap_err();
    assert_eq!(film.finish().unwrap(), 2);
    assert_eq!(names_in(&path), ["00000000.png", "00000001.png", "00000002.png"]);
    assert_eq!(decode_png(&path.join("00000001.png")).0, [picture(1, 40, 30).bytes]);
}

#[test]
fn an_apng_has_every_picture_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    for frames in [1, 7] {
        let path = folder.path().join("film.apng");
        fs::write(&path, b"an older film").unwrap();
        assert_eq!(film(&path, frames, [41, 30]).unwrap(), u64::from(frames));
        // The decoder checks the checksum of the corrected header.
        let (shown, steps) = decode_png(&path);
        assert_eq!(shown, (0..frames).map(|frame| picture(frame, 41, 30).bytes).collect::<Vec<_>>());
        assert_eq!(steps, (0..frames).map(|frame| caption(frame).step).collect::<Vec<_>>());
        let reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
        let control = reader.info().frame_control.unwrap();
        assert_eq!((control.delay_num, control.delay_den), (1, 30));
        assert_eq!(records_in_png(&path).len(), 1, "no input came between the frames");
        assert_eq!(names_in(folder.path()), ["film.apng"]);
    }
}

#[test]
fn a_gif_has_every_picture_within_its_palette_and_keeps_its_pace() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let frames = 9;
    assert_eq!(film(&path, frames, [48, 40]).unwrap(), 9);
    let (shown, delays) = decode_gif(&path);
    assert_eq!(shown.len(), 9);
    assert_eq!(delays, [3, 4, 3, 3, 4, 3, 3, 4, 3]);
    for (frame, shown) in shown.iter().enumerate() {
        let given = picture(frame as u32, 48, 40).bytes;
        let away = |(a, b): (&u8, &u8)| u32::from(a.abs_diff(*b));
        let (sum, most) = given.iter().zip(shown).map(away).fold((0, 0), |(sum, most), a| (sum + a, most.max(a)));
        let mean = f64::from(sum) / given.len() as f64;
        assert!(mean < 2.5 && most <= 40, "frame {frame} differs by {mean:.2} on average, and by {most} at most");
    }
    // Parts of the picture that do not move keep their colours.
    let corner = |shown: &Vec<u8>| shown[3 * 44..3 * 48].to_vec();
    assert!(shown.iter().all(|frame| corner(frame) == corner(&shown[0])));
}

#[test]
fn pictures_that_do_not_change_are_frames_of_a_gif_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.gif");
    let mut film = Film::begin(&path, 10).unwrap();
    for frame in [0, 0, 1] {
        film.add(&picture(frame, 20, 20), &caption(frame)).unwrap();
    }
    film.finish().unwrap();
    let (shown, delays) = decode_gif(&path);
    assert_eq!((shown.len(), delays), (3, vec![10; 3]));
    assert!(shown[0] == shown[1] && shown[1] != shown[2]);
}

#[test]
fn until_it_is_finished_a_film_does_not_exist_and_an_older_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["film.apng", "film.gif"] {
        let path = folder.path().join(name);
        fs::write(&path, b"old").unwrap();
        let mut film = Film::begin(&path, 30).unwrap();
        film.add(&picture(0, 16, 16), &caption(0)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(film);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(self::film(&path, 0, [8, 8]).unwrap(), 0, "a film without frames");
        assert_eq!(fs::read(&path).unwrap(), b"old");
    }
    let path = folder.path().join("film");
    let mut film = Film::begin(&path, 30).unwrap();
    film.add(&picture(0, 16, 16), &caption(0)).unwrap();
    assert!(!path.exists());
    drop(film);
    assert_eq!(names_in(folder.path()), ["film.apng", "film.gif"]);
}

#[test]
fn impossible_films_are_refused_at_the_beginning() {
    let folder = tempfile::tempdir().unwrap();
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join("mine"), b"mine").unwrap();
    fs::write(folder.path().join("file"), b"mine").unwrap();
    fs::create_dir(folder.path().join("taken.gif")).unwrap();
    for (name, frames_a_second, expected) in [
        ("full", 30, "the folder has something in it; name a new folder"),
        ("file", 30, "is a file; name a folder"),
        ("missing/film.apng", 30, "cannot begin the film"),
        ("film.gif", 60, "60 frames a second; from 1 to 50 for this format"),
        ("film.apng", 0, "0 frames a second; from 1 to 240"),
        ("film.avi", 30, "no ending of a film"),
    ] {
        let message = Film::begin(&folder.path().join(name), frames_a_second).unwrap_err().to_string();
        assert!(message.contains(expected) && message.contains(name), "{message}");
    }
    assert_eq!(names_in(folder.path()), ["file", "full", "taken.gif"]);
}

#[test]
fn a_picture_of_another_size_is_no_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut film = Film::begin(&folder.path().join("film.apng"), 30).unwrap();
    film.add(&picture(0, 16, 16), &caption(0)).unwrap();
    assert!(matches!(film.add(&picture(1, 16, 17), &caption(1)), Err(Failure::Broken(_))));
    assert_eq!(film.finish().unwrap(), 1);
}

/// A script in place of `ffmpeg`.
#[cfg(unix)]
fn fake_ffmpeg(folder: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("ffmpeg");
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program
}

#[cfg(unix)]
#[test]
fn ffmpeg_is_given_every_picture_at_an_even_size() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let script = format!("echo \"$@\" >{}\nfor last; do :; done\ncat >\"$last\"", said.display());
    let program = fake_ffmpeg(folder.path(), &script);
    for ([width, height], even) in [([6, 4], "6x4"), ([5, 3], "6x4"), ([5, 4], "6x4"), ([6, 3], "6x4")] {
        let path = folder.path().join("film.mp4");
        let mut film = ffmpeg::Ffmpeg::begin(program.clone(), FilmFormat::Mp4, &path, 25).unwrap();
        for frame in 0..3 {
            film.add(&picture(frame, width, height), &caption(frame)).unwrap();
        }
        assert!(!path.exists());
        Box::new(film).finish().unwrap();
        let options = fs::read_to_string(&said).unwrap();
        for part in [
            "-pixel_format rgb24",
            &format!("-video_size {even} -framerate 25"),
            "libx264",
            "+faststart",
            "-metadata comment={\"program\":\"murmuration\"",
        ] {
            assert!(options.contains(part), "{options}");
        }
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(bytes.len(), 3 * 3 * 6 * 4);
        for (frame, bytes) in bytes.chunks(3 * 6 * 4).enumerate() {
            let given = picture(frame as u32, width, height);
            for (y, row) in bytes.chunks(3 * 6).enumerate() {
                for (x, point) in row.chunks(3).enumerate() {
                    let [x, y] = [x.min(width as usize - 1), y.min(height as usize - 1)];
                    assert_eq!(point, &given.bytes[3 * (y * width as usize + x)..][..3]);
                }
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn the_message_of_ffmpeg_is_part_of_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.webm");
    // A program that ends without reading the frames, and one that fails at the end.
    for script in ["echo Unknown encoder >&2; exit 1", "cat >/dev/null; echo Unknown encoder >&2; exit 1"] {
        let program = fake_ffmpeg(folder.path(), script);
        let mut film = ffmpeg::Ffmpeg::begin(program, FilmFormat::Webm, &path, 25).unwrap();
        let added = (0..20).try_for_each(|frame| film.add(&picture(frame, 200, 200), &caption(frame)));
        let message = added.and_then(|()| Box::new(film).finish()).unwrap_err().to_string();
        assert!(message.contains("ffmpeg says: Unknown encoder"), "{message}");
        assert_eq!(names_in(folder.path()), ["ffmpeg"]);
    }
}

#[cfg(unix)]
#[test]
fn an_end_that_ffmpeg_could_not_write_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("film.mp4");
    // The exit status of ffmpeg 5.1 if the disk is full at the end of a film.
    let script = "cat >/dev/null; echo No space left on device >&2; case \" $* \" in *\" -xerror \"*) exit 1;; esac";
    let mut film = ffmpeg::Ffmpeg::begin(fake_ffmpeg(folder.path(), script), FilmFormat::Mp4, &path, 25).unwrap();
    film.add(&picture(0, 6, 4), &caption(0)).unwrap();
    let message = Box::new(film).finish().unwrap_err().to_string();
    assert!(message.contains("ffmpeg says: No space left on device"), "{message}");
    assert_eq!(names_in(folder.path()), ["ffmpeg"]);
}

#[test]
fn a_real_ffmpeg_writes_films_where_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    for (name, magic) in [("film.mp4", &b"ftyp"[..]), ("film.webm", &[0x1a, 0x45, 0xdf, 0xa3])] {
        let path = folder.path().join(name);
        let filmed = film(&path, 12, [41, 31]);
        if find_ffmpeg().is_none() {
            let message = filmed.unwrap_err().to_string();
            assert!(message.contains("there is no ffmpeg on the PATH") && message.contains("install it"), "{message}");
            continue;
        }
        assert_eq!(filmed.unwrap(), 12);
        let bytes = fs::read(&path).unwrap();
        assert!(bytes[..12].windows(4).any(|four| four == magic), "{name} is none");
    }
}
