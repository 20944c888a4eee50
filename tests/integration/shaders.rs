//! Every shader as it is put together at run time, without a device; and the folders against what is compiled in.

use crate::scenes::{EDGES, Scene};
use murmuration::agents::{self, gpu};
use murmuration::chain::library;
use murmuration::chain::plan::Plan;
use murmuration::kernels::BuiltInKernel;
use murmuration::look::{self, chain};
use murmuration::shader::{Dispatch, Setting, check, check_kernel, check_shared};
use murmuration::sight::Sight;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The files below a folder of the repository, by their paths in it, with their texts.
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

/// What the program has of the folder `shaders/`.
fn embedded_shaders() -> BTreeMap<String, String> {
    let kernels = library::kernel_names()
        .map(|name| (format!("shaders/cell/{name}.wgsl"), library::kernel(name).unwrap().to_string()));
    let shared = library::SHARED.iter().map(|(file, text)| (format!("shaders/shared/{file}"), text.to_string()));
    let ledgers = [("ledger", library::LEDGER), ("caught", library::CAUGHT)];
    let ledgers = ledgers.map(|(name, text)| (format!("shaders/ledger/{name}.wgsl"), text.to_string()));
    let boxes = [("shaders/perception/boxes.wgsl".to_string(), library::BOXES.to_string())];
    let look =
        chain::kernel_names().map(|name| (name, chain::kernel(name).unwrap())).chain(chain::SHARED.iter().copied());
    let look = look.map(|(name, text)| (format!("shaders/look/{name}.wgsl"), text.to_string()));
    let kernels_of_agents = gpu::KERNELS.iter().map(|kernel| (kernel.name, kernel.text()));
    let agents = kernels_of_agents.chain(gpu::PARTS.iter().copied());
    let agents = agents.map(|(name, text)| (format!("shaders/agents/{name}.wgsl"), text.to_string()));
    let space = [("shaders/shared/space.wgsl".to_string(), gpu::SPACE.to_string())];
    kernels.chain(shared).chain(ledgers).chain(boxes).chain(look).chain(agents).chain(space).collect()
}

/// Whole texts in a message would bury the one name that matters.
fn assert_same_files(found: &BTreeMap<String, String>, embedded: &BTreeMap<String, String>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), embedded.keys().collect::<Vec<_>>());
    let changed: Vec<_> = found.iter().filter(|(name, text)| embedded[*name] != **text).map(|(name, _)| name).collect();
    assert!(changed.is_empty(), "the program has other texts of {changed:?}");
}

#[test]
fn the_program_has_every_shader_of_the_folder() {
    assert_same_files(&files("shaders"), &embedded_shaders());
}

#[test]
fn the_program_has_every_chain_of_the_folder() {
    let embedded: BTreeMap<String, String> = library::chain_names()
        .map(|name| (format!("passes/{name}.toml"), library::chain(name).unwrap().to_string()))
        .chain([(chain::GLOW_ORIGIN.to_string(), chain::GLOW.to_string())])
        .chain(
            agents::chain::names()
                .map(|name| (format!("passes/{name}.toml"), agents::chain::text(name).unwrap().to_string())),
        )
        .collect();
    assert_same_files(&files("passes"), &embedded);
}

#[test]
fn every_kernel_has_a_twin_and_every_twin_a_kernel() {
    let kernels: BTreeSet<&str> = library::kernel_names().collect();
    let twins: BTreeSet<&str> = BuiltInKernel::ALL.iter().map(|twin| twin.name()).collect();
    assert!(!kernels.is_empty());
    assert_eq!(kernels, twins);
    assert_eq!(twins.len(), BuiltInKernel::ALL.len(), "two twins have one name");
    assert!(BuiltInKernel::ALL.iter().all(|twin| BuiltInKernel::named(twin.name()) == Some(*twin)));
}

#[test]
fn every_shader_of_the_folder_is_sound() {
    let mut checked = 0;
    for (path, text) in files("shaders") {
        let stem = Path::new(&path).file_stem().unwrap().to_str().unwrap();
        if path.starts_with("shaders/cell/") {
            check_kernel(&path, stem, &text).unwrap_or_else(|bad| panic!("{bad}"));
        } else if path.starts_with("shaders/agents/") || path == "shaders/shared/space.wgsl" {
            gpu::check_file(&path, stem, &text).unwrap_or_else(|bad| panic!("{bad}"));
        } else if ["shared", "ledger", "perception"]
            .iter()
            .any(|folder| path.starts_with(&format!("shaders/{folder}/")))
        {
            check_shared(&path, &text).unwrap_or_else(|bad| panic!("{bad}"));
        } else if path.starts_with("shaders/look/") {
            look::shader::check_kernel(&path, stem, &text).unwrap_or_else(|bad| panic!("{bad}"));
        } else {
            panic!("{path}: nobody tests the shaders of this folder");
        }
        checked += 1;
    }
    assert!(checked >= 14, "only {checked} shaders were checked");
}

#[test]
fn every_pass_of_every_chain_is_sound() {
    let dispatches = [[8, 8], [64, 1], [7, 3]].map(|workgroup| Dispatch::Compute { workgroup });
    let mut checked = BTreeSet::new();
    for name in library::chain_names() {
        for edges in EDGES {
            // The second is smaller than its sights, for which the accessors wrap in another way.
            let mut boxes = Scene::busy(64, 48, edges);
            boxes.rules.sights.values_mut().for_each(|sight| *sight = Sight::square(5).unwrap());
            for scene in [Scene::busy(64, 48, edges), Scene::busy(3, 2, edges), boxes] {
                let plan = Plan::new(&crate::scenes::chain(name), &scene.rules, &scene.world)
                    .unwrap_or_else(|bad| panic!("{bad}"));
                for pass in plan.phases.iter().flatten() {
                    for dispatch in dispatches.into_iter().chain([Dispatch::Fragment]) {
                        let (extents, sights) = (scene.world.extents, &scene.rules.sights);
                        let capacity = (edges == EDGES[0]).then_some(7);
                        let setting = Setting { extents, edges, sights, dispatch, capacity };
                        check(&plan, pass, setting).unwrap_or_else(|bad| panic!("{name}, {dispatch:?}: {bad}"));
                    }
                    checked.insert(plan.kernels[pass.kernel].name.clone());
                }
            }
        }
    }
    let kernels: BTreeSet<String> = library::kernel_names().map(str::to_string).collect();
    assert_eq!(checked, kernels, "these kernels are in some chain");
}

#[test]
fn a_shader_that_is_not_sound_is_refused() {
    let hunter = library::kernel("hunter").unwrap();
    let broken = hunter.replace("return Vector(0);", "return 0;");
    assert_ne!(broken, hunter);
    let bad = check_kernel("hunter.wgsl", "hunter", &broken).unwrap_err();
    assert!(bad.line.is_some(), "{bad}");
    let (file, text) = library::SHARED[0];
    assert!(check_shared(file, text).is_ok());
    assert!(check_shared(file, &text.replace("-> u32", "-> i32")).is_err());
}
