//! The numbers of a step that kernels read, declared once for Rust and for WGSL.

/// Declares `$Parameters`, a structure of 32-bit numbers, and `$wgsl`, the same structure in WGSL under the name
/// `Parameters`.
///
/// The first field is `weights`, `$count` of them in `$rows` rows of four, because an array in a uniform has a stride of 16 bytes. The
/// last ones, from `margin` on, describe the world at this step and are the same for both models.
macro_rules! parameters {
    (
        $(#[$about:meta])* $Parameters:ident, $wgsl:ident;
        $(#[$about_weights:meta])* weights: $count:literal in $rows:literal rows;
        $($(#[$doc:meta])* $name:ident: $kind:ident,)*
    ) => {
        $crate::uniform::parameters! {
            @structure $(#[$about])* $Parameters, $wgsl; $(#[$about_weights])* $count, $rows;
            $($(#[$doc])* $name: $kind,)*
            /// Cells from a wall within which boids turn inwards.
            margin: i32,
            /// The hunter's place in 1/16 cell.
            hunter_x: i32,
            hunter_y: i32,
            /// How far the hunter is noticed, in cells; 0: there is none.
            hunter_reach: i32,
            /// 1: boids flee; -1: they follow.
            hunter_towards: i32,
            /// Boids at most so many cells from the hunter are caught; 0: none.
            hunter_jaws: i32,
        }

        impl $Parameters {
            /// The bytes of the structure as a uniform: WGSL rounds them up to a multiple of 16.
            pub fn binding_size() -> Option<std::num::NonZeroU64> {
                std::num::NonZeroU64::new((size_of::<Self>() as u64).next_multiple_of(16))
            }

            /// The hunter at this step; its reach is 0 where there is none.
            #[inline(always)]
            pub fn hunter(&self) -> $crate::world::HunterPlace {
                $crate::world::HunterPlace {
                    place: [self.hunter_x, self.hunter_y],
                    reach: self.hunter_reach,
                    towards: self.hunter_towards,
                    jaws: self.hunter_jaws,
                }
            }

            /// Puts a hunter in the place of the present one.
            pub fn set_hunter(&mut self, hunter: $crate::world::HunterPlace) {
                [self.hunter_x, self.hunter_y] = hunter.place;
                (self.hunter_reach, self.hunter_towards, self.hunter_jaws) = (hunter.reach, hunter.towards, hunter.jaws);
            }
        }
    };
    (
        @structure $(#[$about:meta])* $Parameters:ident, $wgsl:ident; $(#[$about_weights:meta])* $count:literal, $rows:literal;
        $($(#[$doc:meta])* $name:ident: $kind:ident,)*
    ) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $Parameters {
            $(#[$about_weights])*
            pub weights: [i32; $count],
            $($(#[$doc])* pub $name: $kind,)*
        }

        const _: () = assert!($count == 4 * $rows);

        /// The same structure in WGSL.
        pub const $wgsl: &str = concat!(
            "struct Parameters {\n    weights: array<vec4<i32>, ", stringify!($rows), ">,\n",
            $("    ", stringify!($name), ": ", stringify!($kind), ",\n",)*
            "}\n"
        );
    };
}

pub(crate) use parameters;
