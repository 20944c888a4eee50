//! Checks of the flow of fields through a chain. A pass must write every field that another pass reads, and a pass must
//! read every field that another pass writes. Fields that exist before the first pass (given fields) need no writer.

use super::names::split_name;
use super::table::{Model, Role};
use super::{Chain, Pass};
use crate::cells::BuiltInKernel;
use crate::error::BadInput;
use std::collections::BTreeSet;

impl Chain {
    /// Checks each field that is not given: one pass writes the field, before all passes that read it, and at least one
    /// pass reads it.
    pub(super) fn check_flow(&self) -> Result<(), BadInput> {
        if self.passes.is_empty() {
            let cure = match self.model {
                Model::Cell => "add [[pass]], or extends = \"cell-fast\"".into(),
                _ => format!("add [[pass]], as in {}", self.model.table().reference),
            };
            return Err(BadInput::new(&self.origin, "a chain without passes", cure));
        }
        for (index, pass) in self.passes.iter().enumerate() {
            for name in pass.read.iter().filter(|name| !self.is_given(name)) {
                self.check_source(index, pass, "read", name)?;
            }
            for name in pass.write.iter().filter(|name| !self.is_given(name)) {
                if pass.keeps() {
                    self.check_source(index, pass, "write", name)?;
                } else if self.writer(name) != Some(index) {
                    let problem = format!("{name:?} is written twice in a step");
                    return Err(pass.bad("write", problem, "give the second output another name"));
                }
                if !self.is_needed(pass, name) {
                    let problem = format!("no pass reads {name:?}, which `{}` writes", pass.kernel.name);
                    let cure =
                        "list it where it is needed (a control vector where the chain steers), or take the pass away";
                    return Err(pass.bad("write", problem, cure));
                }
            }
            self.check_replaced(index, pass)?;
            self.check_meeting(pass)?;
        }
        self.check_movement()?;
        for given in self.model.table().given.iter().filter(|given| given.role == Role::Target) {
            if self.passes.iter().filter(|pass| pass.write.iter().any(|name| name == given.name)).count() != 1 {
                let problem = format!("not one pass writes {:?}", given.name);
                return Err(BadInput::new(&self.origin, problem, "the last one does").at_key("pass"));
            }
        }
        match self.declared.iter().find(|(name, _)| self.writer(name).is_none()) {
            Some((name, place)) => {
                let wrong = place.bad(format!("no pass writes the field {name:?}"), "take it away");
                Err(wrong.at_key(format!("fields.{name}")))
            }
            None => Ok(()),
        }
    }

    /// Checks that a pass that reads fields of another layer (another species) can be played before all other passes.
    /// Then the pass sees the state before the step.
    fn check_meeting(&self, pass: &Pass) -> Result<(), BadInput> {
        let Some(other) = pass.read.iter().find(|name| split_name(name).1.is_some()) else { return Ok(()) };
        let name = &pass.kernel.name;
        let comes_first = format!("`{name}` reads {other:?}, and so comes before all other passes");
        if let Some(written) = pass.read.iter().find(|name| !self.is_given(name)) {
            let problem = format!("{comes_first}, but {written:?} is written by one of them");
            return Err(pass.bad("read", problem, "let it read the state alone, and another pass join both"));
        }
        if let Some(written) = pass.write.iter().find(|name| self.is_given(name)) {
            let problem = format!("{comes_first}, but it writes {written:?}");
            return Err(pass.bad("write", problem, "let it write a field of [fields], and a later pass read that"));
        }
        Ok(())
    }

    /// Whether a field that a pass writes is read. A built-in kernel writes all its fields together, so one reader of
    /// any of them is enough.
    fn is_needed(&self, pass: &Pass, name: &String) -> bool {
        let is_read = |name: &String| self.passes.iter().any(|reader| reader.read.contains(name));
        let beside = pass.write.iter().filter(|other| pass.kernel.signature.is_some() && !self.is_given(other));
        is_read(name) || beside.into_iter().any(is_read)
    }

