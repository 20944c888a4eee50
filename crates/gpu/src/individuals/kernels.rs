//! The kernels of the agents as data: what each reads and writes, and what it runs for. They are no lattice kernels: each
//! is a whole compute shader, put together by [`super::shader`].

use crate::agents::search::SearchKind;
use crate::library::Library;

/// The files of `shaders/agents/` that kernels may call.
pub const PARTS: &[&str] = &["account", "prefix", "candidate", "sums", "rules", "surroundings", "movement"];

/// A buffer of the agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Buffer {
    /// The account of the agents (see `shaders/agents/account.wgsl`).
    Account,
    /// Place and number of each agent between two steps.
    BegunPlaces,
    BegunVelocities,
    /// The same within a step, in the order of the search.
    SortedPlaces,
    SortedVelocities,
    /// What neighbours read, in the same order.
    Candidates,
    /// Which of the agents in its cell an agent is.
    Ranks,
    /// For each cell the number of its agents, and then the first of them.
    Cells,
    /// The same for blocks of cells.
    Blocks,
    /// A bit for each column.
    Solids,
}

impl Buffer {
    pub const ALL: [Self; 10] = [
        Self::Account,
        Self::BegunPlaces,
        Self::BegunVelocities,
        Self::SortedPlaces,
        Self::SortedVelocities,
        Self::Candidates,
        Self::Ranks,
        Self::Cells,
        Self::Blocks,
        Self::Solids,
    ];

    /// Its binding in every kernel; 0 is that of the parameters.
    pub fn binding(self) -> u32 {
        self as u32 + 1
    }
}

/// How a kernel uses a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    pub buffer: Buffer,
    /// Its name in the kernel, and its type.
    pub name: &'static str,
    pub kind: &'static str,
    pub is_written: bool,
}

const fn read(buffer: Buffer, name: &'static str, kind: &'static str) -> Use {
    Use { buffer, name, kind, is_written: false }
}

const fn write(buffer: Buffer, name: &'static str, kind: &'static str) -> Use {
    Use { buffer, name, kind, is_written: true }
}

/// What a kernel has an invocation for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Each {
    Agent,
    /// A workgroup for each block of cells.
    Block,
    /// One workgroup for all blocks.
    Once,
}

/// A kernel without its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kernel {
    /// The name of its file and of its entry point.
    pub name: &'static str,
    pub each: Each,
    /// Whether it reads the numbers of the step.
    pub has_parameters: bool,
    /// What it calls, by the names in [`PARTS`].
    pub parts: &'static [&'static str],
    /// At most eight, which is what WebGPU promises.
    pub uses: &'static [Use],
}

/// The parts of both kernels that steer.
const STEERS: &[&str] = &["account", "candidate", "sums", "rules", "surroundings", "movement"];

/// The most cells of a block for each invocation.
pub const CELLS_EACH: u32 = 16;

pub const KERNELS: &[Kernel] = &[
    Kernel {
        name: "count",
        each: Each::Agent,
        has_parameters: true,
        parts: &["account", "surroundings"],
        uses: &[
            write(Buffer::Account, "account", "array<atomic<u32>, 5>"),
            read(Buffer::BegunPlaces, "begun_places", "array<vec4<i32>>"),
            write(Buffer::Ranks, "ranks", "array<u32>"),
            write(Buffer::Cells, "counts", "array<atomic<u32>>"),
        ],
    },
    Kernel {
        name: "sum_blocks",
        each: Each::Block,
        has_parameters: false,
        parts: &[],
        uses: &[read(Buffer::Cells, "starts", "array<u32>"), write(Buffer::Blocks, "blocks", "array<u32>")],
    },
    Kernel {
        name: "scan_blocks",
        each: Each::Once,
        has_parameters: false,
        parts: &["account", "prefix"],
        uses: &[write(Buffer::Account, "account", "array<u32, 5>"), write(Buffer::Blocks, "blocks", "array<u32>")],
    },
    Kernel {
        name: "scan_cells",
        each: Each::Block,
        has_parameters: false,
        parts: &["prefix"],
        uses: &[write(Buffer::Cells, "starts", "array<u32>"), read(Buffer::Blocks, "blocks", "array<u32>")],
    },
    Kernel {
        name: "scatter",
        each: Each::Agent,
        has_parameters: false,
        parts: &["account", "candidate"],
        uses: &[
            read(Buffer::Account, "account", "array<u32, 5>"),
            read(Buffer::BegunPlaces, "begun_places", "array<vec4<i32>>"),
            read(Buffer::BegunVelocities, "begun_velocities", "array<Offset>"),
            read(Buffer::Ranks, "ranks", "array<u32>"),
            read(Buffer::Cells, "starts", "array<u32>"),
            write(Buffer::SortedPlaces, "sorted_places", "array<vec4<i32>>"),
            write(Buffer::SortedVelocities, "sorted_velocities", "array<Offset>"),
            write(Buffer::Candidates, "candidates", "array<Offset>"),
        ],
    },
    Kernel {
        name: "steer_grid",
        each: Each::Agent,
        has_parameters: true,
        parts: STEERS,
        uses: &[
            read(Buffer::Account, "account", "array<u32, 5>"),
            read(Buffer::Cells, "starts", "array<u32>"),
            read(Buffer::SortedPlaces, "sorted_places", "array<vec4<i32>>"),
            read(Buffer::SortedVelocities, "sorted_velocities", "array<Offset>"),
            read(Buffer::Candidates, "candidates", "array<Offset>"),
            write(Buffer::BegunPlaces, "begun_places", "array<vec4<i32>>"),
            write(Buffer::BegunVelocities, "begun_velocities", "array<Offset>"),
            read(Buffer::Solids, "solids", "array<u32>"),
        ],
    },
    Kernel {
        name: "steer_brute",
        each: Each::Agent,
        has_parameters: true,
        parts: STEERS,
        uses: &[
            read(Buffer::Account, "account", "array<u32, 5>"),
            read(Buffer::SortedPlaces, "sorted_places", "array<vec4<i32>>"),
            read(Buffer::SortedVelocities, "sorted_velocities", "array<Offset>"),
            write(Buffer::BegunPlaces, "begun_places", "array<vec4<i32>>"),
            write(Buffer::BegunVelocities, "begun_velocities", "array<Offset>"),
            read(Buffer::Solids, "solids", "array<u32>"),
        ],
    },
];

impl Kernel {
    /// The kernel of a name.
    pub fn named(name: &str) -> Option<&'static Self> {
        KERNELS.iter().find(|kernel| kernel.name == name)
    }

    /// Its text.
    pub fn text(&self, library: &Library) -> &'static str {
        part(library, self.name)
    }
}

/// The kernels of a step, in order; `None` for a search that runs on the CPU only.
///
/// Brute force is the grid with a single cell: what the counting does there is to close the ranks behind those that are
/// caught.
pub fn of_search(search: SearchKind) -> Option<Vec<&'static Kernel>> {
    crate::agents::chain::kernels(search).iter().map(|name| Kernel::named(name)).collect()
}

/// The text of a file of `shaders/agents/`.
pub fn part(library: &Library, name: &str) -> &'static str {
    library.shader(&format!("agents/{name}"))
}

/// The exact vectors with three axes.
pub fn space(library: &Library) -> &'static str {
    library.shader("shared/space")
}
