//! All shaders of the program except the shaders of chains of the cells, and the checks of built-in files that are not
//! kernels of a chain: shared files, and passes around the passes of a chain.

use crate::atlas::Subdomain;
use crate::falcons::shader::{assemble_falcons, assemble_falcons_of_individuals};
use crate::measures::shader::{BlockKernel, BodySource, MeasureKernel, assemble_blocks, assemble_measures};
use crate::points::shader::POINT_KERNELS;
use crate::shader::check::{BOTH, SOME_EXTENTS, validate_text};
use crate::shader::lattice::{assemble_shared, deep_path, write_shader};
use crate::shader::writer::axes_of_file;
use crate::shader::{
    DepositConfig, DepositKernel, Shader, ShaderConfig, SumAxis, assemble_blur, assemble_boxes, assemble_caught,
    assemble_deposit, assemble_ledger, assemble_line, assemble_plane, assemble_row_sums, assemble_volume, stem_of,
};
use crate::species::{assemble_mixture, write_fed};
use murmuration_core::cells::context::Meal;
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::Kernel;
use murmuration_core::chain::table::Model;
use murmuration_core::error::BadInput;
use murmuration_core::host::library::Library;
use murmuration_core::measures::liveliness::Blocks;
use murmuration_core::state::fields::Texel;
use murmuration_core::world::{Edges, Extents, PLACE_BITS, Space};

/// Whether a file of the library belongs to a chain. The checks of chains check such a file.
fn is_of_chain(path: &str) -> bool {
    let stem = murmuration_core::text::stem(path);
    path == deep_path(&stem) || Model::ALL.iter().any(|model| model.table().path(&stem) == path)
}

/// Whether a text is a built-in file that is not a kernel of a chain. [`check_shared`] checks such a text.
pub fn is_shared(library: &Library, text: &str) -> bool {
    paths(library, text).next().is_some()
}

/// The paths in `shaders/` of the built-in files that have this text and are not kernels of chains.
fn paths<'a>(library: &Library, text: &'a str) -> impl Iterator<Item = &'static str> + use<'a> {
    let files = library.texts().filter(move |(path, own)| *own == text && !is_of_chain(path));
    files.map(|(path, _)| path).filter(|path| path.ends_with(".wgsl")).map(stem_of)
}

/// Checks a built-in file that is not a kernel of a chain, in every shader that includes the file. If `text` is not the
/// text of a built-in file, the name in `origin` stands for a file of `shaders/shared/`.
///
/// # Errors
/// As for [`check_kernel`](crate::shader::check_kernel).
pub fn check_shared(library: &Library, origin: &str, text: &str) -> Result<(), BadInput> {
    let path = paths(library, text).next();
    let path = path.map_or_else(|| format!("shared/{}", murmuration_core::text::stem(origin)), String::from);
    if path.starts_with("shared/") {
        let own_axes = axes_of_file(&format!("shaders/{path}.wgsl"));
        let mut worlds = SOME_EXTENTS.into_iter().filter(|world| own_axes.is_none_or(|axes| axes == world.axes()));
        return worlds.try_for_each(|world| validate_text(&assemble_shared(library, text, origin, world)));
    }
    let mut shaders = outside_of_chains(library).filter(|shader| shader.has(&path)).peekable();
    if shaders.peek().is_none() {
        return Err(BadInput::new(origin, "no shader has this file", "import it, or remove it"));
    }
    shaders.try_for_each(|shader| validate_text(&shader.replace_file(library, &path, origin, text)))
}

/// Every shader of the program in each of its forms, except the shaders of chains of the cells.
pub fn all_shaders(library: &Library) -> impl Iterator<Item = Shader> {
    let of_chains = crate::individuals::check::all_shaders(library).chain(crate::look::shader::all_shaders(library));
    let of_pictures = [crate::look::points::disc_count::assemble(), crate::look::upscale::assemble()];
    outside_of_chains(library).chain(of_chains).chain(of_pictures)
}

