//! The family tree: a record of every life, made from the ends of lives that an engine reports.
//!
//! An individual keeps its number when it is born again. So one number has several lives, one after the other. The
//! parent of a life is a life as well: the life that had the parent's number at that time. All times are steps since
//! the start of the swarm. A life that ends in the step from s to s + 1 ends at s + 1. The next life of its number
//! begins at s + 1.

mod newick;

pub use newick::TreeNodes;

use super::{Life, LifeRules, Trait};
use crate::state::Individuals;
use crate::ticket::reading;
use std::fmt::Write;

/// A byte for each trait.
type Dna = [u8; Trait::ALL.len()];

/// Why a life has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// A hunter has caught the individual.
    Caught,
    /// The individual has perished of hunger or depression.
    Starved,
    /// An individual of another species has eaten it.
    Eaten,
}

impl Cause {
    /// The word for the cause in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Caught => "caught",
            Self::Starved => "starved",
            Self::Eaten => "eaten",
        }
    }
}

/// The end of a life in a step, and the birth of the next life of the same number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LifeEnd {
    /// The steps made before the step of the end, modulo 2^32.
    pub step: u32,
    /// The number of the individual.
    pub number: u32,
    /// Why the life ended.
    pub cause: Cause,
    /// The next life of the number; `None`: the individual is not born again.
    pub next: Option<NextLife>,
}

reading! {
    engine
    /// Takes the ends of lives since the last reading, sorted by step and number.
    LifeEndsReading -> Vec<LifeEnd>
}

/// A life that begins when another life of its number ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NextLife {
    /// The number of the parent. If it is the individual's own number, the life that ends is the parent.
    pub parent: u32,
    /// The DNA of the new life: a byte for each trait, in the order of [`Trait::ALL`].
    pub dna: Dna,
}

/// In a field for a parent: the life has no parent. In a field for an end: the life goes on.
const NONE: u32 = u32::MAX;

/// A record of the living forgets ended lives only above this number of entries.
const MIN_FORGOTTEN: usize = 1 << 12;

/// A life in the record, in 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    number: u32,
    /// The index of the parent's life in the record; [`NONE`]: the life is a founder, without a parent.
    parent: u32,
    /// Steps from the beginning of the record to the birth and to the end of the life. [`NONE`] as the end: the life
    /// goes on.
    born: u32,
    died: u32,
    cause: Cause,
    species: u8,
    dna: Dna,
}

const _: () = assert!(size_of::<Entry>() == 24);

/// A life in a family tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LifeRecord {
    /// The number of the individual that lives this life.
    pub number: u32,
    /// The index of the parent's life in the record; `None`: the life is a founder, without a parent.
    pub parent: Option<usize>,
    /// The steps since the start of the swarm at the beginning of the life.
    pub born: u64,
    /// The steps since the start of the swarm at the end of the life, and the cause. `None`: the life goes on.
    pub died: Option<(u64, Cause)>,
    /// The number of the individual's species; 0 in a world with one species.
    pub species: u8,
    /// A byte for each trait, in the order of [`Trait::ALL`].
    pub dna: Dna,
}

/// A life that has begun before the record, and has no parent in it: number, DNA and species of its individual.
type Founder = (u32, Dna, u8);

/// The family tree: all lives since the beginning of the record, in the order of birth. Lives of one step are sorted by
/// number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lineage {
    /// Steps since the start of the swarm, at the beginning and at the end of the record.
    begun: u64,
    until: u64,
    entries: Vec<Entry>,
    /// The index of the last life of each number; [`NONE`]: no individual has had the number.
    last: Vec<u32>,
    /// Whether the record keeps all ended lives. Otherwise it keeps only ended lives that are parents of the living.
    is_whole: bool,
    /// The number of entries above which a record of the living forgets ended lives.
    most: usize,
}

impl Lineage {
    /// A record that begins after `step` steps. Its founders are the given individuals. They have no parents, and count
    /// as born at `step`.
    pub fn begin(step: u64, individuals: &Individuals) -> Self {
        Self::of_founders(step, by_number(individuals))
    }

    fn of_founders(step: u64, founders: impl Iterator<Item = Founder>) -> Self {
        let mut lineage =
            Self { begun: step, until: step, entries: Vec::new(), last: Vec::new(), is_whole: true, most: 0 };
        for (number, dna, species) in founders {
            lineage.add(Entry { number, parent: NONE, born: 0, died: NONE, cause: Cause::Caught, species, dna });
        }
        lineage
    }

    /// Turns this record into a record of the living and their parents. From time to time it forgets all other lives.
    pub fn of_the_living(self) -> Self {
        Self { is_whole: false, most: MIN_FORGOTTEN.max(4 * self.entries.len()), ..self }
    }

