//! The division of individuals among ranks. Each rank has a slab of the search grid, with the individuals in it.
//!
//! In a step a rank also sees the individuals of the two rows next to its slab. After the step it gives the individuals
//! that have left its slab to their ranks.

use super::CpuIndividuals;
use crate::error::Failure;
use crate::individuals::search::Search;
use crate::individuals::search::grid::Grid;
use crate::numbers::{Vector3, each_axis};
use crate::ranks::{BALANCE_INTERVAL, Ranks};
use crate::state::{Individuals, Ledger};
use crate::world::Cuts;
use std::borrow::Cow;
use std::ops::Range;

/// The words of an individual that is sent: its number, its position and its velocity.
const WORDS: usize = 7;

/// The time of an individual's step without the search, as the number of candidates (possible neighbours) that the
/// search checks in this time. It is divided by the number of parts of rows around an individual, because [`loads`]
/// counts the candidates of one part.
const REST_OF_STEP: u64 = 16;

/// The slabs of all ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Division {
    cuts: Cuts,
    /// Whether the first rank follows the last one.
    is_ring: bool,
}

impl Division {
    /// Slabs of about equal load. `None`: there are fewer rows than ranks, or a rank would have more than 1.5 times the
    /// mean load.
    pub fn new(loads: &[u64], ranks: usize, is_ring: bool) -> Option<Self> {
        let cuts = Cuts::by_load(loads, ranks, 1..=loads.len())?;
        let even = loads.iter().sum::<u64>() / ranks as u64;
        (cuts.greatest_load(loads) <= even + even / 2).then_some(Self { cuts, is_ring })
    }

    /// The rows of a rank.
    pub fn rows(&self, rank: usize) -> Range<usize> {
        let Range { start, end } = self.cuts.slab(rank);
        start as usize..end as usize
    }

    /// Removes the individuals outside the slab of a rank, and returns them.
    pub fn take_others(&self, individuals: &mut Individuals, grid: &Grid, rank: usize) -> Individuals {
        let (rows, mut others) = (self.rows(rank), Individuals::default());
        individuals.take(|all, index| !rows.contains(&grid.row(all.position(index))), &mut others);
        others
    }

    /// Adds the individuals of the row before the slab and of the row after it.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn add_neighbours(&self, individuals: &mut Individuals, grid: &Grid, ranks: &dyn Ranks) -> Result<(), Failure> {
        let (rows, count) = (self.rows(ranks.rank()), grid.rows());
        let ends = [rows.start, rows.end - 1];
        let mut sent = [Vec::new(), Vec::new()];
        for index in 0..individuals.len() {
            let row = grid.row(individuals.position(index));
            for (words, end) in sent.iter_mut().zip(ends) {
                if row == end {
                    push_words(words, individuals, index);
                }
            }
        }
        let [before, after] = exchange(self.is_ring, [&sent[0], &sent[1]], ranks)?;
        add(individuals, &before);
        // On a ring of two slabs, a slab of one row lies on both sides of the other slab. Its individuals are added
        // only once.
        if !self.is_ring || rows.len() + 1 < count {
            add(individuals, &after);
        }
        Ok(())
    }

    /// Gives the individuals that have left the slab to the ranks of their rows, from neighbour to neighbour.
    ///
    /// # Errors
    /// If another rank has ended.
    pub fn migrate(&self, individuals: &mut Individuals, grid: &Grid, ranks: &dyn Ranks) -> Result<(), Failure> {
        let (own, size) = (ranks.rank(), ranks.size());
        let rows = self.rows(own);
        loop {
            let gone = self.take_others(individuals, grid, own);
            let mut sent = [Vec::new(), Vec::new()];
            for index in 0..gone.len() {
                let row = grid.row(gone.position(index));
                let rank = self.cuts.rank_of(row as u32);
                let is_after = if self.is_ring { (rank + size - own) % size <= size / 2 } else { rank > own };
                push_words(&mut sent[usize::from(is_after)], &gone, index);
            }
            let [before, after] = exchange(self.is_ring, [&sent[0], &sent[1]], ranks)?;
            let first = individuals.len();
            add(individuals, &before);
            add(individuals, &after);
            let is_under_way =
                (first..individuals.len()).any(|index| !rows.contains(&grid.row(individuals.position(index))));
            if !ranks.any(is_under_way)? {
                return Ok(());
            }
        }
    }
}

impl CpuIndividuals {
    /// Divides the individuals, all of which every rank has, if that pays. An individual's step must depend only on the
    /// individuals around it. Food, species and births depend on all individuals.
    pub(super) fn divide(&mut self) {
        let Self { ranks, setup, search, individuals, .. } = self;
        let Search::Grid(grid) = search else { return };
        if ranks.size() == 1 || setup.has_lives || setup.habitat.origin.is_some() {
            return;
        }
        self.division = Division::new(&loads(individuals, grid), ranks.size(), setup.is_ring());
        let Some(division) = &self.division else { return };
        division.take_others(individuals, grid, ranks.rank());
        individuals.shrink();
        // Every rank has counted the turnover of all individuals. Only the first rank keeps it, because the turnovers
        // of the ranks are added later.
        if !ranks.is_first() {
            self.turnover = Ledger::default();
        }
    }

