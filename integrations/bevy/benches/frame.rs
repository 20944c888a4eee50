//! Measures the time that a swarm adds to a frame of a game. The benchmark compares this time with the time in which
//! the library alone plays and draws the swarm on the game's device.
//!
//! ```text
//! cargo bench --bench frame
//! ```
//!
//! Three measurements alternate: a frame of a game with the swarm, a frame of a game without a swarm, and the library
//! alone, which plays an equal number of steps and draws a picture. A frame ends when the device is idle.

#[path = "../tests/game/mod.rs"]
mod game;

use bevy::prelude::*;
use bevy::render::renderer::{RenderDevice, RenderQueue};
use bevy::render::settings::WgpuSettings;
use bevy_murmuration::murmuration::run::Stepper;
use bevy_murmuration::murmuration::{
    Dispatch, EngineChoice, Failure, LIBRARY, Simulation, SwarmRenderer, host_on_device, open,
};
use bevy_murmuration::{Swarm, SwarmPicture, SwarmSimulation};
use game::{PACE, game_on};
use murmuration_gpu::look::{ViewTransform, swarm_of};
use std::time::{Duration, Instant};

const PRESET: &str = "droplets";
const CELLS: (u32, u32) = (512, 512);
const PIXELS: [u32; 2] = [1280, 800];
const ROUNDS: usize = 41;

fn game(has_swarm: bool) -> App {
    let mut app = game_on(WgpuSettings::default());
    if has_swarm {
        let mut images = app.world_mut().resource_mut::<Assets<Image>>();
        let picture = SwarmPicture::new(&mut images, PIXELS[0], PIXELS[1]);
        app.world_mut().spawn((Swarm::new(PRESET).size(CELLS.0, CELLS.1).seed(7).steps_per_second(PACE), picture));
    }
    app
}

/// The graphics device of a game, and the queue of the device.
fn device_of(app: &App) -> (wgpu::Device, wgpu::Queue) {
    let queue: &wgpu::Queue = app.world().resource::<RenderQueue>();
    (app.world().resource::<RenderDevice>().wgpu_device().clone(), queue.clone())
}

/// Draws a frame of a game. Returns the time until the device is idle.
fn frame(app: &mut App, device: &wgpu::Device) -> Duration {
    let begun = Instant::now();
    app.update();
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
    begun.elapsed()
}

/// The swarm played and drawn by the library without a game.
struct Alone {
    simulation: Simulation,
    renderer: SwarmRenderer,
    view: wgpu::TextureView,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Alone {
    fn new((device, queue): (wgpu::Device, wgpu::Queue)) -> Result<Self, Failure> {
        let format = wgpu::TextureFormat::Rgba8UnormSrgb;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: PIXELS[0], height: PIXELS[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let engine = EngineChoice::Gpu(Dispatch::default());
        let builder = open(PRESET).size(CELLS.0, CELLS.1).seed(7).host(host_on_device(&device, &queue)).engine(engine);
        let renderer = SwarmRenderer::new(LIBRARY, &device, &queue, format)?;
        Ok(Self { simulation: builder.start()?, renderer, view: texture.create_view(&default()), device, queue })
    }

    /// Plays steps and draws a picture. Returns the time until the device is idle.
    fn frame(&mut self, steps: u64) -> Result<Duration, Failure> {
        let begun = Instant::now();
        self.simulation.play(steps)?;
        let world = self.simulation.preset().world.clone();
        let look = self.simulation.preset().look.clone();
        let size = PIXELS.into();
        let (source, individuals) = swarm_of(&mut self.simulation, Some(self.renderer.gpu()))?;
        self.renderer.show(source, &world);
        self.renderer.show_individuals(individuals.as_ref());
        let mut encoder = self.device.create_command_encoder(&default());
        let view = ViewTransform::of_preset(self.simulation.preset(), size);
        self.renderer.draw(&mut encoder, &self.view, size, &view, &look);
        self.queue.submit([encoder.finish()]);
        self.renderer.submitted();
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        Ok(begun.elapsed())
    }
}

fn main() -> Result<(), Failure> {
    let mut with = game(true);
    let mut without = game(false);
    let devices = [device_of(&with), device_of(&without)];
    let mut alone = Alone::new(devices[0].clone())?;
    // The swarm starts in the background. Waits until some steps are played and drawn.
    let mut drawn = 0;
    while drawn < 10 {
        frame(&mut with, &devices[0].0);
        drawn += with.world_mut().query::<&SwarmSimulation>().iter(with.world()).count();
    }
    let swarm = with.world_mut().query::<&SwarmSimulation>().iter(with.world()).next().cloned();
    let step = || swarm.as_ref().map_or(0, SwarmSimulation::step);
    let (mut times, mut played): ([Vec<Duration>; 3], u64) = Default::default();
    for round in 0..ROUNDS + 5 {
        let before = step();
        let with = frame(&mut with, &devices[0].0);
        // A game that cannot keep its pace skips steps. The library then plays as few steps as the game.
        let steps = step() - before;
        let all = [with, frame(&mut without, &devices[1].0), alone.frame(steps)?];
        if round >= 5 {
            played += steps;
            times.iter_mut().zip(all).for_each(|(times, own)| times.push(own));
        }
    }
    let medians = times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2].as_secs_f64() * 1000.0
    });
    let [with, without, alone] = medians;
    println!(
        "{PRESET}, {}×{} cells, {}×{} pixels, medians of {ROUNDS} frames, {played} steps",
        CELLS.0, CELLS.1, PIXELS[0], PIXELS[1]
    );
    println!("a frame with the swarm      {with:8.2} ms");
    println!("the same without            {without:8.2} ms");
    println!("the library alone           {alone:8.2} ms");
    println!("the swarm's part            {:8.2} times the library's", (with - without) / alone);
    Ok(())
}
