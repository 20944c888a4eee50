//! The numbers of a step for the kernels of both models.

/// Declares `$Parameters`, a structure of 32-bit numbers, and `$wgsl`, this structure in WGSL with the name
/// `Parameters`.
///
/// The first fields are two arrays: the model's, with its WGSL type, and the hunters. In WGSL the stride of an array in
/// a uniform is a multiple of 16 bytes. The last fields, from `margin` on, describe the world at this step and the
/// seed. Both models have them.
macro_rules! parameters {
    (
        $(#[$about:meta])* $Parameters:ident, $wgsl:ident;
        $(#[$about_array:meta])* $array:ident: $Array:ty as $array_wgsl:literal;
        $($(#[$doc:meta])* $name:ident: $kind:ident,)*
    ) => {
        $crate::uniform::structure! {
            $(#[$about])*
            $Parameters "Parameters", $wgsl;
            $(#[$about_array])*
            $array: $Array as $array_wgsl,
            /// The hunters of the step. Those from `hunter_count` on are zero.
            hunters: [$crate::world::HunterNumbers; $crate::world::HUNTERS] as "array<HunterNumbers, 9>",
            $($(#[$doc])* $name: $kind,)*
            /// The distance from a wall, in cells, within which boids turn inwards.
            margin: i32,
            /// The number of hunters.
            hunter_count: i32,
            /// The roost along x, in 1/16 cell.
            roost_x: i32,
            /// The roost along y, in 1/16 cell.
            roost_y: i32,
            /// The roost along z, in 1/16 cell.
            roost_z: i32,
            /// The factor of the roost's strength along z (Q10).
            roost_vertical: i32,
            /// A word computed from the seed of the run, for the random numbers of kernels.
            seed: u32,
        }

        const _: () = assert!(size_of::<$Array>().is_multiple_of(16) && $crate::world::HUNTERS == 9);

        impl $Parameters {
            /// The number of bytes of the structure in a uniform. WGSL rounds it up to a multiple of 16.
            pub fn binding_size() -> Option<std::num::NonZeroU64> {
                std::num::NonZeroU64::new((size_of::<Self>() as u64).next_multiple_of(16))
            }

            /// The hunters of this step.
            #[inline(always)]
            pub fn hunters(&self) -> &[$crate::world::HunterNumbers] {
                &self.hunters[..self.hunter_count as usize]
            }

            /// Replaces the hunters. `hunters`: at most [`crate::world::HUNTERS`].
            pub fn set_hunters(&mut self, hunters: &[$crate::world::HunterNumbers]) {
                self.hunters = bytemuck::Zeroable::zeroed();
                self.hunters[..hunters.len()].copy_from_slice(hunters);
                self.hunter_count = hunters.len() as i32;
            }

            /// The offset of the hunters, in bytes.
            pub const fn hunters_offset() -> u64 {
                std::mem::offset_of!(Self, hunters) as u64
            }

            /// The roost.
            #[inline(always)]
            pub fn roost(&self) -> $crate::world::Roost {
                let place = [self.roost_x, self.roost_y, self.roost_z];
                $crate::world::Roost { place, vertical: self.roost_vertical }
            }

            /// Sets the margin and the roost from a world.
            fn set_world(&mut self, world: &$crate::world::World) {
                self.margin = world.margin as i32;
                [self.roost_x, self.roost_y, self.roost_z] = world.roost.place;
                self.roost_vertical = world.roost.vertical;
            }
        }
    };
}

pub(crate) use parameters;
