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
    /// The noun for the kernels of the model in messages.
    pub noun: &'static str,
    /// The folder of the model's kernels.
    pub folder: &'static str,
    /// The other folders with kernels of the model, each with the names of these kernels, which are file names without
    /// `.wgsl`.
    pub features: &'static [(&'static str, &'static [&'static str])],
    /// The path of a chain that shows how every key is written.
    pub reference: &'static str,
    /// The row of each built-in kernel.
    pub kernels: &'static [KernelSignature],
    /// The fields that exist before the first pass.
    pub given: &'static [GivenField],
    /// The paths of the files whose functions all kernels of the model may call.
    pub shared: &'static [&'static str],
    /// The paths of files that shaders add to the kernels. No field may have the name of one of their functions.
    pub beside: &'static [&'static str],
    /// The names that the generated text of the shaders declares, separated by spaces. No field or kernel may have one
    /// of them.
    pub generated: &'static str,
    /// The kind of invocation of a pass that names no kind.
    pub invocation: Invocation,
    /// The max number of fields that a pass writes.
    pub most_writes: usize,
    /// Reads the kind of a declared field. The text is one string, or one string for each axis.
    pub parse_kind: fn(&[&str]) -> Option<FieldKind>,
    /// For messages: the noun for the kind of a field, and a text that lists all kinds.
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

    /// The name without the ending, and the text, of every file with kernels of the model.
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

/// The content of an element of a buffer of the individuals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// A word of the account (see `shaders/individuals/account.wgsl`).
    Account,
    /// A whole individual: its place, its number and its velocity.
    Individual,
    /// A vector for each individual, with as many axes as the world.
    Vector,
    /// A word for each individual.
    Number,
    /// A word for each number that a living or a past individual has had.
    GivenNumber,
    /// A word for each cell of the grid in which neighbours are searched.
    Cell,
    /// A word for each block of cells of this grid.
    Block,
    /// A box of the octree in which neighbours are searched, on the CPU only.
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
    /// The colours of a palette: a colour for each level of a quantity.
    Palette,
    /// Light or momentum in four 16-bit floats, with the extent along each axis.
    Light([Extent; 2]),
    /// The light and the density within a swarm, in a grid over the world.
    Volume,
    /// The light and the rock in the water around rock, in a grid.
    Water,
    /// A list with three sums of whole numbers for each pixel of the screen. The order of the additions does not
    /// matter.
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

/// The extent of a texture along an axis, as the number of its texels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A texel for each cell, or for each block of cells if a cell is smaller than a pixel.
    Lattice,
    /// A texel for each texel of [`Self::Lattice`] along the axis that lies on the screen, and for those beyond its
    /// edges that interpolation needs.
    View,
    /// A texel for every `part` pixels of the screen.
    Screen {
        /// The number of pixels of the screen along the axis for a texel.
        part: u32,
        /// Whether there is one more texel at each end.
        is_padded: bool,
    },
}

/// The kind of items, such as cells or pixels, for each of which a kernel runs once (has an invocation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Invocation {
    /// Each cell of the lattice.
    Cell,
    /// Each pixel of the texture that the kernel writes.
    Pixel,
    /// Each individual.
    #[serde(alias = "agent")]
    Individual,
    /// Each group of individuals, whose values the kernel adds up.
    #[serde(alias = "agentgroup")]
    IndividualGroup,
    /// Each point of a swarm. The kernel adds its values to the sums of pixels.
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
    /// The name of the field in the kernel.
    pub name: &'static str,
    /// The kind of the field.
    pub kind: FieldKind,
    /// Whether invocations write the words of the field with atomic operations.
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
    /// The name of the kernel's file and of its function.
    pub name: &'static str,
    /// The kind of items for each of which the kernel runs once.
    pub invocation: Invocation,
    /// The fields that the kernel reads, in the order of its parameters.
    pub read: &'static [Parameter],
    /// The fields that the kernel writes, in the order of its results.
    pub write: &'static [Parameter],
    /// Pairs of a field that is written and a field that is read. The first takes the memory of the second, whose
    /// content is lost.
    pub in_place: &'static [[&'static str; 2]],
    /// Cell system: the kernel in Rust.
    pub cpu: Option<BuiltInKernel>,
    /// Cell system: whether the kernel reads the cells of a sight, which a preset gives by its name.
    pub has_sight: bool,
    /// Cell system: the numbers of axes of the worlds for which the kernel is written.
    pub axes: &'static [usize],
    /// Given fields that the kernel reads and that a chain need not list, because earlier versions of the kernel did
    /// not read them.
    pub implied: &'static [&'static str],
    /// Cell system: whether control vectors, in any number, may follow the fields in `read`. The kernel weights and
    /// sums them.
    pub has_sum: bool,
    /// Cell system: the rules that the kernel computes itself, and sums before these vectors. Each rule reads the sight
    /// of its own name.
    pub rules: &'static [&'static str],
    /// Cell system: whether one invocation may compute several cells, one below the other.
    pub has_strips: bool,
    /// Cell system: whether the kernel computes the meals between species.
    pub has_meals: bool,
    /// Individuals: the method by which the steering kernel finds neighbours.
    pub search: Option<SearchKind>,
    /// Individuals: the phases of a step on the CPU that do the work of the kernel, for timings.
    pub phases: &'static [&'static str],
    /// Look: the way in which the kernel draws.
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
    /// Replaces all pixels, from any viewpoint.
    pub const PIXELS: Self = Self { viewpoint: Viewpoint::Either, blend: Blend::Replace, shape: Shape::Screen };
}

/// The view of the world from which a pass draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Viewpoint {
    /// Straight from above, on a flat world.
    Above,
    /// In perspective. Nearer things hide things behind them.
    Around,
    /// From above or in perspective.
    Either,
}

/// The way in which new pixels join the existing ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blend {
    /// New pixels replace the existing pixels.
    Replace,
    /// New pixels replace the existing pixels, and hide things behind them that are drawn later.
    Hide,
    /// New pixels are mixed with the last picture, a part of which stays as a trail.
    Trail,
    /// New pixels are added to the existing pixels.
    Add,
}

impl Blend {
    /// Whether a pass draws over pixels that an earlier pass of the frame wrote. If not, the pass writes its texture
    /// anew.
    pub fn keeps(self) -> bool {
        matches!(self, Self::Hide | Self::Add)
    }
}

/// The shape that is drawn for an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One triangle over all pixels, for all invocations.
    Screen,
    /// A square around a spot of light, with a side of a few radii of the spot.
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
