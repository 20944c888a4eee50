//! The form of the tables of kernels: what each kernel reads and writes, what it is invoked for and what it needs beside
//! its fields. Reading, checking, assembling and playing a chain depend on these rows, never on a kernel's name.

use crate::cells::BuiltInKernel;
use crate::host::library::Library;
use crate::individuals::search::SearchKind;
use crate::state::fields::Texel;

/// The axes of flat worlds.
pub const FLAT: &[usize] = &[2];
/// The axes of deep worlds.
pub const DEEP: &[usize] = &[3];
/// The axes of flat and of deep worlds.
pub const ANY_AXES: &[usize] = &[2, 3];

/// What a chain describes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Model {
    /// A step of the cell system.
    #[default]
    Cell,
    /// A step of individuals.
    Individuals,
    /// The picture of a swarm.
    Look,
}

/// What sets a model apart.
pub struct ModelTable {
    /// The name of the model in messages and chains.
    pub name: &'static str,
    /// What messages call one of its kernels.
    pub noun: &'static str,
    /// The folder of its kernels.
    pub folder: &'static str,
    /// The folders of features that have kernels of the model, and the names of these files without the ending.
    pub features: &'static [(&'static str, &'static [&'static str])],
    /// The chain that shows how every key is written.
    pub reference: &'static str,
    /// The row of each built-in kernel.
    pub kernels: &'static [KernelSignature],
    /// The fields that exist before the first pass.
    pub given: &'static [GivenField],
    /// The files whose functions all of its kernels may call, by path.
    pub shared: &'static [&'static str],
    /// The paths of files that shaders put beside the kernels. No field may have the name of one of their functions.
    pub beside: &'static [&'static str],
    /// The names of bindings, and of parameters of entries and accessors, with spaces between them.
    pub generated: &'static str,
    /// What a pass is invoked for that does not say.
    pub invocation: Invocation,
    /// The most fields that a pass writes.
    pub most_writes: usize,
    /// Reads the kind of a declared field; the text is one string, or one for each axis.
    pub parse_kind: fn(&[&str]) -> Option<FieldKind>,
    /// What a kind is called, and how it is written.
    pub kind: [&'static str; 2],
    /// Whether the fields of a pass are matched with a kernel's parameters by name; else in their order.
    pub is_matched_by_name: bool,
    /// Whether a user's kernel may have a form of its own.
    pub has_free_kernels: bool,
    /// Whether a user's kernel that is named like a built-in one has its form.
    pub has_replaced_kernels: bool,
    /// Whether passes look through sights, weigh what they write, and may be added as rules.
    pub has_rules: bool,
}

impl ModelTable {
    /// The row of a kernel.
    pub fn kernel(&self, name: &str) -> Option<&'static KernelSignature> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The given field of a name.
    pub fn given(&self, name: &str) -> Option<&'static GivenField> {
        self.given.iter().find(|field| field.name == name)
    }

    /// Where the text of a kernel stands.
    pub fn path(&self, kernel: &str) -> String {
        let feature = self.features.iter().find(|(_, stems)| stems.contains(&kernel));
        format!("{}/{kernel}.wgsl", feature.map_or(self.folder, |(folder, _)| folder))
    }

    /// Stem and text of every file of its kernels.
    pub fn files(&self, library: &Library) -> impl Iterator<Item = (&'static str, &'static str)> {
        let of_features = self.features.iter().flat_map(|(_, stems)| *stems);
        let of_features = of_features.map(|stem| (*stem, library.text(&self.path(stem)).unwrap_or_default()));
        library.folder(self.folder).chain(of_features)
    }
}

/// A field that exists without a pass that writes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenField {
    /// The name in chains.
    pub name: &'static str,
    /// What the field stores.
    pub kind: FieldKind,
    /// Who may write and read the field.
    pub role: Role,
}

/// Who may write and read a given field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Passes read and write it.
    State,
    /// Passes read it only.
    World,
    /// One pass writes it, and none reads it.
    Target,
}

/// What a field stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A word for each cell.
    Texel(Texel),
    /// A buffer of the individuals.
    Buffer(Element),
    /// A texture of the look.
    Texture(Texture),
}

