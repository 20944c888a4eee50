//! The memory bandwidth of the devices, which is an upper bound of the speed of a pass over a large lattice.

use super::families::EngineSetup;
use super::timing::{Spread, Times};
use murmuration_core::error::Failure;
use murmuration_core::parallel::*;
use murmuration_gpu::{BufferCopy, Gpu};
use std::sync::Arc;
use std::time::Instant;

/// Copies an array into another array on several devices: on the processor with each number of threads, then on a GPU.
pub struct CopyBenchmark {
    from: Vec<u8>,
    to: Vec<u8>,
    pools: Vec<ThreadPool>,
    gpu: Option<BufferCopy>,
}

/// The number of pieces that each thread copies in a copy of the array.
const PIECES_PER_THREAD: usize = 4;

impl CopyBenchmark {
    /// Allocates arrays of `bytes` bytes, and a thread pool for each number of threads of the setups. The GPU copies
    /// only if a setup uses it.
    ///
    /// # Errors
    /// If memory or threads are not available.
    pub fn new(bytes: usize, setups: &[EngineSetup], gpu: Option<&Arc<Gpu>>) -> Result<Self, Failure> {
        let mut threads: Vec<usize> = setups.iter().filter_map(|setup| setup.threads()).collect();
        threads.sort_unstable();
        threads.dedup();
        let array = |value: u8| {
            let mut array = Vec::new();
            let bytes = if threads.is_empty() { 0 } else { bytes };
            let no_room = |error| Failure::Device(format!("no memory to copy: {error}"));
            array.try_reserve_exact(bytes).map_err(no_room)?;
            // The value is not 0, because the system would not allocate pages of zeros before they are written.
            array.resize(bytes, value);
            Ok::<_, Failure>(array)
        };
        let gpu = gpu.filter(|_| setups.iter().any(|setup| setup.is_gpu()));
        let gpu = gpu.map(|gpu| BufferCopy::new(gpu.clone(), bytes as u64)).transpose()?;
        let pools = threads.iter().map(|threads| ThreadPool::new(Some(*threads), "copy")).collect::<Result<_, _>>()?;
        Ok(Self { from: array(1)?, to: array(2)?, pools, gpu })
    }

    /// The number of devices. The processor counts once for each number of threads.
    pub fn count(&self) -> usize {
        self.pools.len() + usize::from(self.gpu.is_some())
    }

    /// Copies the array `times` times on the device with this index. Returns the time of all copies in seconds.
    ///
    /// # Errors
    /// If the GPU fails.
    pub fn copy(&mut self, device: usize, times: u64) -> Result<f64, Failure> {
        let begun = Instant::now();
        let Self { from, to, pools, gpu } = self;
        match (pools.get(device), gpu) {
            (Some(pool), _) => {
                let piece = from.len().div_ceil(PIECES_PER_THREAD * pool.size()).max(1);
                let mut copy = || {
                    let pieces = to.par_chunks_mut(piece).zip(from.par_chunks(piece));
                    pieces.for_each(|(to, from)| to.copy_from_slice(from));
                };
                pool.install(|| (0..times).for_each(|_| copy()));
            }
            (None, Some(gpu)) => gpu.copy(times)?,
            (None, None) => {}
        }
        Ok(begun.elapsed().as_secs_f64())
    }

    /// The bandwidth of the device of a setup, in bytes read and written per second. `times`: the times of all devices.
    /// `None`: the device copied nothing.
    pub fn bandwidth(&self, setup: EngineSetup, times: &[Times]) -> Option<Spread> {
        let is_same = |pool: &ThreadPool| Some(pool.size()) == setup.threads();
        let (device, bytes) = match &self.gpu {
            Some(gpu) if setup.is_gpu() => (self.pools.len(), gpu.bytes()),
            _ => (self.pools.iter().position(is_same)?, 2 * self.from.len() as u64),
        };
        let seconds = &times.get(device)?.seconds;
        Spread::new(&seconds.iter().map(|seconds| bytes as f64 / seconds).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_copied_by_any_number_of_threads() {
        let setups = [3, 1, 3].map(EngineSetup::cpu);
        let mut copying = CopyBenchmark::new(1001, &setups, None).unwrap();
        assert_eq!(copying.count(), 2);
        for pool in 0..2 {
            copying.to.fill(9);
            copying.copy(pool, 2).unwrap();
            assert_eq!(copying.from, copying.to);
        }
        let times = [1.0, 2.0].map(|seconds| Times { seconds: vec![seconds], ..Times::default() });
        assert_eq!(copying.bandwidth(setups[0], &times).unwrap().median, 1001.0);
        assert_eq!(copying.bandwidth(setups[1], &times).unwrap().median, 2002.0);
    }
}
