//! Points of several species of cells. Each species has its own points, in its colour. The points are equal on every
//! engine. Their pictures in the styles `glow` and `dusk` are alike on the CPU and on the GPU.

use crate::species::cells::{BUSY, begun, cpu, deep, preset, state};
use crate::support::adapter;
use murmuration::observe::{self, Picture};
use murmuration_core::engine::Dispatch;
use murmuration_core::look::{Look, Style};
use murmuration_core::numbers::BOID;
use murmuration_core::picture::NIGHT;
use murmuration_core::points::{Blocks, Points, PointsReading, tolerance};
use murmuration_core::simulation::checkpoint::{Checkpoint, CheckpointReading};
use murmuration_core::simulation::{EngineChoice, Simulation};
use murmuration_core::state::Swarm;
use murmuration_core::world::{Edges, PLACE_BITS};
use murmuration_gpu::look::{PictureRenderer, SwarmSource};

/// A flat and a deep world in the glow style.
fn worlds() -> [String; 2] {
    [BUSY.to_string(), deep()].map(|text| {
        text.replace("style = \"cloud\"", "style = \"glow\"").replace("style = \"projection\"", "style = \"glow\"")
    })
}

fn with_points(text: &str, set: &[&str], choice: EngineChoice) -> Simulation {
    let mut simulation = begun(preset(text, set), "cell-fast", choice);
    simulation.keep_points().unwrap();
    simulation
}

fn points(simulation: &mut Simulation) -> Points {
    simulation.read(PointsReading).unwrap().expect("there are points")
}

/// Checks for each species and block that the points are as many as the boids, within the tolerance. Points must lie at
/// boids of their species.
fn check(simulation: &mut Simulation) {
    let (points, state) = (points(simulation), state(simulation));
    assert!(Points::are_in_order(&points.list, state.extents, 3));
    let each = f64::from(points.boids_each()) * f64::from(BOID);
    let blocks = Blocks::new(state.extents);
    for species in 0..3 {
        let density = &state.layers[species as usize].density;
        let own = || points.list.iter().filter(|point| point.layer() == species);
        let mut counts = vec![[0.0f64; 2]; blocks.count()];
        for point in own().filter(|point| !point.leaves()) {
            counts[blocks.index_at(point.place()) as usize][0] += 1.0;
        }
        let [width, height, _] = state.extents.along_axes();
        for (index, quanta) in (0u32..).zip(density) {
            let cell = [index % width, index / width % height, index / width / height].map(|axis| axis as i32);
            counts[blocks.index(cell) as usize][1] += f64::from(*quanta) / each;
        }
        for [count, wanted] in counts {
            // The number of points is rounded up or down.
            let bound = 1.0 + f64::from(tolerance(wanted.ceil() as u32));
            assert!((count - wanted).abs() <= bound, "species {species}: {count} for {wanted}");
        }
        for point in own().filter(|point| !point.leaves()) {
            let cell = point.place().map(|axis| axis >> PLACE_BITS);
            let around = (0..27).map(|index| [index % 3 - 1, index / 3 % 3 - 1, index / 9 - 1]);
            let has_boids = around.into_iter().any(|offset| {
                let place = [0, 1, 2].map(|axis| cell[axis] + offset[axis]);
                state.extents.deep_index(place, Edges::Torus).is_some_and(|index| density[index] > 0)
            });
            assert!(has_boids, "species {species}: a point where nobody is");
        }
    }
}

#[test]
fn species_have_points_of_their_own_on_every_engine() {
    let mut choices = vec![cpu(3, None)];
    if adapter::shared("points of species on the GPU").is_some() {
        choices.extend([Dispatch::Compute { workgroup: [8, 4] }, Dispatch::Fragment].map(EngineChoice::Gpu));
    }
    for text in worlds() {
        // Once as many points as boids, once fewer.
        for set in ["look.points=120000", "look.points=1500"] {
            let mut expected = with_points(&text, &[set], cpu(1, None));
            let mut others: Vec<_> = choices.iter().map(|choice| with_points(&text, &[set], *choice)).collect();
            for steps in [0, 1, 9] {
                expected.advance(steps).unwrap();
                check(&mut expected);
                for other in &mut others {
                    other.advance(steps).unwrap();
                    assert!(points(other) == points(&mut expected), "{set}, after {steps} more steps");
                }
            }
        }
    }
}