/// Every shader that is not a kernel of a chain, in each of its forms.
fn outside_of_chains(library: &Library) -> impl Iterator<Item = Shader> {
    let [extents, _] = SOME_EXTENTS;
    let deposit = DepositKernel::ALL.into_iter().flat_map(move |kernel| {
        let config = |each| DepositConfig { extents, each, has_lives: each > 1, parts: 1 };
        [1, 2].map(|each| assemble_deposit(library, kernel, config(each)))
    });
    let features = crate::FEATURES.iter().flat_map(|row| (row.shaders)(library));
    let points = POINT_KERNELS.iter().flat_map(move |kernel| {
        let forms = SOME_EXTENTS.into_iter().flat_map(|extents| [(extents, [0, 1]), (extents, [2, 3])]);
        forms.map(|(extents, layers)| kernel.assemble(ShaderConfig::plain(library, extents, Edges::Walls), layers))
    });
    let of_games = crate::measures::shader::overlap::all_shaders(library)
        .into_iter()
        .chain(crate::instances::shader::all_shaders(library));
    let perception = of_perception(library).into_iter().chain(of_games).chain(of_falcons(library));
    let deposit = deposit.chain(of_measures(library));
    deposit.chain(features).chain(points).chain(of_ledger(library)).chain(perception).chain(of_volume(library))
}

fn of_ledger(library: &Library) -> Vec<Shader> {
    let of_world = |extents| {
        [
            assemble_caught(library, &Subdomain::whole(extents), Edges::Torus),
            assemble_mixture(library, extents, &[[0, 1], [-1, 0]]),
            fed_alone(library, extents),
            assemble_row_sums(library, extents, 1),
            assemble_row_sums(library, extents, 3),
        ]
    };
    let [extents, _] = SOME_EXTENTS;
    SOME_EXTENTS.into_iter().flat_map(of_world).chain([assemble_ledger(library, extents)]).collect()
}

/// The shaders of measures of individuals and of cells.
fn of_measures(library: &Library) -> impl Iterator<Item = Shader> {
    let sources = SOME_EXTENTS.into_iter().flat_map(|extents| {
        let space = |edges| Space { extents: extents.along_axes(), edges };
        let individuals = [false, true].map(|has_lives| (BodySource::Individuals(has_lives), space(Edges::Torus)));
        let cells = [1, 3].map(|layers| (BodySource::Cells(extents, layers), space(Edges::Walls)));
        individuals.into_iter().chain(cells)
    });
    sources.flat_map(move |(source, space)| {
        let blocks = match source {
            BodySource::Individuals(_) => Blocks::of_individuals(space, 8 << PLACE_BITS),
            BodySource::Cells(extents, _) => Blocks::of_cells(extents, space.edges),
        };
        let of_blocks = BlockKernel::all(source).iter();
        let of_blocks = of_blocks.map(move |kernel| assemble_blocks(library, *kernel, source, 1000, &blocks));
        MeasureKernel::ALL.map(|kernel| assemble_measures(library, kernel, source, &space)).into_iter().chain(of_blocks)
    })
}

/// The shader that counts meals for a layer that eats another layer, and is eaten by it.
fn fed_alone(library: &Library, extents: Extents) -> Shader {
    let meals = &[Meal { eater: 0, prey: 1, rate: 1 }, Meal { eater: 1, prey: 0, rate: 1 }];
    let plain = ShaderConfig::plain(library, extents, Edges::Torus);
    let config = ShaderConfig { dispatch: BOTH[0], meals, has_noise: false, ..plain };
    write_fed(&["capacity", "density", "density_1"].map(|name| (name, Texel::Amount)), config)
}

