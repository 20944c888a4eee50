//! The form of the tables of kernels. The row of a kernel lists the fields that it reads and writes, its invocations
//! and its other needs. Reading, checking, assembling and playing a chain depend on these rows, never on a kernel's
//! name.

use crate::cells::BuiltInKernel;
use crate::host::library::Library;
use crate::individuals::search::SearchKind;
use crate::state::fields::Texel;

/// The numbers of axes of flat worlds.
pub const FLAT: &[usize] = &[2];
/// The numbers of axes of deep worlds.
pub const DEEP: &[usize] = &[3];
/// The numbers of axes of all worlds.
pub const ANY_AXES: &[usize] = &[2, 3];

/// The thing that a chain describes.
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

/// The properties of a model.
pub struct ModelTable {
    /// The name of the model in messages and chains.
    pub name: &'static str,
    /// The noun for its kernels in messages.
    pub noun: &'static str,
    /// The folder of its kernels.
    pub folder: &'static str,
    /// The folders of features that have kernels of the model, each with the names of these files without the ending.
    pub features: &'static [(&'static str, &'static [&'static str])],
    /// The path of a chain that shows how every key is written.
    pub reference: &'static str,
    /// The row of each built-in kernel.
    pub kernels: &'static [KernelSignature],
    /// The fields that exist before the first pass.
    pub given: &'static [GivenField],
    /// The files whose functions all of its kernels may call, by path.
    pub shared: &'static [&'static str],
    /// The paths of files that shaders add to the kernels. No field may have the name of one of their functions.
    pub beside: &'static [&'static str],
    /// The names of bindings, and of parameters of entries and accessors, separated by spaces.
    pub generated: &'static str,
    /// The invocations of a pass that names none.
    pub invocation: Invocation,
    /// The max number of fields that a pass writes.
    pub most_writes: usize,
    /// Reads the kind of a declared field. The text is one string, or one string for each axis.
    pub parse_kind: fn(&[&str]) -> Option<FieldKind>,
    /// The noun for a kind in messages, and the texts of all kinds.
    pub kind: [&'static str; 2],
    /// Whether the fields of a pass are matched with a kernel's parameters by name. If not, they are matched by order.
    pub is_matched_by_name: bool,
    /// Whether a user's kernel may have parameters of its own.
    pub has_free_kernels: bool,
    /// Whether a user's kernel with the name of a built-in kernel has the parameters of that kernel.
    pub has_replaced_kernels: bool,
    /// Whether passes look through sights, have weights, and may be added as rules.
    pub has_rules: bool,
}

impl ModelTable {
    /// The row of a kernel.
    pub fn kernel(&self, name: &str) -> Option<&'static KernelSignature> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The given field with this name.
    pub fn given(&self, name: &str) -> Option<&'static GivenField> {
        self.given.iter().find(|field| field.name == name)
    }

    /// The path of a kernel's text.
    pub fn path(&self, kernel: &str) -> String {
        let feature = self.features.iter().find(|(_, stems)| stems.contains(&kernel));
        format!("{}/{kernel}.wgsl", feature.map_or(self.folder, |(folder, _)| folder))
    }

    /// The name without the ending, and the text, of every file of its kernels.
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
    /// The kind of the field.
    pub kind: FieldKind,
    /// Who may write and read the field.
    pub role: Role,
}

/// Who may write and read a given field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Passes read and write it.
    State,
    /// Passes only read it.
    World,
    /// One pass writes it, and no pass reads it.
    Target,
}

/// The content of a field.
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
    /// Whether a kernel that expects `wanted` can take this kind.
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

/// The elements of a buffer of the individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// The words of the account (see `shaders/individuals/account.wgsl`).
    Account,
    /// A whole individual: its place, its number and its velocity.
    Individual,
    /// A vector for each individual, with as many axes as the world.
    Vector,
    /// A word for each individual.
    Number,
    /// A word for each number that living or past individuals have.
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

    /// The name of the element in chains and messages.
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

/// The content of a texture of the look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texture {
    /// A word for each cell.
    Words,
    /// A colour for each level of a quantity.
    Palette,
    /// Light or momentum in four 16-bit floats, with the extent along each axis.
    Light([Extent; 2]),
    /// Light and density in the volume of a swarm.
    Volume,
    /// Light and rock in the water around rock.
    Water,
    /// Three sums of whole numbers for each pixel of the screen. The order of the additions does not matter.
    Sums,
    /// The picture.
    Target,
}

impl Texture {
    /// Whether a kernel that expects `wanted` can take this texture. Its size may differ.
    fn is_like(self, wanted: Self) -> bool {
        [Self::Words, Self::Volume, Self::Water, Self::Sums].into_iter().all(|kind| (self == kind) == (wanted == kind))
    }
}