    /// Checks that no later pass reads a field whose memory a pass has given to another field.
    fn check_replaced(&self, index: usize, pass: &Pass) -> Result<(), BadInput> {
        for [by, gone] in pass.kernel.signature.map_or(&[][..], |signature| signature.in_place) {
            let mut later = self.passes[index + 1..].iter();
            if let Some(reader) = later.find(|reader| reader.read.iter().any(|name| name == gone)) {
                let (reads, writes) = (&reader.kernel.name, &pass.kernel.name);
                let problem = format!("`{reads}` reads {gone:?}, of which `{writes}` has made {by:?}");
                return Err(reader.bad("read", problem, "move the pass that reads it up"));
            }
        }
        Ok(())
    }

    /// Checks the passes that move boids. One pass at most steers, and one pass at most catches (`jaws`). The pass
    /// `outflow` computes the amounts that cells give to others, and `advect` moves these amounts. No pass between the
    /// two changes the state, because boids would then be created.
    fn check_movement(&self) -> Result<(), BadInput> {
        let steers = |pass: &&Pass| {
            pass.kernel.signature.is_some_and(|signature| signature.has_sum || signature.search.is_some())
        };
        let mut steering = self.passes.iter().filter(steers);
        if steering.next().is_none() && self.model == Model::Individuals {
            let all = self.model.table().kernels.iter().filter(|kernel| kernel.search.is_some());
            let names = all.map(|kernel| kernel.name).collect::<Vec<_>>().join(", or ");
            return Err(BadInput::new(&self.origin, "no pass steers", format!("end with {names}")).at_key("pass"));
        }
        if let Some(steer) = steering.next() {
            let problem = format!("a second pass that steers, `{}`", steer.kernel.name);
            return Err(steer.bad("kernel", problem, "let one sum all the control vectors"));
        }
        let of = |kernel| self.passes.iter().enumerate().filter(move |(_, pass)| pass.kernel.cpu() == Some(kernel));
        if let Some((_, jaws)) = of(BuiltInKernel::Jaws).nth(1) {
            return Err(jaws.bad("kernel", "a second pass `jaws`", "the ledger counts what one catches"));
        }
        let Some(outflow) = self.writer("outflow_x") else { return Ok(()) };
        for (index, _) in of(BuiltInKernel::Advect) {
            let between = &self.passes[outflow + 1..index];
            if let Some(pass) = between.iter().find(|pass| pass.write.iter().any(|name| self.is_given(name))) {
                let problem = format!("`{}` changes the state between `outflow` and `advect`", pass.kernel.name);
                return Err(pass.bad("write", problem, "let one `advect` follow `outflow` before anything else moves"));
            }
        }
        Ok(())
    }

    /// Checks that an earlier pass writes a field that a pass reads or draws over.
    fn check_source(&self, index: usize, pass: &Pass, key: &str, name: &str) -> Result<(), BadInput> {
        let Some(writer) = self.writer(name) else {
            let problem = format!("`{}` reads {name:?}, which no pass writes", pass.kernel.name);
            return Err(pass.bad(key, problem, "add the pass that writes it, or take it away"));
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
        Err(pass.bad(key, format!("`{reads}` reads {name:?} from `{writes}`: {why}"), cure))
    }

    /// The index of the first pass that writes a field without drawing over its content.
    fn writer(&self, name: &str) -> Option<usize> {
        self.passes.iter().position(|pass| !pass.keeps() && pass.write.iter().any(|written| written == name))
    }

    /// Whether pass `from` needs a field that pass `to` writes, directly or through fields between passes.
    fn depends(&self, from: usize, to: usize) -> bool {
        let mut waiting = vec![from];
        let mut seen = BTreeSet::new();
        while let Some(index) = waiting.pop() {
            if index == to {
                return true;
            }
            if seen.insert(index) {
                let read = self.passes[index].read.iter().filter(|name| !self.is_given(name));
                waiting.extend(read.filter_map(|name| self.writer(name)));
            }
        }
        false
    }
}
