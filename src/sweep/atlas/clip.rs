//! The film of a combination: some small gray frames from the end of a run. The coverage is measured from the same
//! swarms: the part of the world's area that the swarm holds.

use crate::link::tiles::{MAX_FRAMES, MAX_PIXELS};
use crate::run::{Moment, Observer, RunTime};
use murmuration_core::error::Failure;
use murmuration_core::look::{Look, Style};
use murmuration_core::numbers::BOID;
use murmuration_core::picture::{Plane, axes_across, axis_of, plane_extents};
use murmuration_core::simulation::Simulation;
use murmuration_core::state::Swarm;
use murmuration_core::world::PLACE_BITS;
use serde::{Deserialize, Serialize};
use std::io;

/// The number of blocks along each side of the area. The coverage is the part of the blocks that the swarm covers. With
/// few boids the area has fewer blocks.
const BLOCKS: usize = 16;
/// The minimum mean number of boids in a block. With fewer boids, chance alone would leave some blocks empty.
const BOIDS_OF_BLOCK: f64 = 8.0;
/// A block is covered if its density is at least this part of the mean density of the area.
const COVERED: f64 = 0.25;
/// The factor 2 in the brightness 255 v / (v + 2 m) of a pixel. v: the density of the pixel. m: the mean density of the
/// area.
const HALF: f64 = 2.0;

/// The number, the distance and the size of the frames of films.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipPlan {
    /// The number of frames. The last frame shows the last step of the run.
    pub frames: u32,
    /// The number of steps from one frame to the next.
    pub every: u64,
    /// The number of pixels along the longer side of a frame.
    pub pixels: u32,
}

impl Default for ClipPlan {
    fn default() -> Self {
        Self { frames: 8, every: 4, pixels: 64 }
    }
}

impl ClipPlan {
    /// Whether films can be made with these numbers.
    pub fn is_sound(&self) -> bool {
        (1..=MAX_FRAMES).contains(&self.frames) && (1..=MAX_PIXELS).contains(&self.pixels) && self.every > 0
    }

    /// The number of frames of the film of a run, at least 1. `last`: the last step of the run. A film of a short run
    /// has fewer frames than `frames`.
    pub fn count(&self, last: u64) -> u32 {
        self.steps(last).len() as u32
    }

    /// The steps of the frames of a film, ascending. `last`: the last step of the run.
    pub fn steps(&self, last: u64) -> Vec<u64> {
        let before = |frame: u32| u64::from(frame).checked_mul(self.every).and_then(|steps| last.checked_sub(steps));
        let mut steps: Vec<u64> = (0..self.frames).map_while(before).collect();
        steps.reverse();
        steps
    }
}

/// The frames of a film up to now. The clip is an observer of the run.
pub struct Clip {
    plan: ClipPlan,
    /// The steps of the frames, ascending.
    steps: Vec<u64>,
    frames: Vec<Gray>,
    /// The coverage at the step of each frame, 0 to 1.
    coverages: Vec<f64>,
}

/// A gray picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gray {
    /// The width and the height in pixels.
    pub size: [u32; 2],
    /// The brightness of each pixel, 0 to 255, row by row from the top.
    pub bytes: Vec<u8>,
}

/// A swarm seen along an axis: the number of boids in each column of cells along this axis.
struct Area {
    /// The width and the height in columns.
    size: [usize; 2],
    boids: Vec<f64>,
}

impl Clip {
    /// The film of a run before its first frame. `last`: the last step of the run.
    pub fn new(plan: ClipPlan, last: u64) -> Self {
        Self { plan, steps: plan.steps(last), frames: Vec::new(), coverages: Vec::new() }
    }

    /// Adds the present swarm as a frame, and its coverage.
    fn add(&mut self, simulation: &mut Simulation) -> Result<(), Failure> {
        let area = Area::new(simulation)?;
        self.coverages.push(area.coverage());
        self.frames.push(area.gray(self.plan.pixels));
        Ok(())
    }