/// The extent of a texture along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A place for each cell, or for each block of cells if a cell is smaller than a pixel.
    Lattice,
    /// The rows of places on the screen, and the rows above and below that are needed for interpolation.
    View,
    /// A place for every `part` pixels of the screen.
    Screen {
        /// Pixels of the screen along the axis per place.
        part: u32,
        /// Whether there is one more place at each end.
        is_padded: bool,
    },
}

/// The items that a kernel has one invocation each for.
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
    /// Each group of individuals, whose values it adds up.
    #[serde(alias = "agentgroup")]
    IndividualGroup,
    /// Each point of a swarm, whose values it adds to sums.
    Boid,
    /// Each block of cells; an invocation is a workgroup.
    Block,
    /// The whole step: one workgroup.
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
    /// The kind of the field.
    pub kind: FieldKind,
    /// Whether invocations write its words with atomic operations.
    pub is_atomic: bool,
}

impl Parameter {
    /// A parameter without atomic operations.
    pub const fn new(name: &'static str, kind: FieldKind) -> Self {
        Self { name, kind, is_atomic: false }
    }

    pub(super) const fn atomic(self) -> Self {
        Self { is_atomic: true, ..self }
    }
}

/// The properties of a kernel, without its text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KernelSignature {
    /// The name of its file and of its function.
    pub name: &'static str,
    /// The items that it has one invocation each for.
    pub invocation: Invocation,
    /// The fields that it reads, in its order.
    pub read: &'static [Parameter],
    /// The fields that it writes, in its order.
    pub write: &'static [Parameter],
    /// Pairs of a field that is written and a field that is read. The first takes the memory of the second, whose
    /// content is lost.
    pub in_place: &'static [[&'static str; 2]],
    /// Cell system: the kernel in Rust.
    pub cpu: Option<BuiltInKernel>,
    /// Cell system: whether it looks through a sight.
    pub has_sight: bool,
    /// Cell system: the numbers of axes of the worlds that it is written for.
    pub axes: &'static [usize],
    /// Given fields that it reads and that a chain need not list. Earlier versions did not read them.
    pub implied: &'static [&'static str],
    /// Cell system: whether control vectors, in any number, may follow the fields that it reads. It weights and sums
    /// them.
    pub has_sum: bool,
    /// Cell system: the rules that it computes itself, and sums before these vectors. They look through the sights of
    /// their names.
    pub rules: &'static [&'static str],
    /// Cell system: whether an invocation may go down a strip of rows.
    pub has_strips: bool,
    /// Cell system: whether it computes meals.
    pub has_meals: bool,
    /// Individuals: the method by which the steering kernel finds neighbours.
    pub search: Option<SearchKind>,
    /// Individuals: the phases of a step on the CPU that do its work.
    pub phases: &'static [&'static str],
    /// Look: the way in which it draws.
    pub drawing: Drawing,
}

impl KernelSignature {
    /// A kernel without special properties. The rows of the tables are made from it.
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

/// The way in which a pass of the look draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// The view of the world.
    pub viewpoint: Viewpoint,
    /// The way in which new pixels join the existing ones.
    pub blend: Blend,
    /// The shape that is drawn.
    pub shape: Shape,
}

impl Drawing {
    /// All pixels, replaced, from any view.
    pub const PIXELS: Self = Self { viewpoint: Viewpoint::Either, blend: Blend::Replace, shape: Shape::Screen };
}

/// The view of the world from which a pass draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewpoint {
    /// Straight from above, on a flat world.
    Above,
    /// In perspective. Nearer things hide those behind them.
    Around,
    /// From above or in perspective.
    Either,
}

/// The way in which new pixels join the existing ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// They replace the existing pixels.
    Replace,
    /// They replace the existing pixels, and hide things behind them that are drawn later.
    Hide,
    /// They replace the part of the existing pixels that leaves no trail.
    Trail,
    /// They are added.
    Add,
}

impl Blend {
    /// Whether the existing pixels stay.
    pub fn keeps(self) -> bool {
        matches!(self, Self::Hide | Self::Add)
    }
}

/// The shape that is drawn for an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One triangle over all pixels, for all invocations.
    Screen,
    /// A square with a side of a few radii.
    Spot,
    /// A square whose corners the kernel places.
    Square,
    /// A square, for an object too far away to show its shape.
    Mote,
    /// A body with fewer details the smaller it appears.
    Fish,
    /// A large body.
    Shark,
    /// The surface of rock.
    Surface,
}
