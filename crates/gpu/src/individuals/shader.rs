//! Whole shaders around the kernels of individuals: the numbers of the world and of the rules, as constants, and the buffers.

use crate::FEATURES;
use crate::parts::FeatureRow;
use crate::shader::workgroups::spread;
use crate::shader::{ACCOUNT_WORDS, Conditions, Shader, individual_wgsl, stem_of};
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
use std::fmt::{Display, Write};

/// The buffers of files that not every world has: the file, the condition, the buffer's name and type, and whether it is written.
const WORLD_BUFFERS: [(&str, &str, &str, &str, bool); 2] = [
    ("lives/lookup", HAS_LIVES, LOOKUP, "array<u32>", true),
    ("lives/parents", HAS_LIVES, LOOKUP, "array<u32>", false),
];
/// The condition of the files.
const HAS_LIVES: &str = "HAS_LIVES";
/// The most cells of a block for each invocation.
const CELLS_EACH: u32 = 16;
/// The individuals of an invocation of a kernel that adds them up: so many fewer atomic additions.
const INDIVIDUALS_EACH: u32 = 16;

/// What the shaders of individuals depend on.
#[derive(Debug, Clone)]
pub struct KernelConfig {
    pub setup: Setup,
    pub layout: Layout,
    /// Invocations of a workgroup.
    pub workgroup: u32,
}

impl KernelConfig {
    /// What the kernels of an engine depend on. `individuals`: how many there is room for. `workgroup`: the invocations of a workgroup.
    pub fn new(setup: &Setup, individuals: usize, workgroup: u32) -> Self {
        Self { setup: setup.clone(), layout: Layout::ONE, workgroup }.with_layout_for(individuals)
    }

    pub fn space(&self) -> &Space {
        &self.setup.habitat.space
    }

    /// The same with a search for this number of individuals. Narrow cells leave fewer candidates. But a step also goes through all cells. So
    /// cells are narrow only if there are no more of them than individuals.
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

    /// Cells of the search for each species, and the bin after the last one.
    pub fn bins(&self) -> u32 {
        (self.layout.count() * self.setup.species.len()) as u32 + 1
    }

    /// Bins of a block.
    pub fn block(&self) -> u32 {
        self.workgroup * CELLS_EACH
    }

    pub fn blocks(&self) -> u32 {
        self.bins().div_ceil(self.block())
    }

    /// Workgroups of a kernel over so many individuals, or over the blocks of the search.
    pub fn workgroups(&self, invocation: Invocation, individuals: u32) -> [u32; 3] {
        spread(match invocation {
            Invocation::Block => self.blocks(),
            Invocation::Once => 1,
            Invocation::IndividualGroup => individuals.div_ceil(self.workgroup * INDIVIDUALS_EACH),
            _ => individuals.div_ceil(self.workgroup),
        })
    }

    /// What the files of kernels may ask for.
    pub fn conditions(&self) -> Conditions {
        let setup = &self.setup;
        let own = [
            (HAS_LIVES, setup.has_lives),
            ("HAS_MEETINGS", setup.species.len() > 1),
            ("HAS_SELECTION", setup.has_selection()),
            ("HAS_NOISE", setup.has_noise() || setup.set.has_constant_speed()),
            ("IS_SWEPT", setup.habitat.is_swept()),
            ("DEEP", self.space().axes() == 3),
        ];
        let of_features = FEATURES.iter().map(|row| (row.condition, setup.features.named(row.name).is_some()));
        own.into_iter().chain(of_features).collect()
    }

    /// Bytes of a vector with as many axes as the world, in an array.
    pub fn vector_bytes(&self) -> u64 {
        if self.space().axes() == 2 { 8 } else { 16 }
    }
}

