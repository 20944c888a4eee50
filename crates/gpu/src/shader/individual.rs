//! An individual as it lies on a device.

use crate::numbers::Vector3;

/// An individual as buffers hold it, in flat and in deep worlds. WGSL aligns a vector of three words to 16 bytes:
///
/// | byte | |
/// |---|---|
/// | 0 | the place, Q16 of a cell on three axes |
/// | 12 | the number |
/// | 16 | the velocity, Q14 of a cell a step on three axes; in a flat world z is 0 |
/// | 28 | nothing: the next individual begins at 32 |
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct StoredIndividual {
    pub place: Vector3,
    pub number: u32,
    pub velocity: Vector3,
    padding: u32,
}

/// The same in WGSL.
pub const INDIVIDUAL_WGSL: &str = "\
struct Individual {
    place: vec3<i32>,      // Q16
    number: u32,
    velocity: vec3<i32>,   // Q14
}
";

impl StoredIndividual {
    /// Bytes from one individual to the next.
    pub const BYTES: u64 = size_of::<Self>() as u64;

    pub fn new(number: u32, place: Vector3, velocity: Vector3) -> Self {
        Self { place, number, velocity, padding: 0 }
    }

    /// The individuals in words that were read back.
    pub fn of(words: &[u32]) -> &[Self] {
        bytemuck::cast_slice(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn both_twins_have_one_layout() {
        let module = naga::front::wgsl::parse_str(INDIVIDUAL_WGSL).unwrap();
        let (_, kind) = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some("Individual")).unwrap();
        let naga::TypeInner::Struct { members, span } = &kind.inner else { panic!("{kind:?}") };
        assert_eq!(u64::from(*span), StoredIndividual::BYTES);
        let in_wgsl = members.iter().map(|member| (member.name.as_deref().unwrap(), member.offset as usize));
        let in_rust = [
            ("place", offset_of!(StoredIndividual, place)),
            ("number", offset_of!(StoredIndividual, number)),
            ("velocity", offset_of!(StoredIndividual, velocity)),
        ];
        assert!(in_wgsl.eq(in_rust));
    }
}
