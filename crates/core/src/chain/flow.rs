//! The flow of fields through a chain: everything that is read was written, and everything written is read.

use super::{Chain, Pass, is_given};
use crate::error::BadInput;
use crate::kernels::BuiltInKernel;
use std::collections::BTreeSet;

impl Chain {
    /// Every intermediate field is written once, before it is read, and is read.
    pub(super) fn check_flow(&self) -> Result<(), BadInput> {
        if self.passes.is_empty() {
            return Err(BadInput::new(
                &self.origin,
                "a chain without passes",
                "add [[pass]], or extends = \"cell-fast\"",
            ));
        }
        for (index, pass) in self.passes.iter().enumerate() {
            for name in pass.read.iter().filter(|name| !is_given(name)) {
                self.check_source(index, pass, name)?;
            }
            for name in pass.write.iter().filter(|name| !is_given(name)) {
                if self.writer(name) != Some(index) {
                    let problem = format!("{name:?} is written twice in a step");
                    return Err(pass.bad("write", problem, "give the second output another name"));
                }
                if !self.passes.iter().any(|reader| reader.read.contains(name)) {
                    let problem = format!("no pass reads {name:?}, which `{}` writes", pass.kernel.name);
                    let cure =
                        "list it where it is needed (a control vector where the chain steers), or take the pass away";
                    return Err(pass.bad("write", problem, cure));
                }
            }
        }
        self.check_movement()?;
        match self.declared.iter().find(|(name, _)| self.writer(name).is_none()) {
            Some((name, place)) => {
                let wrong = place.bad(format!("no pass writes the field {name:?}"), "take it away");
                Err(wrong.at_key(format!("fields.{name}")))
            }
            None => Ok(()),
        }
    }

    /// One pass sums the control vectors, and what is given is taken once, from the very state that gave it: else boids
    /// would come from nowhere.
    fn check_movement(&self) -> Result<(), BadInput> {
        let second = |twin| self.passes.iter().filter(|pass| pass.kernel.twin == Some(twin)).nth(1);
        let mut summing = self.passes.iter().filter(|pass| pass.kernel.twin.is_some_and(|twin| twin.signature().sums));
        if let Some(steer) = summing.nth(1) {
            let problem = format!("a second pass that steers, `{}`", steer.kernel.name);
            return Err(steer.bad("kernel", problem, "let one sum all the control vectors"));
        }
        if let Some(jaws) = second(BuiltInKernel::Jaws) {
            return Err(jaws.bad("kernel", "a second pass `jaws`", "the ledger counts what one catches"));
        }
        let Some(outflow) = self.writer("outflow_x") else { return Ok(()) };
        let advects =
            self.passes.iter().enumerate().filter(|(_, pass)| pass.kernel.twin == Some(BuiltInKernel::Advect));
        for (index, _) in advects {
            let between = &self.passes[outflow + 1..index];
            if let Some(pass) = between.iter().find(|pass| pass.write.iter().any(|name| is_given(name))) {
                let problem = format!("`{}` changes the state between `outflow` and `advect`", pass.kernel.name);
                return Err(pass.bad("write", problem, "let one `advect` follow `outflow` before anything else moves"));
            }
        }
        Ok(())
    }

    /// What a pass reads was written by an earlier one.
    fn check_source(&self, index: usize, pass: &Pass, name: &str) -> Result<(), BadInput> {
        let Some(writer) = self.writer(name) else {
            let problem = format!("`{}` reads {name:?}, which no pass writes", pass.kernel.name);
            return Err(pass.bad("read", problem, "add the pass that writes it, or take it away"));
        };
        if writer < index {
            return Ok(());
        }
        let (why, cure) = if self.depends(writer, index) {
            ("a cycle: each of the passes waits for the other", "break it")
        } else {
            ("it is written only later", "move the pass that writes it up")
        };
        let (reads, writes) = (&pass.kernel.name, &self.passes[writer].kernel.name);
        Err(pass.bad("read", format!("`{reads}` reads {name:?} from `{writes}`: {why}"), cure))
    }

    /// The first pass that writes a field.
    fn writer(&self, name: &str) -> Option<usize> {
        self.passes.iter().position(|pass| pass.write.iter().any(|written| written == name))
    }

    /// Whether the pass `from` needs, by way of intermediate fields, something that the pass `to` writes.
    fn depends(&self, from: usize, to: usize) -> bool {
        let mut waiting = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(index) = waiting.pop() {
            if index == to {
                return true;
            }
            if seen.insert(index) {
                let read = self.passes[index].read.iter().filter(|name| !is_given(name));
                waiting.extend(read.filter_map(|name| self.writer(name)));
            }
        }
        false
    }
}
