//! The names that fields and kernels may have: each becomes a function in the shaders, where it must not be another's.

use super::table::Model;
use super::wgsl;
use crate::library::Library;

/// The entry points that are generated around kernels.
pub const COMPUTE_ENTRY: &str = "murmuration_compute";
pub const VERTEX_ENTRY: &str = "murmuration_vertex";
pub const FRAGMENT_ENTRY: &str = "murmuration_fragment";

/// The words that WGSL reserves.
const RESERVED: &str = "\
    NULL Self alias break case const const_assert continue continuing default diagnostic discard else enable false fn for \
    if let loop override requires return struct switch true var while abstract active alignas alignof as asm \
    asm_fragment async attribute auto await become cast catch class co_await co_return co_yield coherent \
    column_major common compile compile_fragment concept const_cast consteval constexpr constinit crate debugger \
    decltype delete demote demote_to_helper do dynamic_cast enum explicit export extends extern external \
    fallthrough filter final finally friend from fxgroup get goto groupshared highp impl implements import \
    inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable \
    namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of \
    operator package packoffset partition pass patch pixelfragment precise precision premerge priv protected pub \
    public readonly ref regardless register reinterpret_cast require resource restrict self set shared sizeof \
    smooth snorm static static_assert static_cast std subroutine super target template this thread_local throw \
    trait try type typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual \
    volatile wgsl where with writeonly yield";

/// Checks that a name can be that of a field or kernel: a lower-case word that means nothing else to the kernels.
pub(super) fn check_name(library: &Library, model: Model, name: &str) -> Result<(), String> {
    let mut letters = name.chars();
    let starts = letters.next().is_some_and(|first| first.is_ascii_lowercase());
    if !starts || !letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_') {
        return Err(format!("{name:?} is not a word of lower-case letters, digits and underscores"));
    }
    // Fields give their names to textures and targets in the generated part of the shaders.
    let is_generated = name.ends_with("_texture") || name.ends_with("_target");
    if is_generated || name.ends_with('_') || name.contains("__") || is_taken(library, model, name) {
        return Err(format!("the name {name:?} is taken"));
    }
    Ok(())
}

/// Whether a name belongs to the shared or generated part of a model's shaders, or to WGSL itself.
pub fn is_taken(library: &Library, model: Model, name: &str) -> bool {
    let mut shared = model.table().shared.iter().filter_map(|path| library.text(path));
    [COMPUTE_ENTRY, VERTEX_ENTRY, FRAGMENT_ENTRY].contains(&name)
        || [model.table().generated, RESERVED].iter().any(|words| words.split_whitespace().any(|word| word == name))
        || shared.any(|text| wgsl::used(text).contains(name))
}