/// The shaders of perception: the passes that sum over boxes, the passes that blur, and the kernels that read their
/// sums.
fn of_perception(library: &Library) -> Vec<Shader> {
    let [extents, deep] = SOME_EXTENTS;
    // Boxes within the lattice, and a box that reaches beyond it, for which the accessors wrap in another way.
    let boxes = [(4, Edges::Torus), (100, Edges::Torus), (4, Edges::Walls)].into_iter().flat_map(|(reach, edges)| {
        [(0, SumAxis::Columns), (0, SumAxis::Rows), (2, SumAxis::Columns), (2, SumAxis::Rows)]
            .map(|(rule, axis)| assemble_boxes(library, rule, reach, axis, extents, edges))
    });
    let worlds = [(extents, Edges::Torus), (deep, Edges::Torus), (deep, Edges::Walls)];
    let blurs = worlds.into_iter().flat_map(|(world, edges)| {
        (0..world.axes()).map(move |axis| assemble_blur(library, [2, 1], axis, world, edges))
    });
    boxes.chain(blurs).chain(of_behaviour(library)).collect()
}

/// The shaders of a kernel that sums over the sights, with each method of summing, and of a kernel with its own sight.
fn of_behaviour(library: &Library) -> Vec<Shader> {
    let table = Model::Cell.table();
    let [behaviour, cohesion] = ["behaviour", "cohesion"].map(|name| {
        let origin = table.path(name);
        let text = library.text(&origin).unwrap_or_default().into();
        Kernel { name: name.into(), origin, text, signature: table.kernel(name), is_built_in: true }
    });
    let fields = [("density", Texel::Amount), ("capacity", Texel::Amount), ("control", Texel::Velocity)];
    let [flat, deep] = SOME_EXTENTS;
    let contrast = |axes| Sight::contrast([2, 1], axes).expect("the radii are small");
    let [small, box_sight] = [1, 9].map(|reach| Sight::square(reach).expect("the reach is small"));
    let cube = Sight::cube(1).expect("the reach is small");
    let worlds =
        [(flat, [&contrast(2), &small, &box_sight]), (flat, [&box_sight; 3]), (deep, [&contrast(3), &cube, &cube])];
    let (behaviour, cohesion) = (&behaviour, &cohesion);
    let shaders = worlds.iter().flat_map(|(extents, sights)| {
        BOTH.into_iter().flat_map(move |dispatch| {
            let config = ShaderConfig { dispatch, ..ShaderConfig::plain(library, *extents, Edges::Torus) };
            let written = [("control", Texel::Velocity)];
            [(behaviour, &sights.map(Some)[..]), (cohesion, &[Some(sights[0])])]
                .map(|(kernel, sights)| write_shader(kernel, &fields, &written, sights, config))
        })
    });
    shaders.collect()
}

fn of_falcons(library: &Library) -> Vec<Shader> {
    let [extents, deep] = SOME_EXTENTS;
    let worlds = [(extents, Edges::Torus), (deep, Edges::Torus), (deep, Edges::Walls)];
    let worlds = worlds.into_iter().flat_map(|world| [(world, false), (world, true)]);
    let shaders = worlds.flat_map(|((extents, edges), has_rock)| {
        let space = Space { extents: extents.along_axes(), edges };
        [
            assemble_falcons(library, extents, edges, has_rock, 2),
            assemble_falcons_of_individuals(library, &space, false, has_rock),
        ]
        .concat()
    });
    shaders.collect()
}

fn of_volume(library: &Library) -> Vec<Shader> {
    let shaders = SOME_EXTENTS.into_iter().flat_map(|extents| {
        let (line, crowds) = (assemble_line(library, extents), crate::look::crowd_light::all_shaders(library, extents));
        let shaders = assemble_volume(library, extents).into_iter().chain([line]).chain(crowds);
        shaders.chain(assemble_plane(library, extents))
    });
    shaders.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shader::check_kernel;
    use crate::testing::library;

    #[test]
    fn every_shader_is_valid() {
        for shader in all_shaders(library()) {
            validate_text(&shader).unwrap_or_else(|wrong| panic!("{wrong}"));
        }
        for (name, text) in Model::Cell.table().files(library()) {
            check_kernel(library(), name, name, text).unwrap_or_else(|wrong| panic!("{wrong}"));
        }
    }
}
