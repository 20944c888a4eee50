//! Structures for kernels, declared once for Rust and WGSL.

/// Declares `$Name`, a structure of 32-bit numbers, and `$WGSL`, the text of this structure in WGSL with the name
/// `$wgsl_name`.
///
/// `as` gives the name of a field's type in WGSL. `=` gives a text that replaces the field in WGSL.
macro_rules! structure {
    (
        $(#[$about:meta])* $Name:ident $wgsl_name:literal, $WGSL:ident;
        $($(#[$doc:meta])* $field:ident: $kind:ty $(as $wgsl:literal)? $(= $fields:literal)?,)*
    ) => {
        $(#[$about])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
        pub struct $Name {
            $($(#[$doc])* pub $field: $kind,)*
        }

        /// The structure in WGSL.
        pub const $WGSL: &str = concat!(
            "struct ", $wgsl_name, " {\n",
            $("    ", $crate::uniform::field!($field: $kind $(as $wgsl)? $(= $fields)?), ",\n",)*
            "}\n"
        );
    };
}
pub(crate) use structure;

/// A field of a structure in WGSL.
macro_rules! field {
    ($field:ident: $kind:ty) => {
        concat!(stringify!($field), ": ", stringify!($kind))
    };
    ($field:ident: $kind:ty as $wgsl:literal) => {
        concat!(stringify!($field), ": ", $wgsl)
    };
    ($field:ident: $kind:ty = $fields:literal) => {
        $fields
    };
}
pub(crate) use field;
