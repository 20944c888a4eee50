//! Functions that users' kernels may call: every function of `shaders/shared/`, and random numbers from the seed of the
//! run.

use crate::species::cells::{self, begun};
use crate::support::adapter;
use crate::support::command::Folder;
use murmuration_core::chain::names;
use murmuration_core::chain::table::Model;
use murmuration_core::engine::Dispatch;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::simulation::EngineChoice;
use murmuration_core::state::Swarm;
use murmuration_gpu::individuals;
use murmuration_gpu::shader::check_kernel;

/// A call of each function in a file, with a value of the right type for each parameter. New functions are included.
fn calls(text: &'static str) -> Vec<(&'static str, String)> {
    let declared = names::declared(text).into_iter();
    let calls = declared.filter_map(|(_, function)| {
        let header = names::header(text, function).concat();
        let parameters = header.strip_prefix(function)?.strip_prefix('(')?.split_once(')').expect("it is a function").0;
        // No type of a parameter contains a comma.
        let parameters = parameters.split(',').filter(|parameter| !parameter.is_empty());
        let values = parameters.map(|parameter| format!("{}()", parameter.split_once(':').expect("it has a type").1));
        Some((function, format!("{function}({})", values.collect::<Vec<_>>().join(", "))))
    });
    calls.collect()
}

/// The path and text of each file in `shaders/shared/`, and the numbers of axes of the worlds that it is for.
fn files() -> impl Iterator<Item = (String, &'static str, &'static [usize])> {
    let files = murmuration::host().library().folder("shaders/shared");
    files.map(|(name, text)| {
        let axes: &[usize] = match name {
            "transport" => &[2],
            "deep_transport" => &[3],
            _ => &[2, 3],
        };
        (format!("shaders/shared/{name}.wgsl"), text, axes)
    })
}