#[test]
fn points_of_species_are_saved_and_resumed() {
    let mut whole = with_points(&worlds()[0], &[], cpu(2, None));
    whole.advance(9).unwrap();
    let saved = whole.read(CheckpointReading).unwrap().to_bytes();
    let mut resumed =
        Simulation::resume(murmuration::host(), Checkpoint::from_bytes(&saved).unwrap(), cpu(1, None)).unwrap();
    whole.advance(7).unwrap();
    resumed.advance(7).unwrap();
    assert!(points(&mut whole) == points(&mut resumed));
}

fn farthest(one: &Picture, other: &Picture) -> u8 {
    assert_eq!((one.width, one.height), (other.width, other.height));
    one.bytes.iter().zip(&other.bytes).map(|(one, other)| one.abs_diff(*other)).max().unwrap()
}

#[test]
fn pictures_of_species_are_alike_on_both() {
    let Some(gpu) = adapter::shared("pictures of points of species") else { return };
    for text in worlds() {
        // Pictures of points on the CPU have no solids.
        let text = text.replace("[[world.solid]]\ncircle = { at = [0.4, 0.6], radius = 0.1 }\n", "");
        assert!(!text.contains("world.solid"));
        let mut simulation = with_points(&text, &[], EngineChoice::Gpu(Dispatch::default()));
        simulation.advance(6).unwrap();
        let device = murmuration_gpu::look::on_device(&simulation).unwrap().gpu.clone();
        let mut there = PictureRenderer::new(&device).unwrap();
        let mut here = PictureRenderer::new(&gpu).unwrap();
        for style in [Style::Glow, Style::Dusk] {
            let look = Look { style, ..simulation.preset().look.clone() };
            let world = simulation.preset().world.clone();
            let memory = SwarmSource::new(&mut simulation, None).unwrap();
            let points = memory.points().expect("there are points").clone();
            let twin = observe::picture(memory.state().unwrap(), Some(&points), &world, &look);
            let drawn = here.picture(memory, &world, &look).unwrap();
            let apart = farthest(&drawn, &twin);
            assert!(apart <= 2, "{style:?}: {apart} levels apart");
            let source = SwarmSource::new(&mut simulation, Some(&device)).unwrap();
            assert!(source.state().is_none(), "it is drawn where it is");
            let apart = farthest(&there.picture(source, &world, &look).unwrap(), &twin);
            assert!(apart <= 2, "{style:?}: {apart} levels apart on the device");
        }
    }
}

/// Two species at rest, side by side: one red, one blue, for every heading.
#[test]
fn points_have_the_colours_of_their_species() {
    let text = "description = \"at rest\"\n[world]\nsize = [40, 28]\n[start]\nboids = 0\n[sight.cohesion]\ndisc = 2\n\
        [sight.separation]\ndisc = 1\n[sight.alignment]\ndisc = 1\n[look]\nstyle = \"glow\"\nbloom = 0.0\n\
        [[species]]\nname = \"a\"\ncolour = 0.0\nseed = 1\n[[species]]\nname = \"b\"\ncolour = 0.6\nseed = 2\n";
    let mut simulation = begun(preset(text, &[]), "cell-fast", cpu(1, None));
    let mut begins = state(&mut simulation);
    for index in 0..begins.layers[0].density.len() {
        begins.layers[usize::from(index % 40 >= 20)].density[index] = BOID;
    }
    simulation.put_back(&Swarm::Cells(begins)).unwrap();
    simulation.keep_points().unwrap();
    simulation.advance(4).unwrap();
    let (look, world) = (simulation.preset().look.clone(), simulation.preset().world.clone());
    let source = SwarmSource::new(&mut simulation, None).unwrap();
    let picture = observe::picture(source.state().unwrap(), source.points().map(AsRef::as_ref), &world, &look);
    let half = |is_right: bool| {
        let (mut sums, mut pixels) = ([0u64; 3], 0u64);
        for (index, pixel) in picture.bytes.chunks_exact(3).enumerate() {
            let x = index as u32 % picture.width;
            // The middle, where both species are, is left out.
            let is_there = if is_right { x > picture.width * 11 / 20 } else { x < picture.width * 9 / 20 };
            if is_there {
                pixels += 1;
                sums.iter_mut().zip(pixel).for_each(|(sum, byte)| *sum += u64::from(*byte));
            }
        }
        (sums, pixels)
    };
    // The night is dark blue.
    let night = NIGHT.map(|level| level as u64);
    let colour = |(sums, pixels): ([u64; 3], u64)| [0, 2].map(|of| sums[of].saturating_sub(pixels * night[of]));
    let [own, other] = [half(false), half(true)].map(colour);
    assert!(own[0] > own[1] && 10 * other[0] < other[1], "red and blue: {own:?}, {other:?}");
}
