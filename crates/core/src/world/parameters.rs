//! The numbers of a step that kernels read, for both models.

/// Declares a Rust structure `$Parameters` of 32-bit numbers, and a constant `$wgsl`, the WGSL text of this structure
/// with the name `Parameters`.
///
/// The first two fields are arrays: an array of the model, with its WGSL type, and the hunters. They come first,
/// because the stride of an array in a uniform is a multiple of 16 bytes. The last fields, from `margin` on, are equal
/// for both models. They are the numbers of the world at this step, and the seed.
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
            /// The hunters of the step. Elements from `hunter_count` on are zero.
            hunters: [$crate::world::HunterNumbers; $crate::world::HUNTERS] as "array<HunterNumbers, 9>",
            $($(#[$doc])* $name: $kind,)*
            /// The distance from a wall, in cells, within which boids turn inwards.
            margin: i32,
            /// The number of hunters in this step.
            hunter_count: i32,
            /// The place of the roost along x, in 1/16 cell.
            roost_x: i32,
            /// The place of the roost along y, in 1/16 cell.
            roost_y: i32,
            /// The place of the roost along z, in 1/16 cell.
            roost_z: i32,
            /// The factor of the roost's attraction along z (Q10).
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

            /// The offset of the field `hunters` in the structure, in bytes.
            pub const fn hunters_offset() -> u64 {
                std::mem::offset_of!(Self, hunters) as u64
            }

            /// The roost of the world.
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
