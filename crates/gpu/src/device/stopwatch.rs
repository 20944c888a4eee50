//! How long passes take on a GPU, by its own clock, where the adapter has one. Nothing ever waits for an answer.

use std::sync::{Arc, OnceLock};
use wgpu::{ComputePassTimestampWrites, RenderPassTimestampWrites};

/// The feature of a device that has a clock.
pub const CLOCK: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY;

/// Measures the same spans again and again.
pub struct Stopwatch {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
    /// Nanoseconds in a tick of the clock.
    period: f64,
    spans: u32,
    stage: Stage,
    seconds: Vec<f64>,
}

/// Where an answer is on its way.
#[derive(Debug)]
enum Stage {
    Idle,
    Encoded,
    /// Whether it could be mapped, from the moment when that is known.
    Mapping(Arc<OnceLock<bool>>),
}

impl Stopwatch {
    /// `None` where the device was opened without [`CLOCK`].
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, spans: usize) -> Option<Self> {
        if !device.features().contains(CLOCK) || spans == 0 {
            return None;
        }
        let ticks = 2 * spans as u32;
        let buffer = |label, usage| {
            let size = 8 * u64::from(ticks);
            device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        Some(Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stopwatch"),
                ty: wgpu::QueryType::Timestamp,
                count: ticks,
            }),
            resolved: buffer("ticks", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            staging: buffer("ticks read", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            period: f64::from(queue.get_timestamp_period()),
            spans: spans as u32,
            stage: Stage::Idle,
            seconds: Vec::new(),
        })
    }

    /// Whether the spans are to be measured in what is encoded next: then all of them have to be.
    pub fn is_free(&self) -> bool {
        matches!(self.stage, Stage::Idle)
    }

    /// A span that a compute pass is.
    pub fn compute(&self, span: usize) -> ComputePassTimestampWrites<'_> {
        let [begin, end] = ticks(span);
        ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        }
    }

    /// A span that a render pass is, begins or ends.
    pub fn render(&self, span: usize, begins: bool, ends: bool) -> RenderPassTimestampWrites<'_> {
        let [begin, end] = ticks(span);
        RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: begins.then_some(begin),
            end_of_pass_write_index: ends.then_some(end),
        }
    }

    /// Encodes that the ticks of all spans are fetched.
    pub fn fetch(&mut self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2 * self.spans, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.staging, 0, self.staging.size());
        self.stage = Stage::Encoded;
    }

    /// Takes an answer that has come. To be called after every submission; the device is polled elsewhere.
    pub fn collect(&mut self) {
        match &self.stage {
            Stage::Idle => {}
            Stage::Encoded => {
                let is_mapped = Arc::new(OnceLock::new());
                let answer = is_mapped.clone();
                self.staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
                    let _ = answer.set(mapped.is_ok());
                });
                self.stage = Stage::Mapping(is_mapped);
            }
            Stage::Mapping(is_mapped) => match is_mapped.get() {
                None => {}
                Some(true) => {
                    if let Ok(mapped) = self.staging.get_mapped_range(..) {
                        let ticks: &[u64] = bytemuck::cast_slice(&mapped);
                        self.seconds = ticks.as_chunks().0.iter().map(|span| seconds(*span, self.period)).collect();
                    }
                    self.staging.unmap();
                    self.stage = Stage::Idle;
                }
                // The next measurement may come through.
                Some(false) => self.stage = Stage::Idle,
            },
        }
    }

    /// The last answer: the seconds of each span; empty before the first.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }
}

fn ticks(span: usize) -> [u32; 2] {
    [2 * span as u32, 2 * span as u32 + 1]
}

/// The seconds between two ticks. A clock that steps back, as some do when the device changes its pace, gives none.
fn seconds([begin, end]: [u64; 2], period: f64) -> f64 {
    end.saturating_sub(begin) as f64 * period * 1e-9
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_clock_that_steps_back_gives_no_time() {
        assert_eq!(seconds([1_000, 3_000], 500.0), 1e-3);
        assert_eq!(seconds([3_000, 1_000], 500.0), 0.0);
    }
}