    /// The coverage: the part of the area that the swarm holds, as the mean over the frames, 0 to 1.
    pub fn coverage(&self) -> f64 {
        self.coverages.iter().sum::<f64>() / self.coverages.len().max(1) as f64
    }

    /// The frames side by side, as PNG.
    ///
    /// # Errors
    /// If the frames cannot be encoded.
    pub fn png(&self) -> Result<Vec<u8>, Failure> {
        let failed = |error: png::EncodingError| Failure::Broken(format!("a film cannot be made: {error}"));
        let strip = side_by_side(&self.frames);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, strip.size[0], strip.size[1]);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_compression(png::Compression::Balanced);
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&strip.bytes).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }
}

impl Observer for Clip {
    fn until_due(&self, time: RunTime) -> u64 {
        let next = self.steps.iter().find(|step| **step >= time.played);
        next.map_or(u64::MAX, |step| step - time.played)
    }

    fn observe(&mut self, moment: &mut Moment<'_>) -> Result<(), Failure> {
        self.add(moment.model)
    }
}

/// Reads the frames of a film from its PNG. `count`: the number of frames, at least 1. `None`: the bytes are not a gray
/// PNG of `count` frames.
pub fn frames(png: &[u8], count: u32) -> Option<Vec<Gray>> {
    let mut reader = png::Decoder::new(io::Cursor::new(png)).read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    let is_gray = reader.output_color_type() == (png::ColorType::Grayscale, png::BitDepth::Eight);
    if !is_gray || width % count != 0 || width / count > MAX_PIXELS || height > MAX_PIXELS || count > MAX_FRAMES {
        return None;
    }
    let mut bytes = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut bytes).ok()?;
    let own = width / count;
    let frame = |frame: u32| {
        let row = |row: u32| &bytes[(row * width + frame * own) as usize..][..own as usize];
        Gray { size: [own, height], bytes: (0..height).flat_map(row).copied().collect() }
    };
    Some((0..count).map(frame).collect())
}

/// One picture with all frames side by side. All frames have the same size.
pub fn side_by_side(frames: &[Gray]) -> Gray {
    let [width, height] = frames.first().map_or([1, 1], |frame| frame.size);
    let row = |row: u32| {
        frames.iter().flat_map(move |frame| &frame.bytes[(row * width) as usize..][..width as usize]).copied()
    };
    Gray { size: [width * frames.len().max(1) as u32, height], bytes: (0..height).flat_map(row).collect() }
}

impl Area {
    /// The area of the present swarm, seen along the axis of the preset's look.
    fn new(simulation: &mut Simulation) -> Result<Self, Failure> {
        let swarm = simulation.swarm()?;
        let preset = simulation.preset();
        let look = Look { style: Style::Projection, scale: 0.0, ..preset.look.clone() };
        let extents = preset.world.extents;
        let size = plane_extents(extents, &look);
        let size = [size.width as usize, size.height as usize];
        let boids = match &swarm {
            Swarm::Cells(state) => {
                let plane = Plane::new(&state.merged(), &look);
                plane.values.iter().map(|quanta| *quanta as f64 / f64::from(BOID)).collect()
            }
            Swarm::Individuals(individuals, _) => {
                let [across, down] = axes_across(axis_of(extents, &look));
                let mut boids = vec![0.0; size[0] * size[1]];
                for index in 0..individuals.len() {
                    let place = individuals.position(index);
                    let cell = |axis: usize, cells: usize| ((place[axis] >> PLACE_BITS) as usize).min(cells - 1);
                    let (column, row) = (cell(across, size[0]), cell(down, size[1]));
                    let row = if down == 2 { size[1] - 1 - row } else { row };
                    boids[row * size[0] + column] += 1.0;
                }
                boids
            }
        };
        Ok(Self { size, boids })
    }

