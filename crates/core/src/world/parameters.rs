//! The numbers of a step that the kernels of both models read.

/// Declares `$Parameters`, a structure of 32-bit numbers, and `$wgsl`, the same structure in WGSL under the name
/// `Parameters`.
///
/// The first fields are arrays: that of the model, with its type in WGSL, where an array in a uniform has a stride of a multiple of 16
/// bytes, and the hunters. The last ones, from `margin` on, describe the world at this step and
/// what chance is drawn from. Both models have the same.
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
            /// The hunters of the step; those after `hunter_count` are all 0.
            hunters: [$crate::world::HunterNumbers; $crate::world::HUNTERS] as "array<HunterNumbers, 9>",
            $($(#[$doc])* $name: $kind,)*
            /// Cells from a wall within which boids turn inwards.
            margin: i32,
            /// How many hunters there are.
            hunter_count: i32,
            /// The roost along x, in 1/16 cell.
            roost_x: i32,
            /// The roost along y, in 1/16 cell.
            roost_y: i32,
            /// The roost along z, in 1/16 cell.
            roost_z: i32,
            /// How many times as strong the roost is along z (Q10).
            roost_vertical: i32,
            /// What chance in kernels is drawn from: a word made of the seed of the run.
            seed: u32,
        }

        const _: () = assert!(size_of::<$Array>().is_multiple_of(16) && $crate::world::HUNTERS == 9);

        impl $Parameters {
            /// The bytes of the structure as a uniform: WGSL rounds them up to a multiple of 16.
            pub fn binding_size() -> Option<std::num::NonZeroU64> {
                std::num::NonZeroU64::new((size_of::<Self>() as u64).next_multiple_of(16))
            }

            /// The hunters of this step.
            #[inline(always)]
            pub fn hunters(&self) -> &[$crate::world::HunterNumbers] {
                &self.hunters[..self.hunter_count as usize]
            }

            /// Puts these hunters, at most as many as there is room for, in the place of the present ones.
            pub fn set_hunters(&mut self, hunters: &[$crate::world::HunterNumbers]) {
                self.hunters = bytemuck::Zeroable::zeroed();
                self.hunters[..hunters.len()].copy_from_slice(hunters);
                self.hunter_count = hunters.len() as i32;
            }

            /// The byte at which the hunters begin.
            pub const fn hunters_offset() -> u64 {
                std::mem::offset_of!(Self, hunters) as u64
            }

            /// The roost.
            #[inline(always)]
            pub fn roost(&self) -> $crate::world::Roost {
                let place = [self.roost_x, self.roost_y, self.roost_z];
                $crate::world::Roost { place, vertical: self.roost_vertical }
            }

            /// Puts the margin and the roost of a world in the place of the present ones.
            fn set_world(&mut self, world: &$crate::world::World) {
                self.margin = world.margin as i32;
                [self.roost_x, self.roost_y, self.roost_z] = world.roost.place;
                self.roost_vertical = world.roost.vertical;
            }
        }
    };
}

pub(crate) use parameters;
