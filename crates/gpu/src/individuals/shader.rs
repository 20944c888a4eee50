//! Whole shaders around the kernels of individuals: the constants of the world and of the rules, and the buffers.

use crate::FEATURES;
use crate::device::DeviceFeature;
use crate::shader::workgroups::spread;
use crate::shader::{ACCOUNT_WORDS, Definitions, Row, Shader, stem_of};
use murmuration_core::chain::individuals_plan::LOOKUP;
use murmuration_core::chain::table::{Element, FieldKind, Invocation, KernelSignature, Model, Parameter};
use murmuration_core::host::library::Library;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::individuals::search::grid::{CELLS_PER_RADIUS, Layout};
use murmuration_core::individuals::{Rule, RuleSet, Setup};
use murmuration_core::lives::rebirth::PARENTS;
use murmuration_core::numbers::Vector3;
use murmuration_core::terrain::rays::{RayNumbers, Rays};
use murmuration_core::world::Space;
use std::fmt::Display;
use std::iter;

/// Buffers that only some worlds have. Each row has the file that uses the buffer, the condition of the world, the name
/// and the type of the buffer, and whether the file writes the buffer.
const WORLD_BUFFERS: [(&str, &str, &str, &str, bool); 2] = [
    ("lives/lookup", HAS_LIVES, LOOKUP, "array<u32>", true),
    ("lives/parents", HAS_LIVES, LOOKUP, "array<u32>", false),
];
const HAS_LIVES: &str = "HAS_LIVES";
/// The number of bins that an invocation scans. A bin has the number of individuals in a search cell. A block of bins
/// has this number for each invocation of a workgroup.
const CELLS_EACH: u32 = 16;
/// The number of individuals that an invocation of a summing kernel adds up, to save atomic additions.
const INDIVIDUALS_EACH: u32 = 16;

/// The parameters of the shaders of individuals.
#[derive(Debug, Clone)]
pub struct KernelConfig {
    pub setup: Setup,
    /// The cells of the search for neighbours.
    pub layout: Layout,
    /// The number of invocations of a workgroup.
    pub workgroup: u32,
}

impl KernelConfig {
    /// The parameters of an engine's kernels. `individuals`: the maximum number of individuals. `workgroup`: the number
    /// of invocations of a workgroup.
    pub fn new(setup: &Setup, individuals: usize, workgroup: u32) -> Self {
        Self { setup: setup.clone(), layout: Layout::ONE, workgroup }.with_layout_for(individuals)
    }

    pub fn space(&self) -> &Space {
        &self.setup.habitat.space
    }

    /// Sets the search for this number of individuals. Narrow cells leave fewer candidates, but a step also visits all
    /// cells. So cells are narrow only if their number is at most the number of individuals.
    pub fn with_layout_for(self, individuals: usize) -> Self {
        let layout_of = |cells_per_radius| Layout::new(self.space(), self.setup.units(), cells_per_radius);
        let has_few_cells = |layout: &Layout| layout.count() * self.setup.species.len() <= individuals;
        let layout = match self.setup.search {
            SearchKind::Brute => Layout::ONE,
            _ => [CELLS_PER_RADIUS, CELLS_PER_RADIUS / 2]
                .map(layout_of)
                .into_iter()
                .find(has_few_cells)
                .unwrap_or_else(|| layout_of(1)),
        };
        Self { layout, ..self }
    }

    /// The number of search cells of all species, plus the bin after the last cell.
    pub fn bins(&self) -> u32 {
        (self.layout.count() * self.setup.species.len()) as u32 + 1
    }

    /// The number of bins in a block.
    pub fn block(&self) -> u32 {
        self.workgroup * CELLS_EACH
    }

    pub fn blocks(&self) -> u32 {
        self.bins().div_ceil(self.block())
    }

    /// The workgroups of a kernel over this number of individuals, or over the blocks of the search.
    pub fn workgroups(&self, invocation: Invocation, individuals: u32) -> [u32; 3] {
        spread(match invocation {
            Invocation::Block => self.blocks(),
            Invocation::Once => 1,
            Invocation::IndividualGroup => individuals.div_ceil(self.workgroup * INDIVIDUALS_EACH),
            _ => individuals.div_ceil(self.workgroup),
        })
    }

    /// The conditions that the files of kernels may use, and the rows of their lists of rules.
    pub fn definitions(&self) -> Definitions {
        let [world, seeing] = [false, true].map(|sees| rules(self).filter(move |rule| rule.sees_neighbours() == sees));
        let (setup, row) = (&self.setup, |rule| row(self, rule));
        let own = [
            (HAS_LIVES, setup.has_lives),
            ("HAS_MEETINGS", setup.species.len() > 1),
            ("HAS_SELECTION", setup.has_selection()),
            ("HAS_NOISE", setup.has_noise() || setup.set.has_constant_speed()),
            ("LIMITS_TURNS", setup.set.limits_turns()),
            ("IS_SWEPT", setup.habitat.is_swept()),
            ("DEEP", self.space().axes() == 3),
        ];
        let of_features = FEATURES.iter().map(|row| (row.condition, setup.features.named(row.name).is_some()));
        let row = Row::default().with("RULES", seeing.map(row)).with("WORLD_RULES", world.map(row));
        Definitions { conditions: own.into_iter().chain(of_features).collect(), row }
    }