    /// The mean number of boids in a column.
    fn mean(&self) -> f64 {
        self.boids.iter().sum::<f64>() / self.boids.len() as f64
    }

    /// Divides the area into blocks. Returns the number of boids in each block, and the number of columns in each
    /// block. `blocks`: the number of blocks along each side.
    fn blocks(&self, blocks: [usize; 2]) -> (Vec<f64>, Vec<f64>) {
        let (mut sums, mut areas) = (vec![0.0; blocks[0] * blocks[1]], vec![0.0; blocks[0] * blocks[1]]);
        for (index, boids) in self.boids.iter().enumerate() {
            let [x, y] = [index % self.size[0], index / self.size[0]];
            let block = y * blocks[1] / self.size[1] * blocks[0] + x * blocks[0] / self.size[0];
            sums[block] += boids;
            areas[block] += 1.0;
        }
        (sums, areas)
    }

    /// The part of the blocks that the swarm covers, 0 to 1; 0 without boids.
    fn coverage(&self) -> f64 {
        let total: f64 = self.boids.iter().sum();
        let side = (total / BOIDS_OF_BLOCK).sqrt().floor().clamp(1.0, BLOCKS as f64) as usize;
        let (sums, areas) = self.blocks(self.size.map(|size| side.min(size)));
        let mean = self.mean();
        let covered = sums.iter().zip(&areas).filter(|(sum, area)| **sum > 0.0 && **sum >= COVERED * mean * **area);
        covered.count() as f64 / sums.len() as f64
    }

    /// The gray picture of the area. `pixels`: the number of pixels along the longer side. An area with fewer columns
    /// has a pixel for each column.
    fn gray(&self, pixels: u32) -> Gray {
        let longer = self.size[0].max(self.size[1]);
        let pixels = (pixels as usize).min(longer);
        let size = self.size.map(|size| (size * pixels / longer).max(1));
        let (sums, areas) = self.blocks(size);
        let half = HALF * self.mean();
        let bright = |(sum, area): (&f64, &f64)| {
            let density = sum / area;
            if density > 0.0 { (255.0 * density / (density + half)).round() as u8 } else { 0 }
        };
        Gray { size: size.map(|size| size as u32), bytes: sums.iter().zip(&areas).map(bright).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_read_as_it_was_written() {
        let plan = ClipPlan { frames: 3, every: 5, pixels: 4 };
        assert_eq!(plan.steps(12), [2, 7, 12]);
        assert_eq!(plan.steps(7), [2, 7]);
        let frame = |first: u8| Gray { size: [4, 3], bytes: (first..first + 12).collect() };
        let (frames_of_clip, coverages) = (vec![frame(0), frame(50), frame(100)], vec![0.25, 0.75]);
        let clip = Clip { frames: frames_of_clip, coverages, ..Clip::new(plan, 12) };
        assert_eq!(frames(&clip.png().unwrap(), 3).unwrap(), clip.frames);
        assert_eq!(frames(&clip.png().unwrap(), 5), None, "12 pixels are not five frames");
        assert_eq!(clip.coverage(), 0.5);
        assert_eq!(frames(b"no picture", 3), None);
    }

    #[test]
    fn a_uniform_swarm_covers_the_area_and_a_heap_does_not() {
        let area = |boids: Vec<f64>| Area { size: [64, 32], boids };
        assert_eq!(area(vec![1.0; 64 * 32]).coverage(), 1.0);
        let mut heap = vec![0.0; 64 * 32];
        assert_eq!(area(heap.clone()).coverage(), 0.0);
        heap[0] = 2048.0;
        assert_eq!(area(heap.clone()).coverage(), 1.0 / 256.0);
        let gray = area(heap).gray(16);
        assert_eq!((gray.size, gray.bytes[0], gray.bytes[1]), ([16, 8], 251, 0));
        assert_eq!(area(vec![1.0; 64 * 32]).gray(64).bytes[7], 85);
    }
}
