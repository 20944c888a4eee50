//! The chains of the agents, `passes/agents-*.toml`: which kernels make a step. A search is what tells them apart: its
//! kernels have one order in which they make sense, and a chain spells it out.

use super::search::SearchKind;
use crate::error::{BadInput, line_of};
use crate::text::parse_toml;
use serde::Deserialize;
use toml::Spanned;

/// The chain that is played where none is named.
pub const DEFAULT: &str = "agents-grid";

/// The searches, each with the chain that plays it.
const CHAINS: [(&str, SearchKind); 3] =
    [("agents-brute", SearchKind::Brute), ("agents-grid", SearchKind::Grid), ("agents-octree", SearchKind::Octree)];

/// The file that shows how a chain is written.
const REFERENCE: &str = "passes/agents-grid.toml";

/// The kernels of a search, in their order. Those of the octree run on the CPU only, and have no shader.
pub fn kernels(search: SearchKind) -> &'static [&'static str] {
    match search {
        SearchKind::Brute => &["count", "sum_blocks", "scan_blocks", "scan_cells", "scatter", "steer_brute"],
        SearchKind::Grid => &["count", "sum_blocks", "scan_blocks", "scan_cells", "scatter", "steer_grid"],
        SearchKind::Octree => &["jaws", "octree", "steer_octree"],
    }
}

/// What the CPU does in a step, in its order; a GPU runs the kernels of the chain.
pub fn passes(search: SearchKind) -> &'static [&'static str; 4] {
    match search {
        SearchKind::Brute => &["jaws", "measure", "sums_brute", "steer"],
        SearchKind::Grid => &["jaws", "grid", "sums_grid", "steer"],
        SearchKind::Octree => &["jaws", "octree", "sums_octree", "steer"],
    }
}

/// A checked chain of the agents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    pub description: String,
    /// How neighbours are found.
    pub search: SearchKind,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChainSpec {
    description: String,
    model: Spanned<String>,
    pass: Vec<PassSpec>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PassSpec {
    kernel: Spanned<String>,
}

/// The names of the built-in chains.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHAINS.iter().map(|(name, ..)| *name)
}

/// Whether the text of a chain is that of agents, as far as it can be told.
pub fn is_of_agents(text: &str) -> bool {
    toml_edit::Document::parse(text)
        .is_ok_and(|document| document.get("model").and_then(|model| model.as_str()) == Some("agents"))
}

impl Chain {
    /// Reads and checks the text of a chain.
    ///
    /// # Errors
    /// Where anything in it is wrong: its form, its model, or the kernels and their order.
    pub fn read(origin: &str, text: &str) -> Result<Self, BadInput> {
        let spec: ChainSpec = parse_toml(origin, text, REFERENCE)?;
        let bad = |offset: usize, key: &str, problem: String, cure: String| {
            BadInput::new(origin, problem, cure).at_line(line_of(text, offset)).at_key(key)
        };
        if spec.model.get_ref() != "agents" {
            let problem = format!("the model {:?}", spec.model.get_ref());
            return Err(bad(spec.model.span().start, "model", problem, "this chain's is \"agents\"".into()));
        }
        let searches = CHAINS.map(|(.., search)| search);
        let lasts = searches.map(|search| kernels(search).last().copied().unwrap_or_default());
        let Some(last) = spec.pass.last() else {
            let cure = format!("list the kernels of a step; the last one is {}", lasts.join(", or "));
            return Err(BadInput::new(origin, "no pass", cure).at_key("pass"));
        };
        for pass in &spec.pass {
            let name = pass.kernel.get_ref().as_str();
            if searches.iter().all(|search| !kernels(*search).contains(&name)) {
                let mut known: Vec<&str> = Vec::new();
                known.extend(searches.iter().flat_map(|search| kernels(*search)).copied());
                known.sort_unstable();
                known.dedup();
                let problem = format!("no kernel of the agents is called {name:?}");
                return Err(bad(pass.kernel.span().start, "kernel", problem, format!("one of {}", known.join(", "))));
            }
        }
        let Some(index) = lasts.iter().position(|name| name == last.kernel.get_ref()) else {
            let problem = format!("`{}` is the last pass", last.kernel.get_ref());
            return Err(bad(last.kernel.span().start, "kernel", problem, format!("end with {}", lasts.join(", or "))));
        };
        let expected = kernels(searches[index]);
        for (place, pass) in spec.pass.iter().enumerate() {
            let name = pass.kernel.get_ref();
            if expected.get(place) != Some(&name.as_str()) {
                let problem = format!("`{name}` cannot be pass {} before `{}`", place + 1, lasts[index]);
                let cure = format!("the order is {}", expected.join(", "));
                return Err(bad(pass.kernel.span().start, "kernel", problem, cure));
            }
        }
        Ok(Self { description: spec.description, search: searches[index] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> &'static str {
        crate::testing::library().chain(name).unwrap()
    }

    #[test]
    fn every_built_in_chain_is_sound_and_is_the_search_it_is_named_after() {
        for (name, search) in CHAINS {
            let text = text(name);
            let chain = Chain::read(name, text).unwrap_or_else(|wrong| panic!("{wrong}"));
            assert_eq!(chain.search, search);
            assert!(is_of_agents(text) && chain.description.ends_with('.'));
        }
        assert!(names().any(|name| name == DEFAULT));
    }

    #[test]
    fn a_mistake_has_a_line_and_a_cure() {
        let grid = text(DEFAULT);
        for (from, to, expected) in [
            ("kernel = \"scatter\"", "kernel = \"scater\"", "kernel: no kernel of the agents is called \"scater\""),
            ("kernel = \"count\"", "kernel = \"octree\"", "kernel: `octree` cannot be pass 1 before `steer_grid`"),
            ("kernel = \"scan_cells\"", "kernel = \"count\"", "kernel: `count` cannot be pass 4 before `steer_grid`"),
            ("kernel = \"steer_grid\"", "kernel = \"count\"", "kernel: `count` is the last pass; end with steer_brute"),
            ("model = \"agents\"", "model = \"cell\"", "model: the model \"cell\"; this chain's is \"agents\""),
            ("description", "subscription", "subscription: unknown key"),
        ] {
            assert!(grid.contains(from));
            let wrong = Chain::read("grid.toml", &grid.replace(from, to)).unwrap_err();
            let line = grid.lines().position(|line| line.contains(from)).map(|index| index + 1);
            assert_eq!(wrong.line, line, "{wrong}");
            assert!(wrong.to_string().contains(expected) && !wrong.cure.is_empty(), "{wrong}");
        }
        let nothing = "description = \"Nothing.\"\nmodel = \"agents\"\npass = []\n";
        assert_eq!(Chain::read("no.toml", nothing).unwrap_err().key.as_deref(), Some("pass"));
        let longer = format!("{grid}\n[[pass]]\nkernel = \"steer_grid\"\n");
        let wrong = Chain::read("grid.toml", &longer).unwrap_err().to_string();
        assert!(wrong.contains("`steer_grid` cannot be pass 7"), "{wrong}");
    }
}
