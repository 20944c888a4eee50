//! The fields of a pass, compared with the signature of its kernel.

use super::table::{FieldKind, Parameter};
use super::{Chain, Pass, Place};
use crate::error::BadInput;
use crate::numbers::MAX_RULES;
use crate::state::fields::Texel;

impl Chain {
    /// Checks that a pass lists the fields of its kernel, and puts them in the kernel's order.
    pub(super) fn check_signature(&self, pass: &mut Pass) -> Result<(), BadInput> {
        let Some(signature) = pass.kernel.signature else {
            return Ok(());
        };
        if !self.model.table().is_matched_by_name {
            self.check_in_order(pass, "read", &pass.read, signature.read)?;
            return self.check_in_order(pass, "write", &pass.write, signature.write);
        }
        let name = signature.name;
        let unlisted = signature.implied.iter().filter(|name| !pass.read.iter().any(|listed| listed == *name));
        pass.read.extend(unlisted.map(|name| (*name).to_string()).collect::<Vec<_>>());
        let (mut read, more) = self.in_order(pass, "read", &pass.read, signature.read)?;
        let (write, unwritten) = self.in_order(pass, "write", &pass.write, signature.write)?;
        for (key, names) in [("read", if signature.has_sum { &[] } else { more.as_slice() }), ("write", &unwritten)] {
            if let Some(field) = names.first() {
                return Err(pass.bad(key, format!("`{name}` does not {key} {field:?}"), "take it away"));
            }
        }
        if let Some(rule) = more.iter().find(|name| signature.rules.contains(&name.as_str())) {
            let problem = format!("`{name}` works out {rule:?} itself");
            return Err(pass.bad("read", problem, "give the other one another name"));
        }
        for field in &more {
            self.check_kind(field, FieldKind::Texel(Texel::Vector), &pass.place)?;
        }
        if signature.rules.len() + more.len() > MAX_RULES {
            let problem = format!("{} control vectors to sum", more.len());
            return Err(pass.bad("read", problem, format!("at most {MAX_RULES}, so that their sum fits in 32 bits")));
        }
        if signature.has_sight && pass.sight.is_none() {
            let problem = format!("`{name}` looks through a sight");
            return Err(pass.bad("sight", problem, "name one, as in sight = \"cohesion\""));
        }
        read.extend(more);
        (pass.read, pass.write) = (read, write);
        Ok(())
    }

    /// Checks that the listed fields and a kernel's parameters agree in number, and in kind one by one.
    fn check_in_order(&self, pass: &Pass, key: &str, listed: &[String], wanted: &[Parameter]) -> Result<(), BadInput> {
        if listed.len() != wanted.len() {
            let problem = format!("`{}` {key}s {} fields, and not {}", pass.kernel.name, wanted.len(), listed.len());
            return Err(pass.bad(key, problem, format!("list them in the order of {}", names_of(wanted))));
        }
        listed.iter().zip(wanted).try_for_each(|(name, parameter)| {
            self.check_kind(name, parameter.kind, &pass.place).map_err(|wrong| wrong.at_key(key))
        })
    }

    /// The fields that a kernel wants, in its order, and the other listed fields.
    fn in_order(
        &self,
        pass: &Pass,
        key: &str,
        listed: &[String],
        wanted: &[Parameter],
    ) -> Result<(Vec<String>, Vec<String>), BadInput> {
        for Parameter { name, kind, .. } in wanted {
            if !listed.iter().any(|listed| listed == name) {
                let problem = format!("`{}` is not given {name:?}", pass.kernel.name);
                return Err(pass.bad(key, problem, format!("{key} = [{}]", names_of(wanted))));
            }
            self.check_kind(name, *kind, &pass.place)?;
        }
        let ordered = wanted.iter().map(|parameter| parameter.name.to_string()).collect();
        let is_wanted = |name: &&String| wanted.iter().any(|parameter| parameter.name == name.as_str());
        let more = listed.iter().filter(|name| !is_wanted(name)).cloned().collect();
        Ok((ordered, more))
    }

    fn check_kind(&self, name: &str, wanted: FieldKind, place: &Place) -> Result<(), BadInput> {
        match self.kind_of(name) {
            Some(kind) if !kind.fits(wanted) => {
                let (own, wanted) = (kind.name(), wanted.name());
                let problem = format!("{name:?} is declared as {own:?}, but the kernel wants {wanted:?}");
                let cure = if self.is_given(name) {
                    "list another field".into()
                } else {
                    format!("{name} = {wanted:?} in [fields]")
                };
                Err(place.bad(problem, cure))
            }
            _ => Ok(()),
        }
    }
}

fn names_of(parameters: &[Parameter]) -> String {
    parameters.iter().map(|parameter| format!("{:?}", parameter.name)).collect::<Vec<_>>().join(", ")
}