    /// The size of a vector in an array, in bytes. The vector has a component for each axis of the world.
    pub fn vector_bytes(&self) -> u64 {
        if self.space().axes() == 2 { 8 } else { 16 }
    }
}

/// The whole shader of a kernel with this text. Errors name the text `origin`.
pub fn assemble(
    library: &Library,
    signature: &KernelSignature,
    [origin, text]: [&str; 2],
    config: &KernelConfig,
) -> Shader {
    let path = Model::Individuals.table().path(signature.name);
    let mut shader = Shader::from_text(library, stem_of(&path), origin, text, config.definitions());
    if signature.search.is_some() {
        for file in iter::once(set_file(config.setup.set)).chain(rules(config).map(Rule::name)) {
            shader.import(library, stem_of(&Model::Individuals.table().path(file)));
        }
    }
    let is_replaced = |name: &str| signature.in_place.iter().any(|[_, gone]| *gone == name);
    for parameter in signature.read.iter().filter(|parameter| !is_replaced(parameter.name)) {
        shader.buffer(parameter.name, kind(parameter), false);
    }
    for parameter in signature.write {
        shader.buffer(parameter.name, kind(parameter), true);
    }
    let of_feature = |row: &'static DeviceFeature| {
        row.files.iter().map(|(file, kind, is_written)| (*file, row.condition, row.name, *kind, *is_written))
    };
    let of_features = FEATURES.iter().flat_map(|row| of_feature(row));
    for (file, condition, name, kind, is_written) in WORLD_BUFFERS.into_iter().chain(of_features) {
        if shader.has(file) && config.definitions().conditions.contains(&(condition, true)) {
            shader.buffer(name, kind, is_written);
        }
    }
    declare(&mut shader, library, config);
    shader.import(library, "individuals/axes");
    shader.import_shared(library, Model::Individuals, config.space().axes());
    shader
}

fn set_file(set: RuleSet) -> &'static str {
    match set {
        RuleSet::School => "school",
        RuleSet::Flock | RuleSet::HalfFlock => "flock",
        RuleSet::Reynolds => "reynolds",
        RuleSet::Aquarium => "aquarium",
        RuleSet::Couzin => "couzin",
        RuleSet::Vicsek => "vicsek",
    }
}

/// The suffix of the names of a set's rule functions: the quantity that the rules return.
fn form_of(set: RuleSet) -> &'static str {
    match set {
        RuleSet::Reynolds | RuleSet::Vicsek => "control",
        RuleSet::Aquarium => "heading",
        _ => "direction",
    }
}

/// The rules of a set. Without rays the set has no avoidance.
fn rules(config: &KernelConfig) -> impl Iterator<Item = Rule> {
    let has_rays = config.setup.habitat.rays.is_some();
    config.setup.set.rules().filter(move |rule| has_rays || *rule != Rule::Avoidance)
}

/// A rule's row in the lists of `shaders/individuals/rules.wgsl`.
fn row(KernelConfig { setup, .. }: &KernelConfig, rule: Rule) -> Row {
    let (name, index) = (rule.name(), rule as usize);
    if !rule.sees_neighbours() {
        return Row::new([("name", &name), ("index", &index)]);
    }
    let (set, units) = (setup.set, setup.units());
    let (sight, radius, form) = (units.thresholds[rule], units.radii[rule], form_of(set));
    let texts: [(_, &dyn Display); 5] =
        [("name", &name), ("index", &index), ("sight", &sight), ("radius", &radius), ("form", &form)];
    Row::new(texts).with("inside", set.zones_inside(rule).iter().map(|zone| Row::new([("name", &zone.name())])))
}

/// The type of a kernel's buffer.
fn kind(parameter: &Parameter) -> String {
    let word = if parameter.is_atomic { "atomic<u32>" } else { "u32" };
    match parameter.kind {
        FieldKind::Buffer(Element::Account) => format!("array<{word}, {ACCOUNT_WORDS}>"),
        FieldKind::Buffer(Element::Individual) => "array<Individual>".into(),
        FieldKind::Buffer(Element::Vector) => "array<Offset>".into(),
        _ => format!("array<{word}>"),
    }
}

