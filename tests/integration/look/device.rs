//! Pictures drawn by the GPU against pictures drawn by the CPU.

use crate::program::outputs::decode;
use crate::support::adapter::shared;
use crate::support::command::{Folder, fixture, repository};
use glam::{UVec2, Vec2, Vec3, uvec2, vec2, vec3};
use murmuration::observe::{self, Caption, Picture};
use murmuration_core::chain::Chain;
use murmuration_core::engine::cpu::Options;
use murmuration_core::individuals::deposit::deposit;
use murmuration_core::look::Look;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::{Individuals, State, Swarm};
use murmuration_core::world::{Edges, Extents, Space, World};
use murmuration_gpu::device::program;
use murmuration_gpu::look::{Camera, Orbit, Pane, Part, PictureRenderer, SwarmRenderer, ViewTransform, download};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// A preset after some steps.
fn played(name: &str, size: (u32, u32), set: &[&str]) -> (State, World, Look) {
    let set = set.iter().map(|entry| entry.to_string()).collect();
    let preset =
        Preset::load(murmuration::host(), fixture(name), &Overrides { size: Some(size), set, ..Overrides::default() })
            .unwrap();
    let (world, look) = (preset.world.clone(), preset.look.clone());
    let chain = Chain::load(murmuration::host().as_ref(), "cell").unwrap();
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Options::default())).unwrap();
    simulation.advance(60).unwrap();
    (simulation.state().unwrap(), world, look)
}

