//! The plan of a step of the individuals: its buffers, its passes, and the buffers that each pass is bound to.
//!
//! The plan is made once, from a chain and the features of the individuals, without a device. An engine on a GPU plays
//! the plan. Passes that are in no chain follow the passes of the chain: rebirth and predation.

use super::individuals::{PREDATION, REBIRTH};
use super::table::{Element, FieldKind, KernelSignature};
use super::{Chain, Kernel, Pass};
use crate::individuals::search::SearchKind;

/// The name of a buffer with a word for each number of an individual: 1 plus the index of this individual in the sorted
/// order, or 0 if no living individual has the number. Births find parents with this buffer. The shader text that
/// writes the buffer has the same name.
pub const LOOKUP: &str = "lookup";

/// A buffer of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedBuffer {
    /// The name of the first field that uses the buffer.
    pub name: String,
    /// The content of one element.
    pub element: Element,
    /// Whether the buffer is filled with 0 before every step.
    pub is_cleared: bool,
}

/// A pass of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct IndividualsPass {
    /// The reads, writes and invocations of the kernel.
    pub signature: &'static KernelSignature,
    /// The kernel of a chain. `None`: a built-in kernel that is in no chain.
    pub kernel: Option<Kernel>,
}

/// A plan of the individuals.
#[derive(Debug, Clone, PartialEq)]
pub struct IndividualsPlan {
    /// The buffers of a step.
    pub buffers: Vec<PlannedBuffer>,
    /// The passes of the chain.
    pub passes: Vec<IndividualsPass>,
    /// The passes after the passes of the chain.
    pub after: Vec<IndividualsPass>,
    /// The number of passes of the chain before the individuals change. Up to there a step can be abandoned as if it
    /// had not begun.
    pub passes_before_change: usize,
    /// Fields without a buffer of their own: the name of the field, then the name of the buffer that holds it.
    replaced: Vec<[String; 2]>,
}

impl IndividualsPlan {
    /// Plans a chain of individuals, with births if individuals have lives, and with predation if there are predators.
    pub fn new(chain: &Chain, has_lives: bool, has_predators: bool) -> Self {
        let own_memory = chain.fields.iter().filter(|(name, _)| chain.memory_of(name) == name.as_str());
        let buffers = own_memory.filter_map(|(name, kind)| {
            let FieldKind::Buffer(element) = *kind else { return None };
            Some(PlannedBuffer { name: name.clone(), element, is_cleared: is_counted(chain, name) })
        });
        let beside = |name: &str, element, is_cleared| PlannedBuffer { name: name.into(), element, is_cleared };
        let lookup = has_lives.then(|| beside(LOOKUP, Element::GivenNumber, true));
        let predators = has_predators.then(|| beside("predators", Element::Number, false));
        let births = has_lives.then_some(&REBIRTH).into_iter();
        let meals = PREDATION.iter().filter(|_| has_predators);
        let changes = |pass: &Pass| pass.write.iter().any(|name| chain.memory_of(name) == "individuals");
        let replaced = chain.fields.keys().filter(|name| chain.memory_of(name) != name.as_str());
        Self {
            buffers: buffers.chain(lookup).chain(predators).collect(),
            passes: chain.passes.iter().map(IndividualsPass::of_chain).collect(),
            after: births.chain(meals).map(|signature| IndividualsPass { signature, kernel: None }).collect(),
            passes_before_change: chain.passes.iter().position(changes).unwrap_or(chain.passes.len()),
            replaced: replaced.map(|name| [name.clone(), chain.memory_of(name).to_string()]).collect(),
        }
    }

    /// The name of the buffer that holds a field. `None`: the plan has no such field.
    pub fn buffer_of(&self, field: &str) -> Option<&str> {
        let name = self.replaced.iter().find(|[name, _]| name == field).map_or(field, |[_, buffer]| buffer);
        self.buffers.iter().find(|buffer| buffer.name == name).map(|buffer| buffer.name.as_str())
    }

