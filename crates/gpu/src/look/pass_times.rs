//! The seconds that the passes of a picture take.

use crate::device::Stopwatch;

/// Measures every pass of a picture, one picture at a time.
pub struct PassTimes {
    stopwatch: Stopwatch,
    /// The names of the passes in the measurement under way.
    timed: Vec<String>,
    /// The passes of the last measured picture, and the seconds that each took.
    by_pass: Vec<(String, f64)>,
}

impl PassTimes {
    /// Makes a stopwatch for pictures with at most this number of passes.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, passes: usize) -> Self {
        Self { stopwatch: Stopwatch::new(device, queue, passes), timed: Vec::new(), by_pass: Vec::new() }
    }

    /// The stopwatch for the next picture. `None`: a measurement is under way.
    pub fn stopwatch(&self) -> Option<&Stopwatch> {
        Some(&self.stopwatch).filter(|stopwatch| stopwatch.is_free())
    }

    /// Encodes the transfer of the times of the encoded passes.
    pub fn fetch(&mut self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, encoded: Vec<String>) {
        self.stopwatch.fetch(device, encoder, encoded.len());
        self.timed = encoded;
    }

    /// Takes the times of a measurement that has arrived. Call this function after the submission of the encoded
    /// commands.
    pub fn collect(&mut self) {
        if self.stopwatch.collect() {
            self.by_pass =
                std::mem::take(&mut self.timed).into_iter().zip(self.stopwatch.seconds().iter().copied()).collect();
        }
    }

    /// The passes of the last measured picture, with the seconds that each took.
    pub fn by_pass(&self) -> &[(String, f64)] {
        &self.by_pass
    }
}