impl FieldKind {
    /// Whether a kernel that expects `wanted` can take it.
    pub fn fits(self, wanted: Self) -> bool {
        match (self, wanted) {
            (Self::Texture(own), Self::Texture(wanted)) => own.is_like(wanted),
            _ => self == wanted,
        }
    }

    /// The kind as a chain's file names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Texel(texel) => texel.name(),
            Self::Buffer(element) => element.name(),
            Self::Texture(Texture::Words) => "words",
            Self::Texture(Texture::Sums) => "sums",
            Self::Texture(Texture::Volume) => "volume",
            Self::Texture(Texture::Water) => "water",
            Self::Texture(_) => "light",
        }
    }
}

/// What a buffer of the individuals has one of, and for each of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// The words of the account (see `shaders/individuals/account.wgsl`).
    Account,
    /// Each individual whole: its place, its number and its velocity.
    Individual,
    /// A vector for each individual, with as many axes as the world.
    Vector,
    /// A word for each individual.
    Number,
    /// A word for each number that individuals have or had.
    GivenNumber,
    /// A word for each cell of the search.
    Cell,
    /// A word for each block of cells.
    Block,
    /// The boxes of a tree, on the CPU only.
    Tree,
    /// A bit for each column of the world.
    Column,
}

impl Element {
    /// The elements that a chain may declare.
    pub const DECLARED: [Self; 6] = [Self::Individual, Self::Vector, Self::Number, Self::Cell, Self::Block, Self::Tree];

    /// The word for it in chains and messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Individual => "individual",
            Self::Vector => "vector",
            Self::Number => "number",
            Self::GivenNumber => "given number",
            Self::Cell => "cell",
            Self::Block => "block",
            Self::Tree => "tree",
            Self::Column => "column",
        }
    }
}

/// What a texture of the look holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texture {
    /// A word for each cell.
    Words,
    /// A colour for each level of a quantity.
    Palette,
    /// Light or momentum in four 16-bit floats; what its extent along each axis follows.
    Light([Extent; 2]),
    /// Light and density in the volume of a swarm.
    Volume,
    /// Light and rock in the water around rock.
    Water,
    /// Three sums for each pixel of the screen, in whole numbers: the order in which they are added does not matter.
    Sums,
    /// What people see.
    Target,
}

impl Texture {
    /// Whether a kernel that expects `wanted` can take it.
    fn is_like(self, wanted: Self) -> bool {
        [Self::Words, Self::Volume, Self::Water, Self::Sums].into_iter().all(|kind| (self == kind) == (wanted == kind))
    }
}

/// What the extent of a texture along an axis follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A place for each cell, or for each block of cells where a cell is smaller than a pixel.
    Lattice,
    /// The rows of places that the screen shows, and the rows above and below that are needed between them.
    View,
    /// A place for several pixels of the screen.
    Screen {
        /// Pixels of the screen along the axis for each place.
        part: u32,
        /// Whether there is one more place at either end.
        is_padded: bool,
    },
}

/// What a kernel has an invocation for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Invocation {
    /// Each cell of the lattice.
    Cell,
    /// Each pixel of the texture that it writes.
    Pixel,
    /// Each individual.
    #[serde(alias = "agent")]
    Individual,
    /// Each group of individuals, which adds them up.
    #[serde(alias = "agentgroup")]
    IndividualGroup,
    /// Each point of a swarm; it adds to sums.
    Boid,
    /// A workgroup for each block of cells.
    Block,
    /// One workgroup.
    Once,
    /// The pixels around each single boid.
    Point,
    /// The pixels along each edge of the world's box.
    Edge,
    /// The pixels of each triangle of the surface of rock.
    Rock,
    /// The pixels around each falcon.
    Falcon,
}

/// A field that a kernel reads or writes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameter {
    /// Its name in the kernel.
    pub name: &'static str,
    /// What the field stores.
    pub kind: FieldKind,
    /// Whether invocations share its words.
    pub is_atomic: bool,
}

impl Parameter {
    /// A parameter whose words are not shared.
    pub const fn new(name: &'static str, kind: FieldKind) -> Self {
        Self { name, kind, is_atomic: false }
    }

