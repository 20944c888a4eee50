//! The chains and kernels compiled into the program: texts by path.

macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../", $path)))),*]
    };
}

/// Every file of `passes/` and `shaders/`.
pub const FILES: &[(&str, &str)] = files!(
    "passes/cell.toml" "passes/cell-fast.toml" "passes/paper-gather.toml"
    "passes/agents-brute.toml" "passes/agents-grid.toml" "passes/agents-octree.toml"
    "passes/glow.toml"
    "shaders/cell/advect.wgsl" "shaders/cell/alignment.wgsl" "shaders/cell/behaviour.wgsl"
    "shaders/cell/cohesion.wgsl" "shaders/cell/gather.wgsl" "shaders/cell/hunter.wgsl" "shaders/cell/jaws.wgsl"
    "shaders/cell/movement.wgsl" "shaders/cell/outflow.wgsl" "shaders/cell/separation.wgsl" "shaders/cell/steer.wgsl"
    "shaders/cell/walls.wgsl" "shaders/cell/wander.wgsl"
    "shaders/shared/lattice.wgsl" "shaders/shared/numbers.wgsl" "shaders/shared/space.wgsl" "shaders/shared/swarm.wgsl"
    "shaders/ledger/caught.wgsl" "shaders/ledger/ledger.wgsl"
    "shaders/perception/boxes.wgsl"
    "shaders/agents/account.wgsl" "shaders/agents/candidate.wgsl" "shaders/agents/count.wgsl"
    "shaders/agents/movement.wgsl" "shaders/agents/prefix.wgsl" "shaders/agents/rules.wgsl"
    "shaders/agents/scan_blocks.wgsl" "shaders/agents/scan_cells.wgsl" "shaders/agents/scatter.wgsl"
    "shaders/agents/steer_brute.wgsl" "shaders/agents/steer_grid.wgsl" "shaders/agents/sum_blocks.wgsl"
    "shaders/agents/sums.wgsl" "shaders/agents/surroundings.wgsl"
    "shaders/look/across.wgsl" "shaders/look/darts.wgsl" "shaders/look/depth.wgsl" "shaders/look/develop.wgsl"
    "shaders/look/edges.wgsl" "shaders/look/fish.wgsl" "shaders/look/gather_light.wgsl"
    "shaders/look/halo_across.wgsl" "shaders/look/halve.wgsl" "shaders/look/motes.wgsl" "shaders/look/places.wgsl"
    "shaders/look/points.wgsl" "shaders/look/radiance.wgsl" "shaders/look/shine.wgsl" "shaders/look/soften.wgsl"
    "shaders/look/swarm.wgsl" "shaders/look/widen.wgsl" "shaders/look/widest.wgsl"
);

/// The text of a file by its path, such as `shaders/cell/steer.wgsl`.
pub fn text(path: &str) -> Option<&'static str> {
    FILES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// The text of a built-in chain.
pub fn chain(name: &str) -> Option<&'static str> {
    text(&format!("passes/{name}.toml"))
}

/// The names of all built-in chains.
pub fn chains() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(path, _)| path.strip_prefix("passes/")?.strip_suffix(".toml"))
}
