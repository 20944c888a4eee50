//! Every shader as it is assembled at run time, without a device, and the folders against the compiled-in files.

use crate::species::cells::{BUSY, deep, preset};
use crate::support::scenes::{EDGES, Scene};
use crate::support::size;
use murmuration::{Overrides, Preset};
use murmuration_core::cells::BuiltInKernel;
use murmuration_core::cells::numbers::Rules;
use murmuration_core::cells::sight::Sight;
use murmuration_core::chain::look_plan::LookPlan;
use murmuration_core::chain::names::{taken, tokens};
use murmuration_core::chain::plan::Plan;
use murmuration_core::chain::table::Model;
use murmuration_core::chain::{Chain, outside_of_chains};
use murmuration_core::engine::Dispatch;
use murmuration_core::host::library::Library;
use murmuration_core::individuals::Rule;
use murmuration_core::simulation::{engine_rules, plan};
use murmuration_core::world::World;
use murmuration_gpu::shader::{Shader, ShaderConfig, assemble, check_kernel, validate_text};
use murmuration_gpu::{Subdomain, all_shaders, check_shared, look};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

fn library() -> &'static Library {
    murmuration::host().library()
}

/// The files below a folder of the repository, by their relative paths, with their texts.
fn files(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = BTreeMap::new();
    let mut waiting: Vec<PathBuf> = vec![root.join(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            let parts: Vec<_> = path.strip_prefix(root).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
            found.insert(parts.join("/"), std::fs::read_to_string(&path).unwrap());
        }
    }
    assert!(!found.is_empty(), "nothing is in {folder}");
    found
}

/// The compiled-in texts below a folder.
fn embedded(folder: &str) -> BTreeMap<String, String> {
    let paths = files(folder).into_keys();
    paths.filter_map(|path| library().text(&path).map(|text| (path.clone(), text.to_string()))).collect()
}

/// Compares the names first, because whole texts would hide the one name that matters.
fn assert_same_files(found: &BTreeMap<String, String>, embedded: &BTreeMap<String, String>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), embedded.keys().collect::<Vec<_>>());
    let changed: Vec<_> = found.iter().filter(|(name, text)| embedded[*name] != **text).map(|(name, _)| name).collect();
    assert!(changed.is_empty(), "the program has other texts of {changed:?}");
}

#[test]
fn the_program_has_every_shader_and_every_chain() {
    for folder in ["shaders", "passes"] {
        assert_same_files(&files(folder), &embedded(folder));
    }
}

/// The kernels that plans of several species add to their chains (see `species`).
const BETWEEN_SPECIES: [&str; 2] = ["alignment_with", "feed"];

/// The files that a file imports, regardless of conditions.
fn imports(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| Some(line.strip_prefix("#import \"")?.strip_suffix('"')?.to_string()))
}

