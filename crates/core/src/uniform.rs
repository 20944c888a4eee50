//! Structures for kernels, declared once for Rust and WGSL (the language of GPU kernels).

/// Declares a Rust structure `$Name` of 32-bit numbers, and a constant `$WGSL`. The constant is the WGSL text of this
/// structure, with the name `$wgsl_name`.
///
/// After a field, `as "…"` gives the field's type in WGSL, and `= "…"` gives a text that replaces the field in WGSL.
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

        /// The text of the structure in WGSL.
        pub const $WGSL: &str = concat!(
            "struct ", $wgsl_name, " {\n",
            $("    ", $crate::uniform::field!($field: $kind $(as $wgsl)? $(= $fields)?), ",\n",)*
            "}\n"
        );
    };
}
pub(crate) use structure;

/// The WGSL text of one field of a structure.
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
