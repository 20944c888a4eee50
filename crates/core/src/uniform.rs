//! Structures that kernels read, declared once for Rust and for WGSL.

/// Declares `$Name`, a structure of 32-bit numbers, and `$WGSL`, the text of the same structure in WGSL under the name `$wgsl_name`.
///
/// A field whose type has another name in WGSL says it after `as`. Text after `=` stands for the fields that a field is in WGSL.
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

        /// The same structure in WGSL.
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