#[test]
fn every_import_names_a_file() {
    let imported: BTreeSet<String> = library().texts().flat_map(|(_, text)| imports(text)).collect();
    assert!(imported.len() > 30, "{imported:?}");
    let unknown: Vec<_> = imported.iter().filter(|path| library().shader(path).is_empty()).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn every_kernel_file_has_a_row_in_its_table() {
    for model in Model::ALL {
        let table = model.table();
        let apart = outside_of_chains().filter(|_| model == Model::Individuals);
        let kernels = || table.kernels.iter().chain(apart.clone());
        let mut roots: Vec<&str> = kernels().map(|kernel| kernel.name).collect();
        if model == Model::Individuals {
            // The files of rules and rule sets, which both steering kernels import.
            roots.extend(
                Rule::ALL
                    .iter()
                    .map(|rule| rule.name())
                    .chain(["school", "flock", "reynolds", "aquarium", "couzin", "vicsek"]),
            );
        }
        let path = |name: &str| table.path(name).replace("shaders/", "").replace(".wgsl", "");
        let mut waiting: Vec<String> = roots.iter().map(|name| path(name)).collect();
        let mut parts: BTreeSet<String> = waiting.split_off(kernels().count()).into_iter().collect();
        waiting.extend(parts.iter().cloned());
        while let Some(path) = waiting.pop() {
            let new = imports(library().shader(&path)).filter(|path| parts.insert(path.clone())).collect::<Vec<_>>();
            waiting.extend(new);
        }
        let files = table.files(library()).map(|(name, _)| name);
        let rows: BTreeSet<&str> = kernels().map(|kernel| kernel.name).collect();
        // A kernel may be part of another: `alignment_with` calls the loop of `alignment`.
        let files: BTreeSet<&str> = files.filter(|name| !parts.contains(&path(name)) || rows.contains(name)).collect();
        assert_eq!(rows.len(), kernels().count(), "two kernels have one name");
        assert!(files.is_subset(&rows), "{files:?}");
        // The octree search exists only on the CPU.
        let without: Vec<&str> = rows.difference(&files).copied().collect();
        let expected: &[&str] = if model == Model::Individuals { &["jaws", "octree", "steer_octree"] } else { &[] };
        assert_eq!(without, expected);
        let host = murmuration::host();
        let chains = Chain::names(library(), model).map(|name| Chain::load(host.as_ref(), name).unwrap());
        let played: BTreeSet<String> = chains.flat_map(|chain| chain.passes).map(|pass| pass.kernel.name).collect();
        let is_played = |name: &str| {
            played.contains(name)
                || BETWEEN_SPECIES.contains(&name)
                || outside_of_chains().any(|kernel| kernel.name == name)
        };
        assert!(rows.iter().all(|name| is_played(name)), "each is in some chain: {played:?}");
    }
}

#[test]
fn every_kernel_of_cells_has_a_twin_and_every_twin_a_kernel() {
    let table = Model::Cell.table();
    let twins: BTreeSet<&str> = BuiltInKernel::ALL.iter().map(|twin| twin.name()).collect();
    assert_eq!(twins.len(), BuiltInKernel::ALL.len(), "two twins have one name");
    assert!(table.kernels.iter().all(|kernel| kernel.cpu.is_some_and(|twin| twin.name() == kernel.name)));
    assert_eq!(table.kernels.iter().map(|kernel| kernel.name).collect::<BTreeSet<_>>(), twins);
}

#[test]
fn every_word_that_wgsl_reserves_is_taken() {
    let taken = taken(library(), Model::Cell);
    for word in naga::keywords::wgsl::RESERVED {
        assert!(taken.contains(word), "{word}");
    }
}

/// The shipped shaders, by their texts: every kernel of the chains in every form, the passes around them, and the
/// kernels of `examples`.
static SHIPPED: LazyLock<BTreeMap<String, Shader>> = LazyLock::new(|| {
    let of_cells = scenes().iter().flat_map(|(plan, rules, world)| shaders_of(plan, rules, world)).collect::<Vec<_>>();
    let ink =
        Chain::load(murmuration::host().as_ref(), "examples/ink/ink.toml").and_then(|chain| LookPlan::new(&chain));
    let ink = ink.unwrap_or_else(|bad| panic!("{bad}"));
    let of_ink = ink.passes.iter().flat_map(|pass| look::shader::forms(library(), pass));
    let all = all_shaders(library()).chain(of_cells).chain(of_ink);
    all.map(|shader| (shader.source.clone(), shader)).collect()
});

/// The plans of cells: chains in worlds in which everything happens, and the presets of the program and of `examples`.
fn scenes() -> Vec<(Arc<Plan>, Rules, World)> {
    let mut all = Vec::new();
    let mut add = |name: &str, scene: &Scene| {
        let plan = Plan::new(&crate::support::scenes::chain(name), &scene.rules, &scene.world);
        let plan = plan.unwrap_or_else(|bad| panic!("{name}, {}: {bad}", scene.name));
        all.push((Arc::new(plan), scene.rules.clone(), scene.world.clone()));
    };
    for edges in EDGES {
        // The second lattice is narrower than its sights, so the accessors wrap differently.
        let mut boxes = Scene::busy(64, 48, edges);
        boxes.rules.sights.values_mut().for_each(|sight| *sight = Sight::square(5).unwrap());
        let mut contrast = Scene::busy(64, 48, edges);
        contrast.rules.sights.insert("cohesion".into(), Sight::contrast([2, 1], 2).unwrap());
        // Loops read the columns of wide sights.
        let mut wide = Scene::busy(64, 48, edges);
        wide.rules.sights.insert("cohesion".into(), Sight::disc(24 << 10).unwrap());
        for scene in [Scene::busy(64, 48, edges), Scene::busy(3, 2, edges), boxes, contrast, wide] {
            crate::support::scenes::cell_chains().for_each(|name| add(name, &scene));
        }
    }
    for seed in 0..12 {
        ["cell-deep", "cell-fast"].iter().for_each(|name| add(name, &crate::deep::gpu::random(seed)));
    }
    let host = murmuration::host();
    let names = host.library().preset_names().chain(["examples/wind/windy.toml", "examples/fountain/sharks.toml"]);
    let loaded = names.map(|name| Preset::load(host, name, &Overrides::default()));
    let species = [BUSY, &deep()].map(|text| preset(text, &[]));
    let presets = loaded.map(|preset| preset.unwrap_or_else(|wrong| panic!("{wrong}"))).chain(species);
    for preset in presets.filter(|preset| preset.individuals.is_none()) {
        let plan = preset.load_chain(None).and_then(|chain| plan(&chain, &preset, &preset.rules, &preset.world));
        let plan = plan.unwrap_or_else(|bad| panic!("{bad}"));
        all.push((plan, engine_rules(&preset, &preset.rules), preset.world.clone()));
    }
    all
}

/// The shaders of the passes of a plan, for both dispatches, with and without noise and hunters.
fn shaders_of(plan: &Plan, rules: &Rules, world: &World) -> Vec<Shader> {
    let mut shaders = Vec::new();
    // The other phase has these shaders with other buffers.
    for pass in &plan.phases[0] {
        for dispatch in [Dispatch::Compute { workgroup: [7, 3] }, Dispatch::Fragment] {
            for has_all in [false, true] {
                let config = ShaderConfig {
                    library: *library(),
                    subdomain: Subdomain::whole(world.extents),
                    edges: world.edges,
                    sights: &rules.sights,
                    dispatch,
                    capacity: has_all.then_some(7),
                    meals: &pass.meals,
                    has_noise: has_all,
                    has_hunters: has_all,
                };
                shaders.push(assemble(plan, pass, config));
            }
        }
    }
    shaders
}

#[test]
fn every_shader_is_sound() {
    for shader in SHIPPED.values() {
        validate_text(shader).unwrap_or_else(|bad| panic!("{bad}"));
    }
}

/// The shaders have every line of every file, so no form of a file is left out.
#[test]
fn every_line_of_every_file_is_in_a_shader() {
    let lines = |origin: &str, text: &str| -> BTreeSet<(String, usize)> {
        let lines =
            (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.trim().starts_with('#'));
        lines.map(|(number, _)| (origin.into(), number)).collect()
    };
    let mut missing: BTreeSet<(String, usize)> = BTreeSet::new();
    for (path, text) in library().texts().filter(|(path, _)| path.ends_with(".wgsl")) {
        missing.extend(lines(path, text));
    }
    for shader in SHIPPED.values() {
        let texts: Vec<&str> = shader.source.lines().collect();
        for (first, origin, numbers) in shader.files() {
            for (_, number) in texts[first - 1..].iter().zip(numbers).filter(|(text, _)| !text.trim().is_empty()) {
                missing.remove(&(origin.to_string(), *number));
            }
        }
    }
    assert_eq!(missing, BTreeSet::new());
}

/// Writes the shaders to the file that `MURMURATION_SHADERS` names, if any. `web/test.sh` lets a browser compile them.
/// In the small size of the test, only one of several shaders that differ only in numbers is written.
#[test]
fn the_shaders_are_written_for_a_browser() {
    let Some(path) = std::env::var_os("MURMURATION_SHADERS") else { return };
    let without_numbers = |text: &str| -> String {
        tokens(text)
            .into_iter()
            .map(|(_, token)| token.trim_start_matches(|sign: char| sign.is_ascii_digit()))
            .collect()
    };
    let form = |(text, shader): (&String, _)| (size(without_numbers(text), text.clone()), shader);
    let forms: BTreeMap<String, &Shader> = SHIPPED.iter().map(form).collect();
    let file = |(first, origin, lines)| json!({ "first": first, "origin": origin, "lines": lines });
    let all = forms.into_values().map(|shader| {
        let files: Vec<_> = shader.files().map(file).collect();
        json!({ "text": shader.source, "files": files })
    });
    std::fs::write(path, serde_json::to_vec(&all.collect::<Vec<_>>()).unwrap()).unwrap();
}

#[test]
fn a_rule_may_differ_by_the_axes_of_the_world() {
    let text = "// Mine.\nfn updraft(cell: Cell) -> Vector {\n#ifdef DEEP\n    return Vector(0, 0, 256);\n#else\n    \
                return Vector(0, -256);\n#endif\n}\n";
    check_kernel(library(), "updraft.wgsl", "updraft", text).unwrap_or_else(|bad| panic!("{bad}"));
    for (wrong, line, problem) in [
        (text.replace("#else\n", "#otherwise\n"), 5, "`#otherwise` is no directive"),
        (text.replace("DEEP", "DEPTH"), 3, "no condition is called \"DEPTH\"; the conditions are DEEP"),
        (text.replace("#endif\n", ""), 3, "a condition without an end"),
        (text.replace("// Mine.", "#import \"shared/nothing\""), 1, "no file is called \"shared/nothing\""),
        (text.replace("256", "256.0"), 6, ""),
    ] {
        let bad = check_kernel(library(), "updraft.wgsl", "updraft", &wrong).unwrap_err();
        assert_eq!((bad.origin.as_str(), bad.line), ("updraft.wgsl", Some(line)), "{bad}");
        assert!(bad.to_string().contains(problem), "{bad}");
    }
}

#[test]
fn a_shader_that_is_not_sound_is_refused() {
    let hunter = library().shader("cells/hunter");
    let broken = hunter.replace("return on_axes(control_of_hunters(place_of(cell)));", "return 0;");
    assert_ne!(broken, hunter);
    let bad = check_kernel(library(), "hunter.wgsl", "hunter", &broken).unwrap_err();
    assert!(bad.line.is_some(), "{bad}");
    let text = library().shader("shared/numbers");
    let file = "shaders/shared/numbers.wgsl";
    assert!(check_shared(library(), file, text).is_ok());
    assert!(check_shared(library(), file, &text.replace("-> u32", "-> i32")).is_err());
}
