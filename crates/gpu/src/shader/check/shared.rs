//! Checks of built-in files that are no kernels of their own: what kernels share, and the passes around those of a chain.

use super::{BOTH, SOME_EXTENTS, validate_text};
use crate::chain::table::Model;
use crate::error::BadInput;
use crate::falcons::shader::{assemble_falcons, assemble_falcons_of_individuals};
use crate::fields::Texel;
use crate::library::Library;
use crate::points::shader::POINT_KERNELS;
use crate::shader::lattice::{assemble_shared, write_fed};
use crate::shader::world::axes_of_file;
use crate::shader::{
    DepositConfig, DepositKernel, FoodLayout, Shader, ShaderConfig, SumAxis, assemble_blur, assemble_boxes,
    assemble_caught, assemble_column_sums, assemble_crowd, assemble_deposit, assemble_growth_of_food, assemble_ledger,
    assemble_line, assemble_mixture, assemble_plane, assemble_row_sums, assemble_sum_of_food, assemble_volume,
};
use crate::world::{Edges, Extents};
use murmuration_core::cells::feed::Meal;
use murmuration_core::individuals::Space;
use std::collections::BTreeMap;

/// The ledger of a layer that eats another.
fn fed_alone(library: &Library, extents: Extents) -> Shader {
    let config = ShaderConfig {
        library: *library,
        extents,
        edges: Edges::Torus,
        sights: &BTreeMap::new(),
        dispatch: BOTH[0],
        capacity: None,
        meals: &[Meal { eater: 0, prey: 1, rate: 1 }, Meal { eater: 1, prey: 0, rate: 1 }],
    };
    write_fed(&["capacity", "density", "density_1"].map(|name| (name, Texel::Amount)), config)
}

/// Checks a file of `shaders/shared/`, `shaders/ledger/`, `shaders/deposit/`, `shaders/food/`, `shaders/points/`, `shaders/perception/`,
/// `shaders/falcon/` or `shaders/volume/` with what is put around it.
///
/// # Errors
/// As [`check_kernel`](crate::shader::check_kernel).
pub fn check_shared(library: &Library, origin: &str, text: &str) -> Result<(), BadInput> {
    if let Some(stem) = stem_in_points(library, text) {
        return check_points(library, origin, stem, text);
    }
    let [extents, _] = SOME_EXTENTS;
    let file = shared_file(library, text);
    let shaders = match file {
        Some(path) if path.starts_with("shaders/ledger/") || path.starts_with("shaders/species/") => {
            of_ledger(library, path)
        }
        Some(path) if path.starts_with("shaders/deposit/") => {
            let stem = crate::text::stem(path);
            let kernels = DepositKernel::ALL.into_iter().filter(|kernel| kernel.name() == stem);
            let config = |each| DepositConfig { extents, each, has_lives: each > 1, species: 1 };
            kernels.flat_map(|kernel| [1, 2].map(|each| assemble_deposit(library, kernel, config(each)))).collect()
        }
        Some(path) if path.starts_with("shaders/food/") => {
            let shaders =
                [assemble_growth_of_food, assemble_sum_of_food].map(|of| of(library, FoodLayout { cells: 100 }));
            shaders.into_iter().filter(|shader| shader.source.contains(text)).collect()
        }
        Some(path) if path.starts_with("shaders/perception/") => of_perception(library, path),
        Some(path) if path.starts_with("shaders/falcon/") => of_falcons(library, text),
        Some(path) if path.starts_with("shaders/volume/") => of_volume(library, text),
        _ => {
            let own_axes = file.and_then(axes_of_file);
            let worlds = SOME_EXTENTS.into_iter().filter(|world| own_axes.is_none_or(|axes| axes == world.axes()));
            worlds.map(|world| assemble_shared(library, text, &crate::text::stem(origin), world)).collect()
        }
    };
    shaders.iter().try_for_each(|shader| validate_text(origin, text, &shader.source))
}

/// The ledger's shaders around a file.
fn of_ledger(library: &Library, path: &str) -> Vec<Shader> {
    let [extents, deep] = SOME_EXTENTS;
    match path {
        "shaders/ledger/ledger.wgsl" => vec![assemble_ledger(library, extents)],
        "shaders/ledger/caught.wgsl" => {
            vec![assemble_caught(library, extents, Edges::Torus), assemble_caught(library, deep, Edges::Torus)]
        }
        "shaders/species/mixture.wgsl" => {
            SOME_EXTENTS.map(|extents| assemble_mixture(library, extents, &[[0, 1], [-1, 0]])).into()
        }
        "shaders/species/fed.wgsl" | "shaders/ledger/two_words.wgsl" => {
            SOME_EXTENTS.map(|extents| fed_alone(library, extents)).into()
        }
        "shaders/ledger/row_sums.wgsl" => [1, 3]
            .into_iter()
            .flat_map(|species| SOME_EXTENTS.map(|extents| assemble_row_sums(library, extents, species)))
            .collect(),
        _ => SOME_EXTENTS.map(|extents| assemble_column_sums(library, extents, 2)).into(),
    }
}