    /// Steps since the start of the swarm, at the end of the record.
    pub fn until(&self) -> u64 {
        self.until
    }

    /// Forgets all ended lives except the parents of the living. A kept parent becomes a founder, because the record
    /// forgets its own parent.
    fn forget(&mut self) {
        let mut place = vec![NONE; self.entries.len()];
        let is_living = |entry: &Entry| entry.died == NONE;
        let parents = self.entries.iter().filter(|entry| is_living(entry) && entry.parent != NONE);
        let mut is_kept: Vec<bool> = self.entries.iter().map(is_living).collect();
        parents.for_each(|entry| is_kept[entry.parent as usize] = true);
        let mut kept = Vec::new();
        for (index, entry) in self.entries.iter().enumerate().filter(|(index, _)| is_kept[*index]) {
            place[index] = kept.len() as u32;
            // A parent comes before its children.
            let parent = if is_living(entry) && entry.parent != NONE { place[entry.parent as usize] } else { NONE };
            kept.push(Entry { parent, ..*entry });
        }
        self.last.iter_mut().filter(|index| **index != NONE).for_each(|index| *index = place[*index as usize]);
        self.entries = kept;
        self.most = MIN_FORGOTTEN.max(4 * self.entries.len());
    }

    fn add(&mut self, entry: Entry) {
        let slot = entry.number as usize;
        if self.last.len() <= slot {
            self.last.resize(slot + 1, NONE);
        }
        self.last[slot] = self.entries.len() as u32;
        self.entries.push(entry);
    }

    /// Appends the ends of lives and the births that follow them. `ends`: sorted by step and number. `until`: the steps
    /// made at the new end of the record. Ends before the present end of the record are already in it and are skipped.
    pub fn extend(&mut self, ends: &[LifeEnd], until: u64) {
        for end in ends {
            let since = i64::from(end.step.wrapping_sub(self.until as u32) as i32);
            if since >= 0 {
                self.take(end, (self.until - self.begun) as u32 + since as u32 + 1);
            }
        }
        self.until = until;
        if !self.is_whole && self.entries.len() > self.most {
            self.forget();
        }
    }

    fn take(&mut self, end: &LifeEnd, step: u32) {
        // The parent lives on through this step, or the ending life is the parent. In both cases it is the last life of
        // the parent's number.
        let last_of = |last: &[u32], number: u32| last.get(number as usize).copied().unwrap_or(NONE);
        let parent = end.next.map_or(NONE, |next| last_of(&self.last, next.parent));
        // The next life of a number has the species of the life before.
        let mut species = 0;
        if let Some(ended) = self.entries.get_mut(last_of(&self.last, end.number) as usize) {
            (ended.died, ended.cause) = (step, end.cause);
            species = ended.species;
        }
        if let Some(NextLife { dna, .. }) = end.next {
            let number = end.number;
            let cause = Cause::Caught;
            self.add(Entry { number, parent, born: step, died: NONE, cause, species, dna });
        }
    }

    /// If the swarm is at another step than the end of the record, the record begins anew at `step`. The founders are
    /// the individuals that live at the old end.
    pub fn set_step(&mut self, step: u64) {
        if step != self.until {
            self.begin_anew(step, self.living().collect());
        }
    }

    /// If other individuals live than the record says, the record begins anew after `step` steps. The given individuals
    /// are its founders.
    pub fn follow(&mut self, step: u64, individuals: &Individuals) {
        if !self.is_of(individuals) {
            self.begin_anew(step, by_number(individuals).collect());
        }
    }

    fn begin_anew(&mut self, step: u64, founders: Vec<Founder>) {
        let lineage = Self::of_founders(step, founders.into_iter());
        *self = if self.is_whole { lineage } else { lineage.of_the_living() };
    }

    /// The lives that go on, in the order of their numbers.
    fn living(&self) -> impl Iterator<Item = Founder> {
        let last = self.last.iter().filter_map(|index| self.entries.get(*index as usize));
        last.filter(|entry| entry.died == NONE).map(|entry| (entry.number, entry.dna, entry.species))
    }

    /// Whether the given individuals live the lives that go on: numbers, DNA and species are equal.
    pub fn is_of(&self, individuals: &Individuals) -> bool {
        self.living().eq(by_number(individuals))
    }

    /// The number of lives in the record.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the record has no life.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// A life of the record. `index`: its place in the order of births, below [`Self::len`].
    pub fn life(&self, index: usize) -> LifeRecord {
        let Entry { number, parent, born, died, cause, species, dna } = self.entries[index];
        let at = |step: u32| self.begun + u64::from(step);
        LifeRecord {
            number,
            parent: (parent != NONE).then_some(parent as usize),
            born: at(born),
            died: (died != NONE).then(|| (at(died), cause)),
            species,
            dna,
        }
    }