    pub(super) const fn atomic(self) -> Self {
        Self { is_atomic: true, ..self }
    }
}

/// A kernel without its text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelSignature {
    /// The name of its file and of its function.
    pub name: &'static str,
    /// What it is invoked for, unless a chain says otherwise.
    pub invocation: Invocation,
    /// The fields that it reads, in its order.
    pub read: &'static [Parameter],
    /// The fields that it writes, in its order.
    pub write: &'static [Parameter],
    /// Pairs of a field that is written and a field that is read. The first takes the memory of the second, which is lost.
    pub in_place: &'static [[&'static str; 2]],
    /// Cell system: the same kernel in Rust.
    pub cpu: Option<BuiltInKernel>,
    /// Cell system: whether it looks through a sight.
    pub has_sight: bool,
    /// Cell system: the worlds that it is written for, by their axes.
    pub axes: &'static [usize],
    /// Given fields that it reads and that a chain need not list, because earlier versions did not read them.
    pub implied: &'static [&'static str],
    /// Cell system: whether any number of control vectors may follow the fields that it reads, to be weighted and summed.
    pub has_sum: bool,
    /// Cell system: the rules that it works out itself and sums before those vectors. They look through the sights of their names.
    pub rules: &'static [&'static str],
    /// Cell system: whether an invocation may work on a strip of rows from above.
    pub has_strips: bool,
    /// Cell system: whether it works out meals.
    pub has_meals: bool,
    /// Individuals: how the kernel that steers finds neighbours.
    pub search: Option<SearchKind>,
    /// Individuals: the phases of the CPU's step that do its work.
    pub phases: &'static [&'static str],
    /// Look: how it draws.
    pub drawing: Drawing,
}

impl KernelSignature {
    /// A kernel that only reads and writes, from which the rows of the tables are made.
    pub const fn new(
        name: &'static str,
        invocation: Invocation,
        read: &'static [Parameter],
        write: &'static [Parameter],
    ) -> Self {
        Self {
            name,
            invocation,
            read,
            write,
            in_place: &[],
            cpu: None,
            has_sight: false,
            axes: ANY_AXES,
            implied: &[],
            has_sum: false,
            rules: &[],
            has_strips: false,
            has_meals: false,
            search: None,
            phases: &[],
            drawing: Drawing::PIXELS,
        }
    }

    pub(super) const fn phases(self, phases: &'static [&'static str]) -> Self {
        Self { phases, ..self }
    }

    pub(super) const fn in_place(self, in_place: &'static [[&'static str; 2]]) -> Self {
        Self { in_place, ..self }
    }
}

/// How a pass of the look draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// From where the world is seen.
    pub viewpoint: Viewpoint,
    /// How new pixels join the pixels before.
    pub blend: Blend,
    /// What is drawn.
    pub shape: Shape,
}

impl Drawing {
    /// New pixels, from wherever the world is seen.
    pub const PIXELS: Self = Self { viewpoint: Viewpoint::Either, blend: Blend::Replace, shape: Shape::Screen };
}

/// From where a pass sees the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewpoint {
    /// The world is flat and seen from straight above.
    Above,
    /// In perspective, with nearer things before those behind.
    Around,
    /// Any view, flat or in perspective.
    Either,
}

/// How what is drawn joins what is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// It replaces it.
    Replace,
    /// It replaces it and hides what is drawn behind it later.
    Hide,
    /// It replaces the part of it that leaves no trail.
    Trail,
    /// It is added.
    Add,
}

impl Blend {
    /// Whether what is there stays.
    pub fn keeps(self) -> bool {
        matches!(self, Self::Hide | Self::Add)
    }
}

/// What is drawn for an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One triangle over all pixels, for all invocations.
    Screen,
    /// A square of a few radii.
    Spot,
    /// A square whose corners the kernel places.
    Square,
    /// The same for what is too far away to have a shape.
    Mote,
    /// A body that is the plainer the smaller it appears.
    Fish,
    /// A large body.
    Shark,
    /// The surface of rock.
    Surface,
}