/// The shaders of the sums over windows around a file.
fn of_perception(library: &Library, path: &str) -> Vec<Shader> {
    let [extents, deep] = SOME_EXTENTS;
    match path {
        // Within the lattice and beyond it, where the accessors wrap in another way.
        "shaders/perception/boxes.wgsl" => [(4, Edges::Torus), (100, Edges::Torus), (4, Edges::Walls)]
            .into_iter()
            .flat_map(|(reach, edges)| {
                [(0, SumAxis::Columns), (0, SumAxis::Rows), (2, SumAxis::Columns), (2, SumAxis::Rows)]
                    .map(|(rule, axis)| assemble_boxes(library, rule, reach, axis, extents, edges))
            })
            .collect(),
        _ => [(extents, Edges::Torus), (deep, Edges::Torus), (deep, Edges::Walls)]
            .into_iter()
            .flat_map(|(world, edges)| {
                (0..world.axes()).map(move |axis| assemble_blur(library, [2, 1], axis, world, edges))
            })
            .collect(),
    }
}

/// The shaders of falcons that have a text in them.
fn of_falcons(library: &Library, text: &str) -> Vec<Shader> {
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
    shaders.filter(|shader| shader.source.contains(text)).collect()
}

/// The shaders of volumes that have a text in them.
fn of_volume(library: &Library, text: &str) -> Vec<Shader> {
    let shaders = SOME_EXTENTS.into_iter().flat_map(|extents| {
        let crowd = assemble_crowd(library, extents, |shader| {
            shader.buffer("list", "array<vec4<f32>>", false);
            shader.add("fn count_of_list() -> u32 { return arrayLength(&list); }");
            shader.add("fn one_of_list(index: u32) -> vec4<f32> { return list[index]; }");
        });
        let plane = assemble_plane(library, extents);
        assemble_volume(library, extents).into_iter().chain([assemble_line(library, extents), crowd]).chain(plane)
    });
    shaders.filter(|shader| shader.source.contains(text)).collect()
}

/// Checks a file of `shaders/points/`: the shader of the kernel in it, or those of the kernels that call it, where its text does not
/// stand first.
fn check_points(library: &Library, origin: &str, stem: &str, text: &str) -> Result<(), BadInput> {
    let config = |extents| ShaderConfig::plain(library, extents, Edges::Walls);
    for kernel in POINT_KERNELS.iter().filter(|kernel| kernel.calls(stem)) {
        for extents in SOME_EXTENTS {
            for species in [[0, 1], [2, 3]] {
                let source = kernel.assemble(config(extents), species).source;
                let first = if kernel.name == stem { text } else { &source };
                validate_text(origin, first, &source)?;
            }
        }
    }
    Ok(())
}

/// Whether a text is one that is built in and no kernel of its own: what [`check_shared`] is for.
pub fn is_shared(library: &Library, text: &str) -> bool {
    shared_file(library, text).is_some() || stem_in_points(library, text).is_some()
}

/// The stem of a file of `shaders/points/` that a step takes in; the others are kernels of the look.
fn stem_in_points(library: &Library, text: &str) -> Option<&'static str> {
    let mut files = library.folder("shaders/points").filter(|(_, own)| *own == text).map(|(stem, _)| stem);
    files.find(|stem| POINT_KERNELS.iter().any(|kernel| kernel.calls(stem)))
}

/// The path of a file of the cell system that is no kernel, by its text.
fn shared_file(library: &Library, text: &str) -> Option<&'static str> {
    const OTHERS: [&str; 35] = [
        "shaders/deposit/deposit.wgsl",
        "shaders/deposit/means.wgsl",
        "shaders/deposit/list_bodies.wgsl",
        "shaders/deposit/find.wgsl",
        "shaders/deposit/found.wgsl",
        "shaders/deposit/sum_lives.wgsl",
        "shaders/deposit/sum_places.wgsl",
        "shaders/food/grow.wgsl",
        "shaders/food/sum.wgsl",
        "shaders/food/totals.wgsl",
        "shaders/ledger/ledger.wgsl",
        "shaders/ledger/caught.wgsl",
        "shaders/species/fed.wgsl",
        "shaders/species/mixture.wgsl",
        "shaders/ledger/row_sums.wgsl",
        "shaders/ledger/column_sums.wgsl",
        "shaders/ledger/two_words.wgsl",
        "shaders/perception/boxes.wgsl",
        "shaders/perception/blur.wgsl",
        "shaders/falcon/add.wgsl",
        "shaders/falcon/among_rock.wgsl",
        "shaders/falcon/flight.wgsl",
        "shaders/falcon/open_water.wgsl",
        "shaders/falcon/see_cells.wgsl",
        "shaders/falcon/see_individuals.wgsl",
        "shaders/falcon/seen.wgsl",
        "shaders/volume/greatest.wgsl",
        "shaders/volume/light.wgsl",
        "shaders/volume/line.wgsl",
        "shaders/volume/paint.wgsl",
        "shaders/volume/plane.wgsl",
        "shaders/volume/reduce.wgsl",
        "shaders/volume/spread.wgsl",
        "shaders/volume/sweep.wgsl",
        "shaders/volume/texels.wgsl",
    ];
    let mut files = OTHERS.iter().chain(Model::Cell.table().shared).copied();
    files.find(|path| library.text(path) == Some(text))
}