/// The whole shader of a kernel with this text, which `origin` names in errors.
pub fn assemble(
    library: &Library,
    signature: &KernelSignature,
    [origin, text]: [&str; 2],
    config: &KernelConfig,
) -> Shader {
    let path = Model::Individuals.table().path(signature.name);
    let mut shader = Shader::from_text(library, stem_of(&path), origin, text, config.conditions());
    if signature.search.is_some() {
        add_rules(&mut shader, library, &config.setup);
    }
    let is_replaced = |name: &str| signature.in_place.iter().any(|[_, gone]| *gone == name);
    for parameter in signature.read.iter().filter(|parameter| !is_replaced(parameter.name)) {
        shader.buffer(parameter.name, kind(parameter), false);
    }
    for parameter in signature.write {
        shader.buffer(parameter.name, kind(parameter), true);
    }
    let of_feature = |row: &'static FeatureRow| {
        row.files.iter().map(|(file, kind, is_written)| (*file, row.condition, row.name, *kind, *is_written))
    };
    let of_features = FEATURES.iter().flat_map(|row| of_feature(row));
    for (file, condition, name, kind, is_written) in WORLD_BUFFERS.into_iter().chain(of_features) {
        if shader.has(file) && config.conditions().contains(&(condition, true)) {
            shader.buffer(name, kind, is_written);
        }
    }
    declare(&mut shader, config);
    shader.import(library, "individuals/axes");
    shader.import_shared(library, Model::Individuals, config.space().axes());
    shader
}

/// The name of the file that combines the rules of a set.
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

/// The functions that tell how far each rule of a set sees, and the functions that set it. Numbers of one species are compiled in, and
/// numbers of several are read.
fn sights(setup: &Setup) -> String {
    let (Setup { set, species, has_lives, .. }, units) = (setup, setup.units());
    let (mut text, mut seen, mut only, mut asked) = (String::new(), String::new(), String::new(), String::new());
    let mut greatest = String::from("0");
    let form = form_of(*set);
    for rule in set.rules().filter(|rule| rule.sees_neighbours()) {
        let (name, index) = (rule.name(), rule as usize);
        let (threshold, radius) = (units.thresholds[rule], units.radii[rule]);
        let [mut sight, mut reach] = [threshold.to_string(), radius.to_string()];
        if *has_lives {
            let _ = writeln!(text, "var<private> sees_{name}: i32;");
            sight = format!("sees_{name}");
        }
        if species.len() > 1 {
            let _ = writeln!(text, "var<private> reach_{name}: i32;");
            reach = format!("reach_{name}");
            let own = "parameters.species[own_species]";
            let _ = writeln!(seen, "    sees_{name} = within_sight({own}.thresholds[{index}], sight);");
            let _ = writeln!(seen, "    reach_{name} = {own}.radii[{index}];");
            let is_it = format!("rule == {index}u");
            let _ = writeln!(only, "    sees_{name} = within_sight(select(0, threshold, {is_it}), sight);");
            let _ = writeln!(only, "    reach_{name} = select(0, radius, {is_it});");
            let request = format!("request(individual, {name}_{form}(individual))");
            let _ = writeln!(asked, "    if (rule == {index}u) {{\n        return {request};\n    }}");
        } else if *has_lives {
            let _ = writeln!(seen, "    sees_{name} = within_sight({threshold}, sight);");
        }
        greatest = format!("max({greatest}, sight_of_{name}())");
        let _ = writeln!(text, "fn sight_of_{name}() -> i32 {{\n    return {sight};\n}}");
        let _ = writeln!(text, "fn radius_of_{name}() -> i32 {{\n    return {reach};\n}}");
    }
    let _ = writeln!(text, "fn greatest_sight() -> i32 {{\n    return {greatest};\n}}");
    let _ = writeln!(text, "fn see_with(sight: i32) {{\n{seen}}}");
    if species.len() > 1 {
        let _ = writeln!(text, "fn see_only(rule: u32, radius: i32, threshold: i32, sight: i32) {{\n{only}}}");
        let head = "fn request_of(rule: u32, individual: Situation) -> Vector3";
        let _ = writeln!(text, "{head} {{\n{asked}    return Vector3(0);\n}}");
    }
    text
}

/// The ending of the names of a set's rule functions, which says in which form the rules ask for something.
fn form_of(set: RuleSet) -> &'static str {
    match set {
        RuleSet::Reynolds | RuleSet::Vicsek => "control",
        RuleSet::Aquarium => "heading",
        _ => "direction",
    }
}

