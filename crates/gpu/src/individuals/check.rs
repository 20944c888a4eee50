//! Checks of users' kernels of individuals, without a device, for each kind of world whose shaders differ.

use super::shader::{KernelConfig, assemble};
use crate::shader::{Replacement, Shader, stem_of, validate_replacement, validate_text};
use murmuration_core::chain::table::Model;
use murmuration_core::chain::{Chain, outside_of_chains};
use murmuration_core::error::BadInput;
use murmuration_core::host::library::Library;
use murmuration_core::individuals::Setup;

/// Checks the users' kernels of a chain without a device.
///
/// # Errors
/// As for [`check_file`].
pub fn check(library: &Library, chain: &Chain) -> Result<(), BadInput> {
    let mut own = chain.passes.iter().map(|pass| &pass.kernel).filter(|kernel| !kernel.is_built_in);
    own.try_for_each(|kernel| check_file(library, &kernel.origin, &kernel.name, &kernel.text))
}

/// Checks a file of `shaders/individuals/`, or `shaders/shared/vector.wgsl`, in every whole shader that includes the
/// file: for every set of rules, number of axes and kind of edges. A file that differs from the built-in file has to
/// follow the rules for users' kernels.
///
/// # Errors
/// If the kernel is not valid (with its line), or no file has this name.
pub fn check_file(library: &Library, origin: &str, name: &str, text: &str) -> Result<(), BadInput> {
    let table = Model::Individuals.table();
    let shared = table.shared.iter().map(|path| stem_of(path)).find(|path| path.ends_with(&format!("/{name}")));
    let path = shared.map_or_else(|| stem_of(&table.path(name)).into(), String::from);
    let mut is_known = false;
    for signature in table.kernels.iter().chain(outside_of_chains()) {
        let own = table.path(signature.name);
        let Some(built_in) = library.text(&own) else { continue };
        let is_kernel = signature.name == name;
        for config in all_configs() {
            let shader = assemble(library, signature, [&own, built_in], &config);
            // The shader of a set of rules imports only the files of these rules.
            if shader.has(&path) {
                is_known = true;
                if library.shader(&path) == text {
                    // `validate_text` validates each shader once, even if several of its files are checked.
                    validate_text(&shader)?;
                    continue;
                }
                let replacement =
                    Replacement { replaced: library.shader(&path), kernel: is_kernel.then_some(signature) };
                validate_replacement(replacement, &shader.replace_file(library, &path, origin, text))?;
            }
        }
    }
    if is_known {
        return Ok(());
    }
    let files = table.files(library).map(|(name, _)| name).collect::<Vec<_>>();
    let cure = format!("the files are {}", files.join(", "));
    Err(BadInput::new(origin, format!("no {} is called {name:?}", table.noun), cure))
}

/// Every shader of the individuals, in each of its forms.
pub(crate) fn all_shaders(library: &Library) -> impl Iterator<Item = Shader> {
    let table = Model::Individuals.table();
    let kernels = table.kernels.iter().chain(outside_of_chains());
    let kernels = kernels.filter_map(|kernel| {
        let origin = table.path(kernel.name);
        Some((kernel, library.text(&origin)?, origin))
    });
    kernels.flat_map(move |(kernel, text, origin)| {
        all_configs().map(move |config| assemble(library, kernel, [&origin, text], &config))
    })
}

/// One config for each kind of world. Worlds whose shaders differ only in numbers are of one kind.
fn all_configs() -> impl Iterator<Item = KernelConfig> {
    Setup::of_each_kind().map(|setup| KernelConfig::new(&setup, 0, 64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::{Binding, BindingKind};
    use crate::testing::library;

    #[test]
    fn every_kernel_and_part_is_sound_and_a_mistake_has_its_line() {
        let files = Model::Individuals.table().files(library()).chain([("vector", library().shader("shared/vector"))]);
        for (name, text) in files {
            check_file(library(), name, name, text).unwrap_or_else(|wrong| panic!("{wrong}"));
            let broken = format!("{text}fn broken() -> u32 {{ return -1; }}\n");
            let wrong = check_file(library(), name, name, &broken).unwrap_err();
            assert_eq!(wrong.line, Some(text.lines().count() + 1), "{wrong}");
        }
        assert!(check_file(library(), "x.wgsl", "steer", "").unwrap_err().to_string().contains("the files are "));
    }

    #[test]
    fn no_kernel_binds_more_than_webgpu_promises() {
        let mut most = 0;
        for kernel in Model::Individuals.table().kernels.iter().chain(outside_of_chains()) {
            for config in all_configs() {
                let shader = assemble(library(), kernel, ["", ""], &config);
                let is_buffer = |binding: &&Binding| matches!(binding.kind, BindingKind::Buffer { .. });
                let count = shader.bindings.iter().filter(is_buffer).count() as u32;
                assert!(count <= wgpu::Limits::defaults().max_storage_buffers_per_shader_stage, "{}", kernel.name);
                most = most.max(count);
            }
        }
        // The buffers of `steer_grid` with food.
        assert_eq!(most, 7, "not all buffers are counted");
    }
}
