//! Plays the preset `reef`, an endless world with rock, and draws each frame. The benchmark checks that rock delays no
//! frame when it is uploaded to the GPU in chunks.
//!
//! ```text
//! cargo bench --bench flight
//! ```
//!
//! At 20 frames a second, each of six steps, the school travels at least 40 cells a second. Two times of each frame are
//! measured: the time of its picture and the time of its steps. The program draws pictures on one thread and plays
//! steps on another. In some frames chunks of rock are uploaded, or the simulated part of the world moves along with
//! the school. The benchmark fails if the picture of such a frame takes more than twice the median of all pictures, and
//! longer than every picture of the remaining frames. A slow picture of a remaining frame shows a delay by the rest of
//! the machine. The benchmark also fails if the school is slower than 40 cells a second.

use glam::uvec2;
use murmuration::run::{Run, Stepper};
use murmuration::{EngineChoice, Extents, Failure, LIBRARY, Overrides, Preset, Simulation, devices, host};
use murmuration_core::engine::Adapters;
use murmuration_gpu::device::program;
use murmuration_gpu::look::{Orbit, SwarmRenderer, swarm_of};
use murmuration_gpu::{DeviceRequest, Gpu};
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

/// The minimum speed of the school, in cells a second.
const SPEED: f64 = 40.0;
const FRAMES_A_SECOND: f64 = 20.0;
const STEPS_A_FRAME: u64 = 6;
/// The number of steps before the first frame. In these steps the fish form a school.
const STEPS_BEFORE: u64 = 1500;
const FRAMES_BEFORE: usize = 40;
const FRAMES: usize = 300;
const SIZE: glam::UVec2 = uvec2(640, 400);
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// The maximum time of a picture, relative to the median of all pictures, in frames with uploaded chunks or a moved
/// world.
const BOUND: f64 = 2.0;

/// The seconds of the steps and of the picture of a frame. `uploaded`: the bytes of rock uploaded in the frame.
/// `has_moved`: whether the simulated part of the world moved.
struct FrameTime {
    steps: f64,
    picture: f64,
    uploaded: u64,
    has_moved: bool,
}

struct Flight {
    simulation: Simulation,
    gpu: Arc<Gpu>,
    renderer: SwarmRenderer,
    target: wgpu::TextureView,
}

impl Flight {
    fn begin() -> Result<Self, Failure> {
        let preset = Preset::load(host(), "reef", &Overrides::default())?;
        let chain = preset.load_chain(None)?;
        let mut simulation = Simulation::new(preset, &chain, EngineChoice::Auto)?;
        Run::new(&mut simulation).to(STEPS_BEFORE).play()?;
        let gpu = devices().get(&DeviceRequest::new(Adapters::Any, Extents::flat(1, 1)))?;
        let mut renderer = SwarmRenderer::new(LIBRARY, &gpu.device, gpu.queue(), FORMAT)?;
        renderer.set_waiting(false);
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let target = program::texture(&gpu.device, "frame", SIZE.to_array(), FORMAT, 1, usage);
        Ok(Self { simulation, target: target.create_view(&Default::default()), gpu, renderer })
    }

    fn frame(&mut self) -> Result<FrameTime, Failure> {
        let (began, origin) = (Instant::now(), self.simulation.origin());
        self.simulation.play(STEPS_A_FRAME)?;
        let (source, individuals) = swarm_of(&mut self.simulation, Some(&self.gpu))?;
        let played = Instant::now();
        let preset = self.simulation.preset();
        let look = self.simulation.look();
        let orbit = Orbit::from_look(&preset.world, preset.size().slices(), &look, SIZE);
        self.renderer.show(source, &preset.world);
        self.renderer.show_individuals(individuals.as_ref());
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        self.renderer.draw(&mut encoder, &self.target, SIZE, &orbit.into(), &look);
        let submission = self.gpu.queue().submit([encoder.finish()]);
        self.renderer.submitted();
        self.gpu.wait(Some(submission))?;
        Ok(FrameTime {
            steps: (played - began).as_secs_f64(),
            picture: played.elapsed().as_secs_f64(),
            uploaded: self.renderer.uploaded_terrain(),
            has_moved: self.simulation.origin() != origin,
        })
    }
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut flight = Flight::begin()?;
    for _ in 0..FRAMES_BEFORE {
        flight.frame()?;
    }
    let before = flight.simulation.travelled().unwrap_or_default();
    let frames = (0..FRAMES).map(|_| flight.frame()).collect::<Result<Vec<_>, _>>()?;
    let travelled = flight.simulation.travelled().unwrap_or_default() - before;
    let adapter = flight.gpu.adapter.as_ref().map(|adapter| adapter.get_info().name);
    println!("{}; {}", adapter.unwrap_or_default(), flight.simulation.describe_engine());
    let speed = travelled / FRAMES as f64 * FRAMES_A_SECOND;
    let uploaded = frames.iter().map(|frame| frame.uploaded).sum::<u64>() >> 20;
    println!("{FRAMES} frames of {} by {} pixels, {speed:.1} cells a second, {uploaded} MiB uploaded", SIZE.x, SIZE.y);
    let median = report("all", &frames, |_| true).0;
    let others = report("nothing came", &frames, |frame| !frame.has_moved && frame.uploaded == 0).1;
    let moved = report("the window moved", &frames, |frame| frame.has_moved).1;
    let uploaded = report("chunks came", &frames, |frame| frame.uploaded > 0).1;
    let [ratio, other] = [moved.max(uploaded), others].map(|latest| latest / median);
    println!(
        "the latest that something came with: {ratio:.2} of the median, at most {BOUND}; of the others: {other:.2}"
    );
    let is_late = ratio > BOUND.max(other);
    Ok(if is_late || speed < SPEED { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Prints the times of the frames for which `is_of` holds. Returns the median and the greatest time of their pictures,
/// in seconds.
fn report(name: &str, frames: &[FrameTime], is_of: impl Fn(&FrameTime) -> bool) -> (f64, f64) {
    let times = |of: fn(&FrameTime) -> f64| {
        let mut times: Vec<f64> = frames.iter().filter(|frame| is_of(frame)).map(of).collect();
        times.sort_by(f64::total_cmp);
        [times.get(times.len() / 2), times.last()].map(|time| time.copied().unwrap_or_default())
    };
    let [steps, picture] = [|frame: &FrameTime| frame.steps, |frame: &FrameTime| frame.picture].map(times);
    let count = frames.iter().filter(|frame| is_of(frame)).count();
    let in_ms = |[median, greatest]: [f64; 2]| format!("{:.1} (greatest {:.1})", 1e3 * median, 1e3 * greatest);
    println!("{name}: {count} frames; median ms of pictures {}, of steps {}", in_ms(picture), in_ms(steps));
    picture.into()
}
