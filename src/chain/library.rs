//! The chains and kernels compiled into the program.

macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../", $folder, "/", $name)))),*]
    };
}

const CHAINS: &[(&str, &str)] = files!("passes": "cell.toml" "cell-fast.toml" "paper-gather.toml");

const KERNELS: &[(&str, &str)] = files!("shaders/cell":
    "advect.wgsl" "alignment.wgsl" "behaviour.wgsl" "cohesion.wgsl" "gather.wgsl" "hunter.wgsl" "jaws.wgsl" "movement.wgsl"
    "outflow.wgsl" "separation.wgsl" "steer.wgsl" "walls.wgsl" "wander.wgsl");

/// What every kernel may call, by file name.
pub const SHARED: &[(&str, &str)] = files!("shaders/shared": "numbers.wgsl" "lattice.wgsl" "surroundings.wgsl" "swarm.wgsl");

/// The ledger's kernels, which are no lattice kernels: the sums of the density, of the whole lattice and of the boids
/// that are caught.
pub const LEDGER: &str = include_str!("../../shaders/ledger/ledger.wgsl");
pub const CAUGHT: &str = include_str!("../../shaders/ledger/caught.wgsl");

/// What sums over boxes before `behaviour` looks at them.
pub const BOXES: &str = include_str!("../../shaders/perception/boxes.wgsl");

/// The names of the built-in chains.
pub fn chain_names() -> impl Iterator<Item = &'static str> {
    CHAINS.iter().map(|(file, _)| stem(file))
}

/// The text of a built-in chain.
pub fn chain(name: &str) -> Option<&'static str> {
    CHAINS.iter().find(|(file, _)| stem(file) == name).map(|(_, text)| *text)
}

/// The names of the built-in kernels.
pub fn kernel_names() -> impl Iterator<Item = &'static str> {
    KERNELS.iter().map(|(file, _)| stem(file))
}

/// The text of a built-in kernel.
pub fn kernel(name: &str) -> Option<&'static str> {
    KERNELS.iter().find(|(file, _)| stem(file) == name).map(|(_, text)| *text)
}

fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