    /// The estimated work of each pass of the chain, relative to the work of one cell in a pass of the cell system. A
    /// brute-force search looks at every pair of individuals. Other searches look at the individuals in the cells
    /// around each individual. The work of the passes after the chain counts as work of its last pass.
    pub fn work(&self, individuals: usize) -> Vec<u64> {
        let individuals = individuals as u64;
        let of = |pass: &IndividualsPass| match pass.signature.search {
            Some(SearchKind::Brute) => individuals.saturating_mul(individuals) / 16,
            Some(_) => 16 * individuals,
            None if PREDATION.contains(pass.signature) => 16 * individuals,
            None => individuals,
        };
        let mut work: Vec<u64> = self.passes.iter().map(of).collect();
        let after: u64 = self.after.iter().map(of).sum();
        work.iter_mut().next_back().into_iter().for_each(|last| *last += after);
        work
    }

    /// Whether all passes have shaders. The octree exists only on the CPU.
    pub fn has_shaders(&self) -> bool {
        self.passes.iter().flat_map(|pass| &pass.kernel).all(|kernel| !kernel.text.is_empty())
    }
}

impl IndividualsPass {
    fn of_chain(Pass { kernel, .. }: &Pass) -> Self {
        let signature = kernel.signature.expect("a chain of individuals has only kernels of its table");
        Self { signature, kernel: Some(kernel.clone()) }
    }
}

/// Whether the invocations of a pass add to a field atomically, so that the field must be 0 at the beginning of each
/// step.
fn is_counted(chain: &Chain, field: &str) -> bool {
    let mut written =
        chain.passes.iter().filter_map(|pass| pass.kernel.signature).flat_map(|signature| signature.write);
    !chain.is_given(field) && written.any(|parameter| parameter.is_atomic && parameter.name == field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(chain: &str, has_lives: bool, has_predators: bool) -> IndividualsPlan {
        let chain = Chain::load(crate::testing::host().as_ref(), chain).unwrap();
        IndividualsPlan::new(&chain, has_lives, has_predators)
    }

    fn names(passes: &[IndividualsPass]) -> Vec<&'static str> {
        passes.iter().map(|pass| pass.signature.name).collect()
    }

    #[test]
    fn what_is_replaced_in_place_has_no_buffer_and_what_is_counted_is_cleared() {
        let plan = plan("agents-grid", false, false);
        let buffers: Vec<_> = plan.buffers.iter().map(|buffer| (buffer.name.as_str(), buffer.is_cleared)).collect();
        let kept = ["account", "block_counts", "candidates"].map(|name| (name, false));
        assert_eq!(buffers[..3], kept);
        assert_eq!(
            buffers[3..],
            [("counts", true), ("individuals", false), ("ranks", false), ("solids", false), ("sorted", false)]
        );
        let places = ["starts", "block_starts", "counts", "lookup"].map(|field| plan.buffer_of(field));
        assert_eq!(places, [Some("counts"), Some("block_counts"), Some("counts"), None]);
        let passes = ["count", "sum_blocks", "scan_blocks", "scan_cells", "scatter", "steer_grid"];
        assert_eq!((names(&plan.passes), plan.after.len(), plan.passes_before_change), (passes.to_vec(), 0, 5));
        assert_eq!(plan.work(100), [100, 100, 100, 100, 100, 1600]);
    }

    #[test]
    fn lives_and_predation_follow_the_chain() {
        let with_lives = plan("agents-grid", true, false);
        assert_eq!(names(&with_lives.after), ["rebirth"]);
        let lookup = with_lives.buffers.iter().find(|buffer| buffer.name == LOOKUP).unwrap();
        assert_eq!((lookup.element, lookup.is_cleared), (Element::GivenNumber, true));
        let with_both = plan("agents-grid", true, true);
        assert_eq!(names(&with_both.after), ["rebirth", "count_predators", "feed"]);
        assert_eq!(with_both.buffer_of("predators"), Some("predators"));
        assert_eq!(with_both.work(100).last(), Some(&(1600 + 100 + 2 * 1600)));
        assert_eq!(with_both.passes, with_lives.passes);
    }

    #[test]
    fn a_brute_force_looks_at_all_pairs_and_the_octree_has_no_shaders() {
        let brute = plan("agents-brute", false, false);
        assert_eq!(brute.work(160).last(), Some(&1600));
        assert!(brute.has_shaders() && !plan("agents-octree", false, false).has_shaders());
        assert!(brute.passes_before_change < brute.passes.len());
    }
}