/// Declares the constants of the world, the rules and the units.
fn declare(shader: &mut Shader, library: &Library, config: &KernelConfig) {
    let (KernelConfig { setup, layout, .. }, space) = (config, config.space());
    let (Setup { set, species, has_lives, features, habitat, .. }, units, axes) = (setup, setup.units(), space.axes());
    let meetings = species.iter().map(|own| own.meetings.len()).max().unwrap_or(0);
    let nearest = species.iter().map(|own| own.units.selection.nearest).max().unwrap_or(0);
    shader.world(space.extents(), space.ends(), space.edges);
    shader.individual_parameters();
    let parents = PARENTS[usize::from(species.len() > 1)];
    FEATURES.iter().for_each(|row| (row.declare)(shader, features.named(row.name).map(|feature| &**feature)));
    shader.import(library, "individuals/individual");
    let own_species = if species.len() > 1 { "var<private> own_species: u32;" } else { "const own_species: u32 = 0u;" };
    shader.add(own_species);
    shader.add(format!(
        "alias Offset = vec{axes}<i32>;\nalias UnsignedOffset = vec{axes}<u32>;\nalias FlatBool = vec{axes}<bool>;"
    ));
    if setup.has_selection() {
        shader.add(selection_variables(nearest.max(1)));
    }
    let vector = |v: Vector3| format!("Vector3({}, {}, {})", v[0], v[1], v[2]);
    let repeats: Vec<String> = layout.has_repeats(space)[..axes].iter().map(bool::to_string).collect();
    let constants: [(&str, &str, &dyn Display); 31] = [
        ("SPECIES", "u32", &species.len()),
        ("MEETINGS", "u32", &meetings),
        ("MAX_NEAREST", "u32", &nearest),
        ("PARENTS", "u32", &parents),
        ("CELL_COUNT", "u32", &layout.count()),
        ("EXTENTS", "Vector3", &vector(space.extents.map(|extent| extent as i32))),
        ("UNIT_EXTENTS", "Vector3", &vector(units.extents(space))),
        ("CELLS", "Vector3", &vector(layout.cells.map(|cells| cells as i32))),
        ("AROUND", "Vector3", &vector(layout.around.map(|cells| cells as i32))),
        ("REPEATS", "FlatBool", &format!("FlatBool({})", repeats.join(", "))),
        ("AXES", "i32", &axes),
        ("REACH", "i32", &units.reach),
        ("RESOLUTION", "i32", &units.resolution),
        ("UNITS_IN_CELL", "i32", &units.cell()),
        ("COARSE", "i32", &units.coarseness()),
        ("WORKGROUP", "u32", &config.workgroup),
        ("CELLS_EACH", "u32", &CELLS_EACH),
        ("INDIVIDUALS_EACH", "u32", &INDIVIDUALS_EACH),
        ("BINS", "u32", &config.bins()),
        ("BLOCK", "u32", &config.block()),
        ("BLOCKS", "u32", &config.blocks()),
        ("PLACE_UNIT", "u32", &units.place),
        ("VELOCITY_UNIT", "u32", &units.velocity),
        ("IS_SCHOOL", "bool", &(*set == RuleSet::School)),
        ("SEES_HALF", "bool", &set.sees_half()),
        ("HAS_ZONES", "bool", &set.has_zones()),
        ("IS_OF_CELLS", "bool", &set.is_of_cells()),
        ("HAS_CONSTANT_SPEED", "bool", &set.has_constant_speed()),
        ("HAS_LIVES", "bool", has_lives),
        ("HAS_SOLIDS", "bool", &!habitat.solids.is_empty()),
        ("IS_FAR", "bool", &layout.is_far(space, units)),
    ];
    for (name, kind, value) in constants {
        shader.constant(name, kind, value);
    }
    if let Some(rays) = &habitat.rays {
        declare_rays(shader, rays, space.deep_extents().cells().div_ceil(4));
    }
}

/// The variables of an individual that selects its neighbours, with room for the `most` nearest neighbours.
fn selection_variables(most: u32) -> String {
    format!(
        "var<private> own_number: u32;\nvar<private> own_heading: Offset;\nvar<private> own_view: i32;\n\
         var<private> own_repulsion_view: i32;\n\
         var<private> squares: array<i32, {most}>;\nvar<private> numbers: array<u32, {most}>;\n\
         var<private> indices: array<u32, {most}>;"
    )
}

/// Declares the constants of avoidance. `first`: the word of `solids` at which the directions of the rays begin.
fn declare_rays(shader: &mut Shader, rays: &Rays, first: usize) {
    let RayNumbers { reach, clearance, growth, .. } = rays.numbers;
    let numbers = [("RAYS", rays.directions.len() as i32), ("ALWAYS", rays.always as i32), ("RAY_REACH", reach)];
    for (name, value) in numbers.into_iter().chain([("CLEARANCE", clearance), ("GROWTH", growth)]) {
        shader.constant(name, "i32", value);
    }
    shader.constant("RAYS_AT", "u32", first);
}