/// Adds the files of a set and of its rules, and the functions over all of them that follow from the table.
fn add_rules(shader: &mut Shader, library: &Library, setup: &Setup) {
    let Setup { set, habitat, .. } = setup;
    shader.import(library, stem_of(&Model::Individuals.table().path(set_file(*set))));
    let form = form_of(*set);
    let (mut members, mut additions, mut text) = (String::new(), String::new(), String::new());
    let (mut neighbours, mut world) = (String::from("individual.met"), String::from("Vector3(0)"));
    // Without rays avoidance asks for nothing.
    for rule in set.rules().filter(|rule| habitat.rays.is_some() || *rule != Rule::Avoidance) {
        let (name, index) = (rule.name(), rule as usize);
        let weight = format!("parameters.species[own_species].weights[{}][{}]", index / 4, index % 4);
        shader.import(library, stem_of(&Model::Individuals.table().path(name)));
        if rule.sees_neighbours() {
            let _ = writeln!(members, "    {name}: Offset,\n    {name}_count: i32,");
            let inside = set
                .zones_inside(rule)
                .iter()
                .fold(String::from("1"), |least, zone| format!("max({least}, sight_of_{}())", zone.name()));
            let beyond = match set.zones_inside(rule) {
                [] => String::new(),
                _ => format!(" && neighbour.square >= {inside}"),
            };
            let _ = writeln!(text, "fn weight_of_{name}() -> i32 {{\n    return {weight};\n}}");
            let _ = writeln!(
                additions,
                "    if (neighbour.square < sight_of_{name}(){beyond}) {{\n        (*sums).{name} += {name}_quantity(neighbour);\n        \
                 (*sums).{name}_count += 1;\n    }}"
            );
            let _ =
                write!(neighbours, "\n        + request(individual, {name}_{form}(individual)) * weight_of_{name}()");
        } else {
            let _ = write!(world, "\n        + bounded({name}_control(individual)) * {weight}");
        }
    }
    shader.add(format!(
        "struct Sums {{\n{members}}}\n\
         fn add_neighbour(sums: ptr<function, Sums>, neighbour: Neighbour) {{\n{additions}}}\n\
         fn sum_of_neighbours(individual: Situation) -> Vector3 {{\n    return {neighbours};\n}}\n\
         fn sum_of_world(individual: Situation) -> Vector3 {{\n    return {world};\n}}"
    ));
    shader.add(text);
    shader.add(sights(setup));
}

const _: () = assert!(ACCOUNT_WORDS == 194, "as the type of the account says");

/// The type of a buffer in WGSL.
fn kind(parameter: &Parameter) -> &'static str {
    match (parameter.kind, parameter.is_atomic) {
        (FieldKind::Buffer(Element::Account), false) => "array<u32, 194>",
        (FieldKind::Buffer(Element::Account), true) => "array<atomic<u32>, 194>",
        (FieldKind::Buffer(Element::Individual), _) => "array<Individual>",
        (FieldKind::Buffer(Element::Vector), _) => "array<Offset>",
        (_, false) => "array<u32>",
        (_, true) => "array<atomic<u32>>",
    }
}

/// The names that stand for the world, the rules and the units.
fn declare(shader: &mut Shader, config: &KernelConfig) {
    let (KernelConfig { setup, layout, .. }, space) = (config, config.space());
    let (Setup { set, species, has_lives, features, habitat, .. }, units, axes) = (setup, setup.units(), space.axes());
    let meetings = species.iter().map(|own| own.meetings.len()).max().unwrap_or(0);
    let nearest = species.iter().map(|own| own.units.selection.nearest).max().unwrap_or(0);
    shader.world(space.extents(), space.ends(), space.edges);
    shader.individual_parameters();
    let parents = PARENTS[usize::from(species.len() > 1)];
    FEATURES.iter().for_each(|row| (row.declare)(shader, features.named(row.name).map(|feature| &**feature)));
    shader.add(individual_wgsl(*has_lives));
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
        ("MOST_NEAREST", "u32", &nearest),
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

/// The variables of an individual that selects its neighbours, with room for so many of the nearest.
fn selection_variables(most: u32) -> String {
    format!(
        "var<private> own_number: u32;\nvar<private> own_heading: Offset;\nvar<private> own_view: i32;\n\
         var<private> squares: array<i32, {most}>;\nvar<private> numbers: array<u32, {most}>;\n\
         var<private> indices: array<u32, {most}>;"
    )
}

/// The numbers of avoidance. The directions of its rays begin at a word of `solids`.
fn declare_rays(shader: &mut Shader, rays: &Rays, first: usize) {
    let RayNumbers { reach, clearance, growth, .. } = rays.numbers;
    let numbers = [("RAYS", rays.directions.len() as i32), ("ALWAYS", rays.always as i32), ("RAY_REACH", reach)];
    for (name, value) in numbers.into_iter().chain([("CLEARANCE", clearance), ("GROWTH", growth)]) {
        shader.constant(name, "i32", value);
    }
    shader.constant("RAYS_AT", "u32", first);
}
