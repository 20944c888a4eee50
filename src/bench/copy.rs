//! The memory bandwidth of the processor: an upper bound of the speed of a pass over a large lattice.

use crate::error::Failure;
use rayon::prelude::*;

/// A benchmark that copies one array into another with a number of threads.
pub struct CopyBenchmark {
    from: Vec<u8>,
    to: Vec<u8>,
    pools: Vec<rayon::ThreadPool>,
}

/// Pieces of the arrays per thread.
const PIECES_PER_THREAD: usize = 4;

impl CopyBenchmark {
    /// Allocates arrays of this many bytes, and a thread pool for each number of threads.
    ///
    /// # Errors
    /// If memory or threads are not available.
    pub fn new(bytes: usize, threads: &[usize]) -> Result<Self, Failure> {
        let pool = |threads: &usize| {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(*threads);
            builder.build().map_err(|error| Failure::Device(format!("no threads could be started: {error}")))
        };
        let array = |value: u8| {
            let mut array = Vec::new();
            let no_room = |error| Failure::Device(format!("no memory to copy: {error}"));
            array.try_reserve_exact(bytes).map_err(no_room)?;
            // Pages of zeros would not be allocated before they are written.
            array.resize(bytes, value);
            Ok::<_, Failure>(array)
        };
        let pools = threads.iter().map(pool).collect::<Result<_, _>>()?;
        if threads.is_empty() {
            return Ok(Self { from: Vec::new(), to: Vec::new(), pools });
        }
        Ok(Self { from: array(1)?, to: array(2)?, pools })
    }

    /// Copies `times` times with one of the pools.
    pub fn copy(&mut self, pool: usize, times: u64) {
        let Self { from, to, pools } = self;
        let pool = &pools[pool];
        let piece = from.len().div_ceil(PIECES_PER_THREAD * pool.current_num_threads()).max(1);
        pool.install(|| {
            for _ in 0..times {
                let pieces = to.par_chunks_mut(piece).zip(from.par_chunks(piece));
                pieces.for_each(|(to, from)| to.copy_from_slice(from));
            }
        });
    }

    /// Bytes that a copy reads and writes together.
    pub fn bytes(&self) -> u64 {
        2 * self.from.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_copied_by_any_number_of_threads() {
        let mut copying = CopyBenchmark::new(1001, &[1, 3]).unwrap();
        for pool in 0..2 {
            copying.to.fill(9);
            copying.copy(pool, 2);
            assert_eq!(copying.from, copying.to);
        }
        assert_eq!(copying.bytes(), 2002);
    }
}