    /// All lives of the record, in the order of birth.
    pub fn lives(&self) -> impl Iterator<Item = LifeRecord> {
        (0..self.len()).map(|index| self.life(index))
    }

    /// The index of the last life of a number; `None`: no individual in the record has this number.
    pub fn last_of(&self, number: u32) -> Option<usize> {
        self.last.get(number as usize).filter(|index| **index != NONE).map(|index| *index as usize)
    }

    /// The indices of the ancestors of a life: its parent first, then each parent's parent, up to a founder.
    pub fn ancestors(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.life(index).parent, |index| self.life(*index).parent)
    }

    /// The number of generations in the record. It is 1 if all lives are founders.
    pub fn generations(&self) -> u32 {
        let mut depths: Vec<u32> = Vec::with_capacity(self.len());
        for entry in &self.entries {
            // A parent is born before its children.
            depths.push(depths.get(entry.parent as usize).map_or(1, |depth| depth + 1));
        }
        depths.into_iter().max().unwrap_or(0)
    }

    /// Lists of the children of each life. The first part of the result has the index at which each list begins in the
    /// second part. The second part has all lists, one after the other. The list after the last life has the founders.
    fn children(&self) -> (Vec<usize>, Vec<u32>) {
        let list = |entry: &Entry| if entry.parent == NONE { self.len() } else { entry.parent as usize };
        let mut ends = vec![0; self.len() + 2];
        self.entries.iter().for_each(|entry| ends[list(entry) + 1] += 1);
        for index in 1..ends.len() {
            ends[index] += ends[index - 1];
        }
        let (starts, mut next) = (ends.clone(), ends);
        let mut children = vec![0; self.len()];
        for (index, entry) in self.entries.iter().enumerate() {
            let place = &mut next[list(entry)];
            children[*place] = index as u32;
            *place += 1;
        }
        (starts, children)
    }

    /// The columns of the [`table`](Self::table), each with its unit. Identifiers and words have an empty unit.
    /// `has_species`: whether the table has a column for the species.
    pub fn columns(has_species: bool) -> Vec<(&'static str, &'static str)> {
        let life = [("life", ""), ("number", ""), ("parent", ""), ("born", "step"), ("died", "step"), ("cause", "")];
        let traits = Trait::ALL.map(|of| (of.name(), of.unit()));
        life.into_iter().chain(has_species.then_some(("species", ""))).chain(traits).collect()
    }

    /// The lives as comma-separated values with the [`columns`](Self::columns), a row for each life. Traits are in the
    /// units of presets. `species`: the name and the rules of each species. If there are several species, one column
    /// has the name of the individual's species.
    pub fn table(&self, species: &[(&str, LifeRules)]) -> String {
        let has_species = species.len() > 1;
        let names: Vec<&str> = Self::columns(has_species).into_iter().map(|(name, _)| name).collect();
        let mut text = names.join(",") + "\n";
        for (index, life) in self.lives().enumerate() {
            let _ = write!(text, "{index},{},", life.number);
            life.parent.iter().for_each(|parent| _ = write!(text, "{parent}"));
            let _ = write!(text, ",{},", life.born);
            match life.died {
                Some((step, cause)) => _ = write!(text, "{step},{}", cause.name()),
                None => text.push_str(",alive"),
            }
            let Some((name, rules)) = species.get(usize::from(life.species)) else { continue };
            if has_species {
                let _ = write!(text, ",{name}");
            }
            for (of, byte) in Trait::ALL.into_iter().zip(life.dna) {
                let _ = write!(text, ",{:.4}", rules.in_unit(of, byte));
            }
            text.push('\n');
        }
        text
    }
}

