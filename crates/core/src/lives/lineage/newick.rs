//! The family tree as text in the Newick format of phylogenetic trees: nested parentheses with names and branch
//! lengths.

use super::{Entry, Lineage};
use std::fmt::Write;

/// Which lives are nodes of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TreeNodes {
    /// Every life.
    #[default]
    All,
    /// Lives with several children or with none. A life with one child is no node: the branches before and after it
    /// become one branch.
    Branching,
}

/// A node whose subtree is being written.
struct Visit {
    node: usize,
    /// The number of children whose subtrees are already written.
    written: usize,
    /// The beginning of the branch that leads to the node, in steps since the beginning of the record.
    from: u32,
}

impl Lineage {
    /// The tree in the Newick format. A node is a life with the name `number_birthstep`. The length of its branch is
    /// the number of steps from the birth of its parent node to its own birth. The founders are the children of a root
    /// without a name, with branches of length 0. A single founder is the root itself. If a founder is not a node, the
    /// first node after it takes its place, with a branch that begins at the founder's birth.
    pub fn newick(&self, nodes: TreeNodes) -> String {
        let (starts, children) = self.children();
        let of = |node: usize| &children[starts[node]..starts[node + 1]];
        let visit = |life: u32, from: u32| {
            let mut node = life as usize;
            while let ([only], TreeNodes::Branching) = (of(node), nodes) {
                node = *only as usize;
            }
            Visit { node, written: 0, from }
        };
        let born = |life: u32| self.entries[life as usize].born;
        let mut text = String::new();
        // The nodes from the root to the present one. A recursion could overflow the stack, since a tree may be a
        // million lives deep.
        let mut path = match of(self.len()) {
            [] => return ";\n".into(),
            [only] => vec![visit(*only, born(*only))],
            _ => vec![Visit { node: self.len(), written: 0, from: 0 }],
        };
        while let Some(Visit { node, written, from }) = path.last_mut() {
            let own = self.entries.get(*node);
            if let Some(child) = of(*node).get(*written) {
                text.push(if *written == 0 { '(' } else { ',' });
                *written += 1;
                path.push(visit(*child, own.map_or_else(|| born(*child), |own| own.born)));
                continue;
            }
            if *written > 0 {
                text.push(')');
            }
            if let Some(Entry { number, born, .. }) = own {
                let _ = write!(text, "{number}_{}:{}", self.begun + u64::from(*born), born - *from);
            }
            path.pop();
        }
        text.push_str(";\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lives::lineage::{Cause, LifeEnd, NextLife, tests::founders};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// A node of a tree that the test has read.
    #[derive(Default)]
    struct Node {
        name: String,
        length: u64,
        children: Vec<usize>,
    }

    /// Reads a tree in the Newick format. In the result a node comes after its children, and the root comes last.
    fn read(text: &str) -> Vec<Node> {
        let (mut nodes, mut open, mut closed) = (Vec::new(), vec![Vec::new()], Vec::new());
        let mut rest = text.strip_suffix(";\n").unwrap();
        loop {
            if let Some(inside) = rest.strip_prefix('(') {
                (rest, _) = (inside, open.push(Vec::new()));
                continue;
            }
            let end = rest.find([',', ')']).unwrap_or(rest.len());
            let (name, length) = rest[..end].split_once(':').unwrap_or(("", "0"));
            open.last_mut().unwrap().push(nodes.len());
            let children = std::mem::take(&mut closed);
            nodes.push(Node { name: name.to_owned(), length: length.parse().unwrap(), children });
            match rest[end..].chars().next() {
                Some(')') => closed = open.pop().unwrap(),
                Some(_) => {}
                None => return nodes,
            }
            rest = &rest[end + 1..];
        }
    }

    /// Each wanted node by name, with its distance from the root and the name of its nearest wanted ancestor.
    fn described(nodes: &[Node], is_wanted: impl Fn(&Node) -> bool) -> BTreeMap<String, (u64, Option<String>)> {
        let mut ways = vec![(0, None); nodes.len()];
        let mut all = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate().rev() {
            let (way, before) = ways[index].clone();
            let way = way + node.length;
            let mut nearest: Option<String> = before.clone();
            if is_wanted(node) {
                all.insert(node.name.clone(), (way, before));
                nearest = Some(node.name.clone());
            }
            node.children.iter().for_each(|child| ways[*child] = (way, nearest.clone()));
        }
        all
    }

    proptest! {
        /// A tree with [`TreeNodes::Branching`] is the whole tree without the nodes with one child. The other nodes
        /// keep their distances from the root and their ancestors.
        #[test]
        fn nodes_of_a_single_child_are_all_that_is_left_out(
            count in 1..6u32,
            ends in prop::collection::vec((0..6u32, 0..6u32, 0..3u32, any::<bool>()), 0..60),
        ) {
            let (mut lineage, mut step) = (Lineage::begin(70, &founders(count)), 70);
            let mut is_gone = vec![false; count as usize];
            for (number, parent, pause, is_last) in ends {
                let (number, parent) = (number % count, parent % count);
                step += pause + 1;
                if is_gone[number as usize] || is_gone[parent as usize] {
                    continue;
                }
                is_gone[number as usize] = is_last;
                let next = Some(NextLife { parent, dna: [7; 6] }).filter(|_| !is_last);
                lineage.extend(&[LifeEnd { step, number, cause: Cause::Caught, next }], u64::from(step) + 1);
            }
            let [whole, branching] = [TreeNodes::All, TreeNodes::Branching].map(|nodes| read(&lineage.newick(nodes)));
            prop_assert_eq!(whole.iter().filter(|node| !node.name.is_empty()).count(), lineage.len());
            prop_assert!(branching.iter().all(|node| node.children.len() != 1));
            let kept = described(&whole, |node| node.children.len() != 1);
            prop_assert_eq!(described(&branching, |_| true), kept);
        }
    }
}