#[test]
fn kernels_of_cells_may_call_every_shared_function() {
    let library = murmuration::host().library();
    let (mut called, mut refused) = (0, Vec::new());
    for (path, text, axes) in files() {
        for (function, call) in calls(text) {
            for axes_of_world in [2, 3] {
                // A vector with this number of components makes the rule valid only in that world.
                let zeros = vec!["0"; axes_of_world].join(", ");
                let kernel = format!(
                    "fn mine(cell: Cell) -> Vector {{\n    let value = {call};\n    return Vector({zeros});\n}}\n"
                );
                let checked = check_kernel(library, "mine.wgsl", "mine", &kernel);
                // Both files of transport have functions with equal names.
                let is_there = files().any(|(_, text, axes)| {
                    axes.contains(&axes_of_world) && names::declared(text).iter().any(|(_, name)| *name == function)
                });
                let is_right = match checked {
                    Ok(()) => is_there,
                    Err(_) => !axes.contains(&axes_of_world),
                };
                if !is_right {
                    refused.push(format!("{path}: {function} on {axes_of_world} axes: {checked:?}"));
                }
                called += usize::from(checked.is_ok());
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(called > 100, "only {called} calls");
}

#[test]
fn kernels_of_individuals_may_call_every_function_of_their_shared_files() {
    let library = murmuration::host().library();
    let count = library.shader("individuals/count");
    let begin = "    let i = invocation(group, groups, lane);\n";
    let (mut lines, mut shared) = (String::new(), Vec::new());
    for (path, text, _) in files().filter(|(path, ..)| Model::Individuals.table().shared.contains(&path.as_str())) {
        shared.push(path);
        for (index, (_, call)) in calls(text).into_iter().enumerate() {
            lines += &format!("    let value_{}_{index} = {call};\n", shared.len());
        }
    }
    let kernel = count.replace(begin, &format!("{lines}{begin}"));
    assert_ne!(kernel, count);
    individuals::check_file(library, "mine.wgsl", "count", &kernel).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(shared.len(), Model::Individuals.table().shared.len());
    // This page names the files.
    let page = include_str!("../../../docs/kernels.md");
    let line = page.split("- It calls any function around it").nth(1).unwrap().split("Of variables").next().unwrap();
    let is_named = |path: &String| line.contains(&format!("`{}`", path.trim_start_matches("shaders/shared/")));
    assert!(shared.iter().all(is_named), "{line}");
    assert_eq!(line.matches(".wgsl`").count(), shared.len(), "{line}");
}

/// The expression of the cell's number in the kernels below.
const FLAT: &str = "u32(cell.y * EXTENT.x + cell.x)";
const DEEP: &str = "u32((cell.z * EXTENT.y + cell.y) * EXTENT.x + cell.x)";

/// A random rule (`docs/kernels.md, Chance`) and a chain with it.
fn write_chance(folder: &Folder, number: &str, axes: usize) {
    folder.write(
        "chance.wgsl",
        format!(
            "fn chance(cell: Cell) -> Vector {{
    let word = hash(hash(parameters.seed ^ {number}) + parameters.step);
    return on_axes(Vector3(vec3<u32>(word, word >> 10u, word >> 20u) & vec3<u32>(1023u)) - 512);
}}
"
        ),
    );
    let text = format!(
        "description = 'x'\nextends = 'cell-fast'\n[[rule]]\nkernel = 'chance.wgsl'\naxes = {axes}\nweight = 0.25\n"
    );
    folder.write("chance.toml", text);
}

/// The hash after some steps. The start has the seed 1, and the run has another seed.
fn played(preset: &str, seed: u64, chain: &str, choice: EngineChoice) -> String {
    let loaded = |seed| {
        let overrides = Overrides { seed: Some(seed), ..Overrides::default() };
        Preset::load(murmuration::host(), preset, &overrides).unwrap_or_else(|failure| panic!("{failure}"))
    };
    let start: Swarm = begun(loaded(1), chain, choice).swarm().unwrap();
    let mut simulation = begun(loaded(seed), chain, choice);
    simulation.put_back(&start).unwrap();
    simulation.advance(5).unwrap();
    assert_eq!(simulation.account().unwrap().lost, 0, "{preset}");
    simulation.state_hash().unwrap()
}

const COMPUTE: EngineChoice = EngineChoice::Gpu(Dispatch::Compute { workgroup: [8, 8] });
const FRAGMENT: EngineChoice = EngineChoice::Gpu(Dispatch::Fragment);

/// The starts are equal, so that two seeds differ only in the draws of kernels. The upper half of a seed counts too.
#[test]
fn chance_in_a_kernel_of_cells_follows_the_seed_of_the_run() {
    if adapter::shared("chance in users' kernels").is_none() {
        return;
    }
    let seeds = [1, 2, 1 << 32 | 1];
    for (size, number, axes) in [("[24, 17]", FLAT, 2), ("[13, 9, 7]", DEEP, 3)] {
        let folder = Folder::new();
        let sights = "[sight]\ncohesion = { box = 2 }\nseparation = { box = 1 }\nalignment = { box = 1 }\n";
        let text = format!("description = 'x'\n[world]\nsize = {size}\n[start]\nboids = 90\n{sights}");
        folder.write("p.toml", text);
        write_chance(&folder, number, axes);
        let [preset, chain] = ["p.toml", "chance.toml"].map(|name| folder.join(name).to_str().unwrap().to_string());
        let calm = seeds.map(|seed| played(&preset, seed, "cell-fast", COMPUTE));
        assert!(calm.iter().all(|hash| *hash == calm[0]), "{axes} axes: no built-in kernel draws");
        let by_chance = seeds.map(|seed| played(&preset, seed, &chain, COMPUTE));
        for (index, hash) in by_chance.iter().enumerate() {
            assert!(!by_chance[..index].contains(hash) && *hash != calm[0], "{axes} axes: {by_chance:?}");
            assert_eq!(played(&preset, seeds[index], &chain, FRAGMENT), *hash, "{axes} axes, fragment");
        }
    }
}

/// Each species draws by its own seed, which depends on the seed of the run.
#[test]
fn chance_among_species_follows_the_seed_of_each() {
    if adapter::shared("chance among species").is_none() {
        return;
    }
    let folder = Folder::new();
    folder.write("p.toml", cells::BUSY);
    write_chance(&folder, FLAT, 2);
    let [preset, chain] = ["p.toml", "chance.toml"].map(|name| folder.join(name).to_str().unwrap().to_string());
    let hashes = [1, 2].map(|seed| played(&preset, seed, &chain, COMPUTE));
    assert_ne!(hashes[0], hashes[1]);
    let other = cells::BUSY.replacen("seed = 11", "seed = 12", 1);
    folder.write("p.toml", &other);
    let with_other = played(&preset, 1, &chain, COMPUTE);
    assert_ne!(with_other, hashes[0]);
}

#[test]
fn chance_in_a_kernel_of_individuals_follows_the_seed_of_the_run() {
    if adapter::shared("chance in kernels of individuals").is_none() {
        return;
    }
    let library = murmuration::host().library();
    let folder = Folder::new();
    let chain = library.chain("agents-grid").unwrap();
    folder.write("chance.toml", chain.replace("kernel = \"steer_grid\"", "kernel = \"steer_grid.wgsl\""));
    let velocity = "deep(flat(own.velocity));\n";
    let text = library.shader("individuals/steer_grid");
    assert_eq!(text.matches(velocity).count(), 1);
    let drawn = "    let word = hash(hash(parameters.seed ^ own.number) + parameters.step);\n";
    let jostled = "deep(flat(own.velocity)) + Vector3(i32(word & 63u) - 32, 0, 0);\n";
    let text =
        text.replace("    // In a flat world the compiler", &format!("{drawn}    // In a flat world the compiler"));
    folder.write("steer_grid.wgsl", text.replace(velocity, jostled));
    let chain = folder.join("chance.toml").to_str().unwrap().to_string();
    let seeds = [1, 2];
    let calm = seeds.map(|seed| played("school", seed, "agents-grid", COMPUTE));
    assert_eq!(calm[0], calm[1]);
    let by_chance = seeds.map(|seed| played("school", seed, &chain, COMPUTE));
    assert!(by_chance[0] != by_chance[1] && by_chance[0] != calm[0], "{by_chance:?}");
    assert_eq!(played("school", 1, &chain, COMPUTE), by_chance[0]);
}