/// The number, DNA and species of each individual, in the order of numbers. Empty if the individuals have no lives.
fn by_number(individuals: &Individuals) -> impl Iterator<Item = Founder> {
    let of = |index: usize| {
        let Life { dna, species, .. } = Life::from_words(individuals.life(index)?);
        Some((individuals.numbers[index], dna, species))
    };
    let mut living: Vec<Founder> = (0..individuals.len()).filter_map(of).collect();
    living.sort_unstable();
    living.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn founders(count: u32) -> Individuals {
        let mut individuals = Individuals::default();
        for number in (0..count).rev() {
            let life = Life { dna: [number as u8; 6], health: 9, ..Life::default() };
            individuals.push_living(number, [0; 3], [0; 3], life.words());
        }
        individuals
    }

    fn end(step: u32, number: u32, parent: u32) -> LifeEnd {
        LifeEnd { step, number, cause: Cause::Starved, next: Some(NextLife { parent, dna: [7; 6] }) }
    }

    #[test]
    fn a_number_has_many_lives_and_a_parent_is_one_of_them() {
        let mut lineage = Lineage::begin(100, &founders(3));
        assert_eq!((lineage.len(), lineage.generations()), (3, 1));
        assert_eq!(lineage.newick(TreeNodes::All), "(0_100:0,1_100:0,2_100:0);\n");
        // In step 104 individual 0 is born again with the parent 2, and individual 1 is removed.
        lineage.extend(
            &[end(104, 0, 2), LifeEnd { step: 104, number: 1, cause: Cause::Caught, next: None }, end(109, 2, 0)],
            110,
        );
        // The first end is already in the record. In the new step, 2 is born again with itself as its parent.
        lineage.extend(&[end(109, 2, 0), end(110, 2, 2)], 111);
        let told: Vec<_> = lineage.lives().map(|life| (life.number, life.parent, life.born, life.died)).collect();
        assert_eq!(
            told,
            [
                (0, None, 100, Some((105, Cause::Starved))),
                (1, None, 100, Some((105, Cause::Caught))),
                (2, None, 100, Some((110, Cause::Starved))),
                (0, Some(2), 105, None),
                (2, Some(3), 110, Some((111, Cause::Starved))),
                (2, Some(4), 111, None),
            ]
        );
        assert_eq!(lineage.ancestors(5).collect::<Vec<_>>(), [4, 3, 2]);
        assert_eq!((lineage.generations(), lineage.last_of(2), lineage.last_of(9)), (4, Some(5), None));
        assert_eq!(lineage.newick(TreeNodes::All), "(0_100:0,1_100:0,(((2_111:1)2_110:5)0_105:5)2_100:0);\n");
        assert_eq!(lineage.newick(TreeNodes::Branching), "(0_100:0,1_100:0,2_111:11);\n");
        let mut now = founders(0);
        for number in [2, 0] {
            now.push_living(number, [0; 3], [0; 3], Life { dna: [7; 6], health: 1, ..Life::default() }.words());
        }
        assert!(lineage.is_of(&now) && !lineage.is_of(&founders(3)));
    }

    #[test]
    fn steps_go_on_beyond_what_32_bits_count() {
        let start = (1u64 << 32) - 3;
        let mut lineage = Lineage::begin(start, &founders(1));
        lineage.extend(&[end(u32::MAX, 0, 0)], start + 4);
        lineage.extend(&[end(u32::MAX, 0, 0), end(2, 0, 0)], start + 9);
        assert_eq!(lineage.lives().map(|life| life.born).collect::<Vec<_>>(), [start, start + 3, start + 6]);
        lineage.set_step(50);
        assert_eq!((lineage.len(), lineage.life(0).born, lineage.life(0).died), (1, 50, None));
    }

    #[test]
    fn nobody_and_a_million_generations_have_trees() {
        assert_eq!(Lineage::begin(0, &founders(0)).newick(TreeNodes::All), ";\n");
        let mut lineage = Lineage::begin(0, &founders(1));
        assert_eq!(lineage.newick(TreeNodes::All), "0_0:0;\n");
        let steps = 1_000_000;
        lineage.extend(&(0..steps).map(|step| end(step, 0, 0)).collect::<Vec<_>>(), steps.into());
        assert_eq!(lineage.generations(), steps + 1);
        let text = lineage.newick(TreeNodes::All);
        assert!(text.starts_with("((((") && text.ends_with("0_3:1)0_2:1)0_1:1)0_0:0;\n"));
        assert_eq!(text.matches('(').count(), steps as usize);
        assert_eq!(lineage.newick(TreeNodes::Branching), format!("0_{steps}:{steps};\n"));
    }

    /// A record of the living describes the living as the whole record does, and stays small.
    #[test]
    fn a_record_of_the_living_forgets_the_others() {
        let mut whole = Lineage::begin(0, &founders(50));
        let mut living = whole.clone().of_the_living();
        for step in 0..2000u32 {
            let ends: Vec<LifeEnd> = (0..8)
                .map(|each| 7 * (step * 8 + each) % 50)
                .map(|number| end(step, number, (number + 1 + step % 3) % 50))
                .collect();
            for lineage in [&mut whole, &mut living] {
                lineage.extend(&ends, u64::from(step) + 1);
            }
            assert!(living.len() <= MIN_FORGOTTEN + 8, "{}", living.len());
        }
        assert_eq!(whole.len(), 50 + 16_000);
        for number in 0..50 {
            let of = |lineage: &Lineage| {
                let life = lineage.life(lineage.last_of(number).unwrap());
                let parent = life.parent.map(|parent| lineage.life(parent));
                (LifeRecord { parent: None, ..life }, parent.map(|parent| LifeRecord { parent: None, ..parent }))
            };
            assert_eq!(of(&whole), of(&living), "{number}");
        }
    }
}
