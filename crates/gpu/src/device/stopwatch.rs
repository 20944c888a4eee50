//! Measures the time of passes on a GPU with timestamps of the GPU, if the adapter supports them. The stopwatch never
//! waits.

use super::buffer::buffer;
use super::readback::Readback;
use wgpu::{ComputePassTimestampWrites, RenderPassTimestampWrites};

/// The wgpu feature of devices that support timestamps.
pub const CLOCK: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY;

/// Measures the time of several spans (passes) again and again. It measures nothing if the device has no timestamps.
pub struct Stopwatch {
    clock: Option<Clock>,
    /// The timestamps of a measurement, while they are transferred to memory.
    reading: Option<Readback>,
    /// The time of each span in the last measurement, in seconds.
    seconds: Vec<f64>,
}

/// The buffers for the timestamps at the beginning and the end of every span.
struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    /// The unit of timestamps (a tick), in nanoseconds.
    period: f64,
}

impl Stopwatch {
    /// Makes a stopwatch for at most `spans` spans. It measures nothing if the device was opened without [`CLOCK`].
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

    /// Whether the next commands can be measured: there is a clock, and no measurement is being transferred.
    pub fn is_free(&self) -> bool {
        self.clock.is_some() && self.reading.is_none()
    }

    /// The timestamp writes with which a compute pass is measured as the span with this index.
    pub fn compute(&self, span: usize) -> Option<ComputePassTimestampWrites<'_>> {
        let [begin, end] = ticks(span);
        Some(ComputePassTimestampWrites {
            query_set: &self.clock.as_ref()?.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// The timestamp writes with which a render pass is measured as the span with this index.
    pub fn render(&self, span: usize) -> Option<RenderPassTimestampWrites<'_>> {
        let [begin, end] = ticks(span);
        Some(RenderPassTimestampWrites {
            query_set: &self.clock.as_ref()?.queries,
            beginning_of_pass_write_index: Some(begin),
            end_of_pass_write_index: Some(end),
        })
    }

    /// Encodes the copy of the timestamps of the first `spans` spans. The passes of all these spans must be encoded
    /// before.
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

    /// Reads a measurement if it has arrived. Returns whether there is a new measurement. Call this function after
    /// every submission. It does not poll the device, so other code must do it.
    pub fn collect(&mut self) -> bool {
        let (Some(Clock { period, .. }), Some(reading)) = (&self.clock, &mut self.reading) else { return false };
        reading.submitted();
        let mut is_new = false;
        if reading.has_arrived() {
            let read = reading.read(|words| {
                let spans = bytemuck::cast_slice::<u32, [u64; 2]>(words).iter();
                spans.map(|span| seconds(*span, *period)).collect()
            });
            // If the buffer could not be mapped, the measurement is dropped. The next may succeed.
            if let Ok(seconds) = read {
                (self.seconds, is_new) = (seconds, true);
            }
            self.reading = None;
        }
        is_new
    }

    /// The time of each span in the last measurement, in seconds; empty before the first measurement.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }
}

fn ticks(span: usize) -> [u32; 2] {
    [2 * span as u32, 2 * span as u32 + 1]
}

/// The seconds between two timestamps; 0 if the second is earlier. (Some clocks step back when the device changes its
/// frequency.) `period`: the unit of timestamps, in nanoseconds.
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
