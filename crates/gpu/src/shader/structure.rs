//! A macro for structures with one layout in Rust and in WGSL.

/// Declares a structure for Rust and, as the text `$wgsl`, for WGSL. A name of a Rust type that WGSL lacks, such as
/// `Vec3`, has to be an alias in the shader.
macro_rules! structure {
    ($(#[$about:meta])* $Name:ident, $wgsl:ident { $($(#[$doc:meta])* $field:ident: $kind:ident,)* }) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $Name {
            $($(#[$doc])* pub $field: $kind,)*
        }

        /// The declaration of this structure in WGSL.
        pub const $wgsl: &str = concat!(
            "struct ", stringify!($Name), " {\n",
            $("    ", stringify!($field), ": ", stringify!($kind), ",\n",)*
            "}\n"
        );
    };
}
pub(crate) use structure;
