//! How long passes take on a GPU, by its own clock, where the adapter has one. Nothing ever waits for an answer.

use super::buffer::buffer;
use super::readback::Readback;
use wgpu::{ComputePassTimestampWrites, RenderPassTimestampWrites};

/// The feature of a device that has a clock.
pub const CLOCK: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY;

/// Measures the same spans again and again; none, where the adapter has no clock.
pub struct Stopwatch {
    clock: Option<Clock>,
    /// The ticks of a measurement on their way.
    reading: Option<Readback>,
    seconds: Vec<f64>,
}

/// Where the ticks at the beginning and the end of every span are kept.
struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    /// Nanoseconds in a tick.
    period: f64,
}

impl Stopwatch {
    /// A stopwatch for so many spans at most; it measures nothing where the device was opened without [`CLOCK`].
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, spans: usize) -> Self {
        let (label, ty, count) = (Some("stopwatch"), wgpu::QueryType::Timestamp, 2 * spans as u32);
        let clock = (device.features().contains(CLOCK) && spans > 0).then(|| Clock {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor { label, ty, count }),
            resolved: buffer(
                device,
                "ticks",
                8 * u64::from(count),
                wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            ),
            period: f64::from(queue.get_timestamp_period()),
        });
        Self { clock, reading: None, seconds: Vec::new() }
    }

    /// Whether spans can be measured in what is encoded next.
    pub fn is_free(&self) -> bool {
        self.clock.is_some() && self.reading.is_none()
    }

    /// A span that a compute pass is.
    pub fn compute(&self, span: usize) -> Option<ComputePassTimestampWrites<'_>> {
        let [begin, end] = ticks(span);
        Some(ComputePassTimestampWrites {
            query_set: &self.clock.as_ref()?.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// A span that a render pass is.
    pub fn render(&self, span: usize) -> Option<RenderPassTimestampWrites<'_>> {
        let [begin, end] = ticks(span);
        Some(RenderPassTimestampWrites {
            query_set: &self.clock.as_ref()?.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// Encodes that the ticks of the first spans are fetched; all of these have to be encoded.
    pub fn fetch(&mut self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, spans: usize) {
        let Some(Clock { queries, resolved, .. }) = &self.clock else { return };
        if spans > 0 {
            let bytes = 16 * spans as u64;
            let readback = Readback::new(device, "ticks", bytes);
            encoder.resolve_query_set(queries, 0..2 * spans as u32, resolved, 0);
            encoder.copy_buffer_to_buffer(resolved, 0, readback.buffer(), 0, bytes);
            self.reading = Some(readback);
        }
    }

    /// Reads the ticks when they have arrived, and returns whether there are new ones. To be called after every submission; the device is
    /// polled elsewhere.
    pub fn collect(&mut self) -> bool {
        let (Some(Clock { period, .. }), Some(reading)) = (&self.clock, &mut self.reading) else { return false };
        reading.submitted();
        let mut is_new = false;
        if reading.has_arrived() {
            let read = reading.read(|words| {
                let spans = bytemuck::cast_slice::<u32, [u64; 2]>(words).iter();
                spans.map(|span| seconds(*span, *period)).collect()
            });
            // Where it fails the next measurement may come through.
            if let Ok(seconds) = read {
                (self.seconds, is_new) = (seconds, true);
            }
            self.reading = None;
        }
        is_new
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