    /// The number of individuals that this rank holds.
    pub fn held(&self) -> usize {
        self.individuals.len()
    }

    /// Gives all individuals to every rank.
    pub(super) fn join(&mut self) -> Result<(), Failure> {
        if self.division.is_some() {
            self.individuals = gather(&self.individuals, &*self.ranks)?;
        }
        self.forget_division()
    }

    /// Ends the division, without giving all individuals to every rank.
    pub(super) fn forget_division(&mut self) -> Result<(), Failure> {
        if self.division.take().is_some() {
            self.turnover = self.turnover.sum_over(&*self.ranks)?;
        }
        Ok(())
    }

    /// The individuals of all ranks.
    pub(super) fn all(&self) -> Result<Cow<'_, Individuals>, Failure> {
        Ok(match self.division {
            Some(_) => Cow::Owned(gather(&self.individuals, &*self.ranks)?),
            None => Cow::Borrowed(&self.individuals),
        })
    }

    /// Divides the individuals anew after every [`BALANCE_INTERVAL`] steps, by the loads of the ranks.
    pub(super) fn balance(&mut self) -> Result<(), Failure> {
        self.until_balance -= 1;
        if self.until_balance > 0 {
            return Ok(());
        }
        self.until_balance = BALANCE_INTERVAL;
        let Self { ranks, division, setup, search, individuals, .. } = self;
        let (Some(old), Search::Grid(grid)) = (&division, search) else {
            self.divide();
            return Ok(());
        };
        let mut loads = loads(individuals, grid);
        ranks.sum(&mut loads)?;
        let Some(new) = Division::new(&loads, ranks.size(), setup.is_ring()) else { return self.join() };
        if old.cuts.is_improved_by(&new.cuts, &loads) {
            new.migrate(individuals, grid, &**ranks)?;
            *division = Some(new);
        }
        Ok(())
    }
}

/// The load of each row: Σ n·(n + [`REST_OF_STEP`]) over parts of the row, where n is the number of individuals in a
/// part. The parts are about as wide as the max radius.
fn loads(individuals: &Individuals, grid: &Grid) -> Vec<u64> {
    let (cells, width, part) = (grid.cells_of_row(), grid.width(), grid.cells_of_radius());
    let mut counts = vec![0u32; grid.rows() * cells];
    for index in 0..individuals.len() {
        counts[grid.cell(individuals.position(index)) as usize] += 1;
    }
    let load = |counts: &[u32]| {
        let count = u64::from(counts.iter().sum::<u32>());
        count * (count + REST_OF_STEP)
    };
    let of_row = |row: &[u32]| row.chunks_exact(width).flat_map(|line| line.chunks(part)).map(load).sum();
    counts.chunks_exact(cells).map(of_row).collect()
}

/// The individuals of all ranks, on each rank.
///
/// # Errors
/// If another rank has ended.
fn gather(individuals: &Individuals, ranks: &dyn Ranks) -> Result<Individuals, Failure> {
    let mut own = Vec::with_capacity(individuals.len() * WORDS);
    (0..individuals.len()).for_each(|index| push_words(&mut own, individuals, index));
    let parts = ranks.gather(bytemuck::cast_slice(&own))?;
    drop(own);
    let mut all = Individuals::default();
    for part in parts {
        add(&mut all, &bytemuck::allocation::pod_collect_to_vec::<u8, u32>(&part));
    }
    Ok(all)
}

fn push_words(words: &mut Vec<u32>, individuals: &Individuals, index: usize) {
    let (position, velocity) = (individuals.position(index), individuals.velocity(index));
    words.push(individuals.numbers[index]);
    words.extend(position.iter().chain(&velocity).map(|component| *component as u32));
}

fn add(individuals: &mut Individuals, words: &[u32]) {
    individuals.reserve(words.len() / WORDS);
    for own in words.chunks_exact(WORDS) {
        let vector = |first: usize| -> Vector3 { each_axis(|axis| own[first + axis] as i32) };
        individuals.push(own[0], vector(1), vector(4));
    }
}

/// Sends words to the ranks before and after, and receives theirs. The numbers of words are exchanged first.
fn exchange(is_ring: bool, sent: [&[u32]; 2], ranks: &dyn Ranks) -> Result<[Vec<u32>; 2], Failure> {
    let mut counts = [[0], [0]];
    let [before, after] = &mut counts;
    let lengths = sent.map(|words| [words.len() as u32]);
    ranks.exchange(is_ring, [&lengths[0], &lengths[1]], [before, after])?;
    let mut received = counts.map(|[count]| vec![0; count as usize]);
    let [before, after] = &mut received;
    ranks.exchange(is_ring, sent, [before, after])?;
    Ok(received)
}
