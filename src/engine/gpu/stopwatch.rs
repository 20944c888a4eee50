//! How long passes take on a GPU, by its own clock, where the adapter has one. Nothing ever waits for an answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    is_mapped: Arc<AtomicBool>,
    seconds: Vec<f64>,
}

/// Where an answer is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Idle,
    Encoded,
    Mapping,
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
            is_mapped: Arc::new(AtomicBool::new(false)),
            seconds: Vec::new(),
        })
    }

    /// Whether the spans are to be measured in what is encoded next: then all of them have to be.
    pub fn is_free(&self) -> bool {
        self.stage == Stage::Idle
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
        match self.stage {
            Stage::Idle => {}
            Stage::Encoded => {
                self.is_mapped.store(false, Ordering::Relaxed);
                let is_mapped = self.is_mapped.clone();
                self.staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
                    is_mapped.store(mapped.is_ok(), Ordering::Relaxed);
                });
                self.stage = Stage::Mapping;
            }
            Stage::Mapping if self.is_mapped.load(Ordering::Relaxed) => {
                if let Ok(mapped) = self.staging.get_mapped_range(..) {
                    let ticks: &[u64] = bytemuck::cast_slice(&mapped);
                    let span = |span: &[u64]| span[1].wrapping_sub(span[0]) as f64 * self.period * 1e-9;
                    self.seconds = ticks.chunks_exact(2).map(span).collect();
                }
                self.staging.unmap();
                self.stage = Stage::Idle;
            }
            Stage::Mapping => {}
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
