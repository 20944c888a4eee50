//! The bytes of a checkpoint.

use super::{Checkpoint, HASH, MAGIC, POINT, VERSION, bytes_of_cell};
use crate::ranks::{Ranks, SingleRank};
use crate::state::{Layer, Swarm};
use std::io::{self, BufWriter, Write};

/// The numbers that are converted to bytes at a time.
const NUMBERS_AT_ONCE: usize = 1 << 13;

impl Checkpoint {
    /// The number of bytes between the header and the hash.
    fn bytes_of_swarm(&self) -> usize {
        let cells = self.header.extents().cells();
        let of_swarm = match &self.swarm {
            Swarm::Cells(state) => state.layers.len() * bytes_of_cell(state.extents) * cells,
            Swarm::Individuals(individuals, _) => individuals.len() * self.header.bytes_of_individual(),
        };
        of_swarm
            + 4 * self.header.words_of_columns() as usize
            + cells
            + POINT * self.points.as_ref().map_or(0, Vec::len)
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        // Reserves memory for all bytes. Growing buffers would fragment the memory of a web page, which saves its swarm
        // often.
        let header = serde_json::to_vec(&self.header).map_or(0, |header| header.len());
        let mut bytes = Vec::with_capacity(MAGIC.len() + 8 + header + self.bytes_of_swarm() + HASH);
        self.write_over_ranks(&SingleRank, &mut bytes).expect("a list takes all bytes");
        bytes
    }

    /// Writes the file. If each rank has the checkpoint of its slab, every rank must make this call. The first rank
    /// writes the file of the whole world. Each other rank sends its cells, one list at a time: the densities of a
    /// layer, or its control vectors.
    ///
    /// # Errors
    /// If the file cannot be written (after all cells were sent), or another rank has ended.
    pub fn write_over_ranks(&self, ranks: &dyn Ranks, to: &mut dyn Write) -> io::Result<()> {
        let mut to =
            BufWriter::with_capacity(1 << 16, HashedWriter { to, hasher: blake3::Hasher::new(), failure: None });
        let header = serde_json::to_vec(&self.header).expect("a header is plain data");
        to.write_all(MAGIC)?;
        to.write_all(&VERSION.to_le_bytes())?;
        to.write_all(&(header.len() as u32).to_le_bytes())?;
        to.write_all(&header)?;
        match &self.swarm {
            Swarm::Cells(state) => {
                for (words, _) in state.layers.iter().flat_map(Layer::columns) {
                    write_numbers_of_all(words, u32::to_le_bytes, ranks, &mut to)?;
                }
            }
            Swarm::Individuals(individuals, _) => {
                let individuals = individuals.in_order();
                write_numbers(&individuals.numbers, u32::to_le_bytes, &mut to)?;
                for list in individuals.columns() {
                    write_numbers(list, i32::to_le_bytes, &mut to)?;
                }
            }
        }
        for (_, words) in self.swarm.columns().iter() {
            write_numbers(words, u32::to_le_bytes, &mut to)?;
        }
        match self.solids.as_slice() {
            [] => {
                let mut left = self.header.extents().cells();
                while left > 0 {
                    let count = left.min(NUMBERS_AT_ONCE);
                    to.write_all(&[0; NUMBERS_AT_ONCE][..count])?;
                    left -= count;
                }
            }
            solids => write_numbers(solids, |solid| [u8::from(solid)], &mut to)?,
        }
        for point in self.points.iter().flatten() {
            to.write_all(&point.to_le_bytes())?;
        }
        let HashedWriter { to, hasher, failure } = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        failure.map_or(Ok(()), Err)?;
        to.write_all(hasher.finalize().as_bytes())
    }
}

/// Hashes and writes bytes. Keeps the first failure, so that the cells of other ranks can still be received.
struct HashedWriter<'a> {
    to: &'a mut dyn Write,
    hasher: blake3::Hasher,
    failure: Option<io::Error>,
}

impl Write for HashedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_none() {
            self.failure = self.to.write_all(bytes).err();
            self.hasher.update(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn write_numbers<T: Copy, const BYTES: usize>(
    numbers: &[T],
    to_bytes: fn(T) -> [u8; BYTES],
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(numbers.len().min(NUMBERS_AT_ONCE) * BYTES);
    for numbers in numbers.chunks(NUMBERS_AT_ONCE) {
        bytes.clear();
        bytes.extend(numbers.iter().flat_map(|number| to_bytes(*number)));
        to.write_all(&bytes)?;
    }
    Ok(())
}

/// On the first rank, writes the numbers of all ranks in the order of the ranks. Other ranks send their numbers to it.
fn write_numbers_of_all<T: Copy, const BYTES: usize>(
    numbers: &[T],
    to_bytes: fn(T) -> [u8; BYTES],
    ranks: &dyn Ranks,
    to: &mut dyn Write,
) -> io::Result<()> {
    if ranks.is_first() {
        write_numbers(numbers, to_bytes, to)?;
    }
    for rank in 1..ranks.size() {
        let mut bytes = Vec::new();
        if rank == ranks.rank() {
            bytes.reserve_exact(numbers.len() * BYTES);
            write_numbers(numbers, to_bytes, &mut bytes)?;
        }
        let sent = ranks.gather_to_first(&bytes).map_err(io::Error::other)?;
        to.write_all(sent.as_ref().map_or(&[], |sent| &sent[rank]))?;
    }
    Ok(())
}
