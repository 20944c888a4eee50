//! An individual as the buffers of a device hold it.

use super::Shader;
use murmuration_core::host::library::Library;
use murmuration_core::numbers::Vector3;
use murmuration_core::state::{Individuals, LIFE_WORDS};

/// An individual as buffers hold it, in flat and in deep worlds. WGSL aligns vectors of 3 or 4 words to 16 bytes:
///
/// | byte | |
/// |---|---|
/// | 0 | the place, Q16 of a cell on three axes |
/// | 12 | the number |
/// | 16 | the velocity, Q14 of a cell a step on three axes; in a flat world z is 0 |
/// | 28 | with lives: the energy eaten and burnt in the last step (see `individuals/account.wgsl`); else unused |
/// | 32 | with lives: the words of the individual's life |
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct StoredIndividual {
    /// The place along each axis (Q16 of a cell).
    pub place: Vector3,
    /// The number, which is constant for the whole run.
    pub number: u32,
    /// The velocity along each axis (Q14 of a cell a step).
    pub velocity: Vector3,
    /// The energy eaten and burnt in the last step, which is not a part of the state.
    energy: u32,
}

impl Shader {
    /// Adds the structure `Individual` in WGSL, and the functions that make and read it.
    pub fn individual(&mut self, library: &Library, has_lives: bool) {
        self.define("HAS_LIVES", has_lives);
        self.import(library, "individuals/individual");
    }
}

impl StoredIndividual {
    /// The size of a stored individual in bytes, with or without a life.
    pub const fn bytes(has_lives: bool) -> u64 {
        (size_of::<Self>() + if has_lives { 4 * LIFE_WORDS } else { 0 }) as u64
    }

    /// The words of individuals, as buffers hold them.
    pub fn store(individuals: &Individuals, has_lives: bool) -> Vec<u32> {
        let mut words = Vec::with_capacity(Self::bytes(has_lives) as usize / 4 * individuals.len());
        for index in 0..individuals.len() {
            let (place, velocity) = (individuals.position(index), individuals.velocity(index));
            let stored = Self { place, number: individuals.numbers[index], velocity, energy: 0 };
            words.extend_from_slice(bytemuck::cast_slice(&[stored]));
            words.extend(individuals.life(index).into_iter().flatten().map(|word| word as u32));
        }
        words
    }

    /// Reads individuals from the words of a buffer, each with the words of its life if the swarm has lives.
    pub fn read(words: &[u32], has_lives: bool) -> impl Iterator<Item = (Self, Option<[i32; LIFE_WORDS]>)> {
        words.chunks_exact(Self::bytes(has_lives) as usize / 4).map(|stored| {
            let (own, life) = stored.split_at(size_of::<Self>() / 4);
            let life = life.first_chunk().map(|words| words.map(|word: u32| word as i32));
            (bytemuck::pod_read_unaligned(bytemuck::cast_slice(own)), life)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::library;
    use std::mem::offset_of;

    #[test]
    fn both_twins_have_one_layout() {
        for has_lives in [false, true] {
            let shader = Shader::new(library(), "individuals/individual", [("HAS_LIVES", has_lives)]);
            let module = naga::front::wgsl::parse_str(&shader.source).unwrap();
            let (_, kind) = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some("Individual")).unwrap();
            let naga::TypeInner::Struct { members, span } = &kind.inner else { panic!("{kind:?}") };
            assert_eq!(u64::from(*span), StoredIndividual::bytes(has_lives));
            let in_wgsl = members.iter().map(|member| (member.name.as_deref().unwrap(), member.offset as usize));
            let in_rust = [
                ("place", offset_of!(StoredIndividual, place)),
                ("number", offset_of!(StoredIndividual, number)),
                ("velocity", offset_of!(StoredIndividual, velocity)),
                ("energy", offset_of!(StoredIndividual, energy)),
                ("life", size_of::<StoredIndividual>()),
            ];
            assert!(in_wgsl.eq(in_rust.into_iter().take(if has_lives { 5 } else { 3 })));
        }
    }

    #[test]
    fn what_is_stored_is_read() {
        for has_lives in [false, true] {
            let mut individuals = Individuals::default();
            for number in 0..3 {
                let place = [number as i32, 2, 3];
                if has_lives {
                    individuals.push_living(number, place, [-1, 5, 6], [7, -8, 9, number as i32]);
                } else {
                    individuals.push(number, place, [-1, 5, 6]);
                }
            }
            let words = StoredIndividual::store(&individuals, has_lives);
            let read: Vec<_> = StoredIndividual::read(&words, has_lives).collect();
            for (index, (stored, life)) in read.iter().enumerate() {
                assert_eq!((stored.number, stored.place), (index as u32, individuals.position(index)));
                assert_eq!((stored.velocity, *life), (individuals.velocity(index), individuals.life(index)));
            }
            assert_eq!(read.len(), 3);
        }
    }
}