pub fn farthest(one: &Picture, other: &Picture) -> u8 {
    assert_eq!((one.width, one.height), (other.width, other.height));
    one.bytes.iter().zip(&other.bytes).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn the_gpu_draws_the_picture_of_the_cpu() {
    for (name, size, set) in [
        ("droplets", (200, 136), &[][..]),
        // Walls, solids, and odd extents, which the coarser levels of the halo do not divide.
        ("lagoon", (157, 121), &["look.bloom=1.0"]),
        ("simmer", (96, 96), &["look.exposure=0.05"]),
        ("fog", (128, 96), &["look.colour=density"]),
        ("shoals", (128, 128), &["look.colour=speed", "look.trails=0.9"]),
        // One point for each cell, and one for every four cells.
        ("ribbons", (800, 90), &[]),
        ("droplets", (2500, 40), &[]),
    ] {
        let (state, world, look) = played(name, size, set);
        let Some(gpu) = shared("the look on the GPU") else { return };
        let mut pictures = PictureRenderer::new(&gpu).unwrap();
        let drawn = pictures.picture(&state, &world, &look).unwrap();
        let twin = observe::glow(&state, &world, &look);
        let apart = farthest(&drawn, &twin);
        assert!(apart <= 2, "{name} with {set:?}: {apart} levels apart");
        assert!(drawn.bytes.iter().any(|byte| *byte > 60), "{name} shows nothing");
        // A repeated picture is equal: it contains nothing of the earlier picture.
        assert_eq!(farthest(&drawn, &pictures.picture(&state, &world, &look).unwrap()), 0, "{name}");
    }
}

#[test]
fn from_near_there_are_points_and_beyond_walls_a_deeper_night() {
    let (state, world, look) = played("lagoon", (160, 120), &[]);
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let size = uvec2(320, 200);
    let mut view = |camera: Camera| pictures.view(&state, &world, &look, camera, size).unwrap();
    let densest = (0..state.layers[0].density.len()).max_by_key(|index| state.layers[0].density[*index]).unwrap();
    let centre = vec2((densest % 160) as f32, (densest / 160) as f32) + 0.5;
    let brightness = |picture: &Picture| {
        let mut levels: Vec<u32> =
            picture.bytes.as_chunks::<3>().0.iter().map(|pixel| pixel.map(u32::from).iter().sum()).collect();
        levels.sort_unstable();
        levels
    };
    let levels = brightness(&view(Camera { centre, pixels_per_cell: 30.0 }));
    let (middle, brightest) = (levels[levels.len() / 2], levels[levels.len() - 1]);
    assert!(brightest > 2 * middle + 100, "points stand out: {middle} and {brightest}");

    let fitted = view(Camera::fit(world.extents, world.edges, size));
    let pixel = |x: usize| {
        let at = 3 * (100 * 320 + x);
        fitted.bytes[at..at + 3].iter().map(|byte| u32::from(*byte)).sum::<u32>()
    };
    // 200 pixels for 120 cells: the walls are 26 2/3 pixels from the sides.
    assert!(pixel(5) < 40 && pixel(26) > pixel(5) + 60, "{} and {}", pixel(5), pixel(26));
}

#[test]
fn a_torus_goes_on_beyond_its_edges() {
    let (state, world, look) = played("droplets", (128, 96), &["look.bloom=0.0"]);
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let mut view = |centre| {
        let camera = Camera { centre, pixels_per_cell: 4.0 };
        pictures.view(&state, &world, &look, camera, uvec2(256, 192)).unwrap()
    };
    let here = view(vec2(10.0, 20.0));
    assert!(farthest(&here, &view(vec2(10.0 + 128.0, 20.0 - 96.0))) <= 1);
    assert!(farthest(&here, &view(vec2(30.0, 20.0))) > 40);
}

/// Compares with stored pictures. After an intended change: `MURMURATION_BLESS=1 cargo test --test integration look`
#[test]
fn the_look_is_what_it_always_was() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    for (name, set, pixels_per_cell) in [
        ("droplets", &[][..], 2.0),
        ("lagoon", &["look.colour=speed"], 1.3),
        ("simmer", &["look.bloom=1.0"], 14.0),
        ("ribbons", &["look.hue=0.3"], 30.0),
    ] {
        let (state, world, look) = played(name, (96, 72), set);
        let camera = Camera { centre: vec2(40.0, 36.0), pixels_per_cell };
        let drawn = pictures.view(&state, &world, &look, camera, uvec2(160, 100)).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let path = folder.join(format!("look-{name}.png"));
        if std::env::var("MURMURATION_BLESS").is_ok_and(|value| value == "1") {
            observe::write_png(&drawn, &path, &Caption { provenance: Default::default(), step: 60 }).unwrap();
        }
        let mut reader = png::Decoder::new(BufReader::new(File::open(&path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let golden = Picture { width: info.width, height: info.height, bytes };
        let apart = farthest(&drawn, &golden);
        assert!(apart <= 3, "{name}: {apart} levels apart from {}", path.display());
    }
}

/// Individuals in a world without walls: places in cells, velocities in cells a step.
fn individuals(extents: Extents, depth: u32, each: &[(Vec3, Vec3)]) -> (Individuals, State) {
    let mut individuals = Individuals::default();
    for (number, (place, velocity)) in each.iter().enumerate() {
        let place = (place * 65_536.0).as_ivec3().to_array();
        individuals.push(number as u32, place, (velocity * 16_384.0).as_ivec3().to_array());
    }
    let space = Space { extents: [extents.width, extents.height, depth], edges: Edges::Torus };
    let seen = deposit(&individuals, &space);
    (individuals, seen)
}

fn torus(extents: Extents) -> World {
    World::empty(extents, Edges::Torus)
}

/// Red, green and blue at a pixel.
fn pixel(picture: &Picture, Vec2 { x, y }: Vec2) -> [i32; 3] {
    let at = 3 * (y as usize * picture.width as usize + x as usize);
    std::array::from_fn(|channel| i32::from(picture.bytes[at + channel]))
}

fn light(picture: &Picture, at: Vec2) -> i32 {
    pixel(picture, at).iter().sum()
}

#[test]
fn an_individual_is_a_dart_that_points_where_it_goes_and_comes_round_a_torus() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let extents = Extents::flat(32, 24);
    let (individuals, seen) =
        individuals(extents, 1, &[(vec3(8.0, 6.0, 0.0), 0.8 * Vec3::X), (vec3(24.0, 12.0, 0.0), -0.8 * Vec3::Y)]);
    let world = torus(extents);
    let (look, size) = (Look { bloom: 0.0, exposure: 0.5, ..Look::default() }, uvec2(320, 240));
    let mut view = |camera: Camera| {
        let part = Part {
            source: (&seen).into(),
            individuals: Some((&individuals).into()),
            world: &world,
            transform: camera.into(),
            pane: size.into(),
        };
        pictures.next(&[part], &look, size).unwrap()
    };
    let near = view(Camera { centre: vec2(16.0, 12.0), pixels_per_cell: 10.0 });
    let night = light(&near, vec2(160.0, 200.0));
    // The first individual heads right, the second up. Each is bright ahead of its middle, and darker behind and
    // beside.
    for (middle, ahead, beside) in [(vec2(80.0, 60.0), Vec2::X, Vec2::Y), (vec2(240.0, 120.0), -Vec2::Y, Vec2::X)] {
        let at = |along: f32, across: f32| light(&near, middle + along * ahead + across * beside);
        assert!(at(4.0, 0.0) > night + 150, "no light at its nose: {} over {night}", at(4.0, 0.0));
        assert!(at(4.0, 0.0) > at(-7.0, 0.0) + 60 && at(0.0, 0.0) > at(0.0, 7.0) + 100, "it has no shape");
    }
    // Individuals that head right and up have different colours.
    let [right, up] = [vec2(83.0, 60.0), vec2(240.0, 117.0)].map(|at| pixel(&near, at));
    assert!(right.iter().zip(&up).any(|(a, b)| (a - b).abs() > 60), "{right:?} and {up:?}");
    // A shift around the torus gives the same picture, and beyond the edge the same dart.
    let round = view(Camera { centre: vec2(16.0 - 32.0, 12.0 + 48.0), pixels_per_cell: 10.0 });
    assert!(farthest(&near, &round) <= 2);
    let wide = view(Camera { centre: vec2(16.0, 12.0), pixels_per_cell: 4.0 });
    for copy in [vec2(128.0, 96.0), vec2(0.0, 96.0), vec2(256.0, 96.0)] {
        assert!(light(&wide, copy + Vec2::X) > light(&wide, copy + vec2(20.0, 18.0)) + 60, "no copy at {copy}");
    }
}

#[test]
fn from_the_glow_to_the_darts_nothing_jumps() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let preset =
        Preset::load(murmuration::host(), "flock", &Overrides { size: Some((96, 64)), ..Overrides::default() })
            .unwrap();
    let chain = preset.load_chain(None).unwrap();
    let (world, look) = (preset.world.clone(), Look { bloom: 0.0, ..preset.look.clone() });
    let mut simulation = Simulation::new(preset, &chain, EngineChoice::Cpu(Options::default())).unwrap();
    simulation.advance(4).unwrap();
    let Swarm::Individuals(individuals, _) = simulation.swarm().unwrap() else {
        panic!("a flock is one of individuals")
    };
    let (seen, size) = (simulation.state().unwrap(), uvec2(200, 140));
    let mut mean = |pixels_per_cell: f32| {
        let transform = Camera { centre: vec2(48.0, 32.0), pixels_per_cell }.into();
        let part = Part {
            source: (&seen).into(),
            individuals: Some((&individuals).into()),
            world: &world,
            transform,
            pane: size.into(),
        };
        let picture = pictures.next(&[part], &look, size).unwrap();
        picture.bytes.iter().map(|byte| f64::from(*byte)).sum::<f64>() / picture.bytes.len() as f64
    };
    let mut before = mean(0.8);
    assert!(before > 20.0, "nothing glows: {before}");
    let mut scale = 0.8;
    while scale < 12.0 {
        scale *= 1.07;
        let now = mean(scale);
        assert!((now - before).abs() < 0.09 * before + 1.0, "from {before} to {now} at {scale} pixels a cell");
        before = now;
    }
}

#[test]
fn in_a_deep_world_the_nearer_fish_hides_the_farther_one_and_both_are_where_the_eye_expects_them() {
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let (extents, size) = (Extents::flat(60, 40), uvec2(480, 320));
    let world = torus(extents);
    let look = Look { bloom: 0.0, exposure: 0.5, ..Look::default() };
    let orbit = Orbit::fit([60, 40, 20].into(), size);
    let mut view = |each: &[(Vec3, Vec3)], orbit: Orbit| {
        let (individuals, seen) = individuals(extents, 20, each);
        let transform = ViewTransform::Around(orbit);
        let part = Part {
            source: (&seen).into(),
            individuals: Some((&individuals).into()),
            world: &world,
            transform,
            pane: size.into(),
        };
        pictures.next(&[part], &look, size).unwrap()
    };
    let near = Orbit { distance: orbit.distance / 3.0, ..orbit };
    let (first, second) = ((vec3(30.0, 20.0, 10.0), 0.8 * Vec3::X), (vec3(42.0, 12.0, 14.0), vec3(-0.1, 0.8, 0.0)));
    let both = view(&[first, second], near);
    let empty = view(&[], near);
    for (place, _) in [first, second] {
        let at = near.pixel_at(size, place).unwrap();
        assert!(light(&both, at) > light(&empty, at) + 80, "no fish at {at:?}");
    }
    // An individual exactly behind the first adds no light of its own.
    let mut above = Orbit { yaw: 0.0, ..near };
    above.turn(vec2(0.0, 1e6));
    let behind = (vec3(30.0, 20.0, 4.0), 0.8 * Vec3::Y);
    let at = above.pixel_at(size, first.0).unwrap();
    let [alone, hidden] = [view(&[first], above), view(&[behind, first], above)].map(|picture| pixel(&picture, at));
    // The light around a pixel measures its contrast. The individual behind is visible on both sides.
    let apart = |a: [i32; 3], b: [i32; 3]| (0..3).map(|channel| (a[channel] - b[channel]).abs()).max().unwrap();
    assert!(apart(alone, hidden) < 16, "{alone:?} and {hidden:?}");
    let [other, shown] = [view(&[behind], above), view(&[(vec3(8.0, 8.0, 10.0), first.1), behind], above)];
    let [other, shown] = [other, shown].map(|picture| pixel(&picture, at));
    assert!(apart(other, shown) < 16 && apart(other, alone) > 48, "{other:?}, {shown:?} and {alone:?}");
    // From far away individuals have no shape, but their light is there. Around the box it is night.
    let far = Orbit { distance: orbit.distance * 2.5, ..orbit };
    let swarm: Vec<_> =
        (0..400).map(|k| (vec3(25.0 + (k % 20) as f32 * 0.5, 15.0 + (k / 20) as f32 * 0.5, 10.0), first.1)).collect();
    let motes = view(&swarm, far);
    let at = far.pixel_at(size, vec3(30.0, 20.0, 10.0)).unwrap();
    assert!(light(&motes, at) > 200 && light(&motes, vec2(4.0, 4.0)) < 60, "{}", light(&motes, at));
}

#[test]
fn two_parts_of_a_picture_are_the_pictures_that_each_would_be_alone() {
    let (state, world, look) = played("droplets", (64, 48), &[]);
    let Some(gpu) = shared("the look on the GPU") else { return };
    let mut pictures = PictureRenderer::new(&gpu).unwrap();
    let camera = Camera { centre: vec2(20.0, 22.0), pixels_per_cell: 3.0 };
    let (left, right) = (uvec2(100, 90), uvec2(60, 90));
    let part = |origin, size| Part {
        source: (&state).into(),
        individuals: None,
        world: &world,
        transform: camera.into(),
        pane: Pane { origin, size },
    };
    let both = pictures.next(&[part(UVec2::ZERO, left), part(uvec2(100, 0), right)], &look, uvec2(160, 90)).unwrap();
    for (from, size) in [(0, left), (100, right)] {
        let alone = PictureRenderer::new(&gpu).unwrap().view(&state, &world, &look, camera, size).unwrap();
        let rows = both.bytes.chunks(3 * 160).map(|row| &row[3 * from..][..3 * size.x as usize]);
        assert!(rows.flatten().eq(&alone.bytes), "the part from pixel {from} on");
    }
}

/// A look chain with a kernel, in a new folder.
fn chain_with(text: &str, kernel: (&str, &str)) -> Chain {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(kernel.0), kernel.1).unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, text).unwrap();
    Chain::load(murmuration::host().as_ref(), path.to_str().unwrap()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

#[test]
fn a_file_replaces_a_pass_of_the_look() {
    let (state, world, look) = played("droplets", (64, 48), &[]);
    let Some(gpu) = shared("a look of one's own") else { return };
    let picture =
        |chain: Chain| PictureRenderer::with_chain(&gpu, chain).unwrap().picture(&state, &world, &look).unwrap();
    let built_in = picture(Chain::load(murmuration::host().as_ref(), "glow").unwrap());
    let text = murmuration::host()
        .library()
        .chain("glow")
        .unwrap()
        .replace("kernel = \"develop\"", "kernel = \"develop.wgsl\"");
    let develop = murmuration::host().library().shader("look/develop");
    assert_eq!(farthest(&built_in, &picture(chain_with(&text, ("develop.wgsl", develop)))), 0);
    // The red of every pixel is the green of the built-in look.
    let swapped = develop.replacen(
        "fn develop(",
        "fn develop(pixel: vec2<i32>) -> vec4<f32> {\n    return developed(pixel).grba;\n}\n\nfn developed(",
        1,
    );
    let other = picture(chain_with(&text, ("develop.wgsl", &swapped)));
    let pixels = |picture: &Picture| picture.bytes.as_chunks::<3>().0.to_vec();
    let expected: Vec<[u8; 3]> = pixels(&built_in).into_iter().map(|[red, green, blue]| [green, red, blue]).collect();
    assert!(farthest(&built_in, &other) > 10);
    assert_eq!(pixels(&other), expected);
}

/// A chain without halo and softening, with its own kernel at the end.
#[test]
fn a_file_drops_passes_of_the_look() {
    let (state, world, look) = played("droplets", (64, 48), &[]);
    let Some(gpu) = shared("a look without a halo") else { return };
    let text = "description = \"Light alone.\"\nmodel = \"look\"\n\
        [fields]\nswarm = \"lattice\"\nbands = [\"screen\", \"view\"]\nlight = \"screen\"\n\
        [[pass]]\nkernel = \"swarm\"\nread = [\"density\", \"control\", \"solids\"]\nwrite = [\"swarm\"]\n\
        [[pass]]\nkernel = \"across\"\nread = [\"swarm\"]\nwrite = [\"bands\"]\n\
        [[pass]]\nkernel = \"shine\"\nread = [\"bands\", \"palette\"]\nwrite = [\"light\"]\n\
        [[pass]]\nkernel = \"plain.wgsl\"\nread = [\"light\"]\nwrite = [\"target\"]\n";
    let plain = "fn plain(pixel: vec2<i32>) -> vec4<f32> {\n    let shown = light(pixel).rgb;\n    \
        return vec4<f32>(shown / (1.0 + shown), 1.0);\n}\n";
    let chain = chain_with(text, ("plain.wgsl", plain));
    let drawn = PictureRenderer::with_chain(&gpu, chain).unwrap().picture(&state, &world, &look).unwrap();
    let built_in = PictureRenderer::new(&gpu).unwrap().picture(&state, &world, &look).unwrap();
    assert!(drawn.bytes.iter().any(|byte| *byte > 60), "it shows nothing");
    assert!(drawn.bytes.contains(&0) && !built_in.bytes.contains(&0), "the night is the built-in kernel's");
    assert!(farthest(&drawn, &built_in) > 5);
}

#[test]
fn a_look_that_cannot_be_drawn_is_refused() {
    let Some(gpu) = shared("refused looks") else { return };
    let refused = |chain| PictureRenderer::with_chain(&gpu, chain).err().expect("it is wrong").to_string();
    let wrong = refused(Chain::load(murmuration::host().as_ref(), "cell").unwrap());
    assert!(wrong.contains("the model \"cell\"; the look's is \"look\""), "{wrong}");
    let text = murmuration::host()
        .library()
        .chain("glow")
        .unwrap()
        .replace("kernel = \"develop\"", "kernel = \"develop.wgsl\"");
    let wrong =
        refused(chain_with(&text, ("develop.wgsl", "fn develop(pixel: vec2<i32>) -> vec4<f32> {\n    return 1;\n}\n")));
    assert!(wrong.contains("develop.wgsl:2"), "{wrong}");
}

/// `--look` with the example `examples/ink`: dark ink on pale paper.
#[test]
fn a_run_is_drawn_by_a_look_of_ones_own() {
    let Some(_) = shared("the option --look") else { return };
    let folder = Folder::new();
    let ink = repository().join("examples/ink/ink.toml").display().to_string();
    let run = |look: &str| {
        let size = ["--size", "64x48", "--steps", "40", "--every", "40"];
        let outputs = ["--out", "out", "--film", "ink.gif", "--json", "--look", look];
        folder.run(&[&["render", fixture("droplets").as_str()][..], &size, &outputs].concat())
    };
    run(&ink).succeeded();
    assert!(folder.join("ink.gif").exists());
    let pixels = decode(&folder.join("out/picture-000040.png")).bytes;
    assert!(pixels.iter().any(|level| *level > 220), "there is no paper");
    assert!(pixels.iter().any(|level| *level < 110), "there is no ink");
    for (look, wrong) in [("cell", "the model \"cell\"; the look's is \"look\""), ("none.toml", "none.toml")] {
        let refused = run(look);
        assert_eq!(refused.status, Some(2));
        assert!(refused.complaint().contains(wrong), "{}", refused.complaint());
    }
}

/// A renderer computes the visible blocks, and keeps them while the swarm and the camera rest.
#[test]
fn a_camera_that_moves_over_a_swarm_at_rest_sees_what_a_new_one_sees() {
    let Some(gpu) = shared("a moving camera") else { return };
    for (name, set) in [("droplets", &["look.bloom=0.3"][..]), ("lagoon", &[])] {
        let (state, world, look) = played(name, (96, 72), set);
        let (size, look) = (uvec2(150, 90), Look { trails: 0.0, ..look });
        let format = wgpu::TextureFormat::Rgba8Unorm;
        let new = |chain: &str| {
            let chain = Chain::load(murmuration::host().as_ref(), chain).unwrap();
            let mut renderer = SwarmRenderer::with_chain(&gpu, format, chain).unwrap();
            renderer.show(&state, &world);
            renderer
        };
        let draw = |renderer: &mut SwarmRenderer, camera: Camera| {
            let usage = wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC;
            let target = program::texture(&gpu.device, "target", size.to_array(), format, 1, usage);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            renderer.draw(&mut encoder, &target.create_view(&Default::default()), size, &camera.into(), &look);
            gpu.queue().submit([encoder.finish()]);
            renderer.submitted();
            download(&gpu, &target).unwrap()
        };
        // A chain from the disk may read the lattice anywhere, so all blocks are computed.
        let from_disk = repository().join("passes/glow.toml");
        let mut moving = new("glow");
        for (x, y, pixels_per_cell) in [
            (40.0, 36.0, 3.0),
            (40.0, 36.0, 3.0),
            (46.5, 36.0, 3.0),
            (-7.0, 80.0, 3.0),
            (20.0, 10.0, 6.0),
            (48.0, 36.0, 0.8),
            (60.0, 50.0, 0.8),
            (60.0, 50.0, 4.0),
        ] {
            let camera = Camera { centre: vec2(x, y), pixels_per_cell };
            let (seen, expected) = (draw(&mut moving, camera), draw(&mut new(from_disk.to_str().unwrap()), camera));
            assert!(seen == expected, "{name}: {camera:?} is {} levels apart", farthest(&seen, &expected));
        }
    }
}
