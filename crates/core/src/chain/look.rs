//! The table for chains of the look, which draw pictures: their kernels, and the textures that exist before the first
//! pass.

use super::table::{
    Blend, Drawing, Extent, FieldKind, GivenField, Invocation, KernelSignature, ModelTable, Parameter, Role, Shape,
    Texture, Viewpoint,
};
use Viewpoint::{Above, Around, Either};

pub static TABLE: ModelTable = ModelTable {
    name: "look",
    noun: "kernel of the look",
    folder: "shaders/look",
    features: &[
        ("shaders/falcons", &["sharks"]),
        (
            "shaders/points",
            &["boid", "falcons", "lights", "place_in_picture", "points", "quad", "shades", "stroke_sums", "strokes"],
        ),
        ("shaders/terrain", &["lit_water", "rock"]),
    ],
    reference: "passes/glow.toml",
    kernels: &KERNELS,
    given: &[
        GivenField { name: "density", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "control", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "solids", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "palette", kind: FieldKind::Texture(Texture::Palette), role: Role::World },
        GivenField { name: "volume", kind: FieldKind::Texture(Texture::Volume), role: Role::World },
        GivenField { name: "water", kind: FieldKind::Texture(Texture::Water), role: Role::World },
        GivenField { name: "plane", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "target", kind: FieldKind::Texture(Texture::Target), role: Role::Target },
    ],
    shared: &["shaders/look/places.wgsl", "shaders/look/radiance.wgsl", "shaders/look/depth.wgsl"],
    beside: &[],
    generated: "view eye point_view point_list point_cells volume sums body bodies falcons crowd \
        position number corner normal vertex i",
    invocation: Invocation::Pixel,
    most_writes: 1,
    parse_kind,
    kind: [
        "size",
        "\"lattice\", \"view\", \"screen\", \"screen/2\" and so on to \"screen/128\", perhaps + 2; or \"sums\"",
    ],
    is_matched_by_name: false,
    has_free_kernels: true,
    has_replaced_kernels: true,
    has_rules: false,
};

fn parse_kind(text: &[&str]) -> Option<FieldKind> {
    if text == ["sums"] {
        return Some(FieldKind::Texture(Texture::Sums));
    }
    let extents = match text {
        [both] => [*both; 2],
        [across, down] => [*across, *down],
        _ => return None,
    };
    let [across, down] = extents.map(parse_extent);
    Some(FieldKind::Texture(Texture::Light([across?, down?])))
}

fn parse_extent(text: &str) -> Option<Extent> {
    let (text, is_padded) = text.strip_suffix(" + 2").map_or((text, false), |text| (text, true));
    match text {
        "lattice" if !is_padded => Some(Extent::Lattice),
        "view" if !is_padded => Some(Extent::View),
        "screen" => Some(Extent::Screen { part: 1, is_padded }),
        _ => {
            let part = text.strip_prefix("screen/")?.parse().ok()?;
            let is_possible = u32::is_power_of_two(part) && (2..=128).contains(&part);
            is_possible.then_some(Extent::Screen { part, is_padded })
        }
    }
}

const fn texture(name: &'static str, texture: Texture) -> Parameter {
    Parameter::new(name, FieldKind::Texture(texture))
}

/// A parameter for a texture of light of any size.
const fn light(name: &'static str) -> Parameter {
    texture(name, Texture::Light([Extent::Lattice; 2]))
}

const STATE: [Parameter; 3] =
    [texture("density", Texture::Words), texture("control", Texture::Words), texture("solids", Texture::Words)];
const WRITTEN: &[Parameter] = &[light("light")];
const PALETTE: Parameter = texture("palette", Texture::Palette);

const fn pixels(name: &'static str, viewpoint: Viewpoint, read: &'static [Parameter]) -> KernelSignature {
    let drawing = Drawing { viewpoint, ..Drawing::PIXELS };
    let signature = KernelSignature::new(name, Invocation::Pixel, read, WRITTEN);
    KernelSignature { drawing, ..signature }
}

/// A kernel that draws a shape for each invocation into a texture of light.
const fn shapes(
    name: &'static str,
    invocation: Invocation,
    read: &'static [Parameter],
    (viewpoint, blend, shape): (Viewpoint, Blend, Shape),
) -> KernelSignature {
    let signature = KernelSignature::new(name, invocation, read, WRITTEN);
    KernelSignature { drawing: Drawing { viewpoint, blend, shape }, ..signature }
}

const VOLUME: Parameter = texture("volume", Texture::Volume);
const WATER: Parameter = texture("water", Texture::Water);
const SUMS: Parameter = texture("strokes", Texture::Sums);

/// A kernel that draws each point of a swarm as a short stroke, by adding to the sums of the pixels.
const fn strokes(name: &'static str, read: &'static [Parameter]) -> KernelSignature {
    KernelSignature::new(name, Invocation::Boid, read, &[SUMS])
}

static KERNELS: [KernelSignature; 27] = [
    pixels("swarm", Above, &STATE),
    pixels("soften", Above, &[light("swarm")]),
    pixels("across", Above, &[light("soft")]),
    KernelSignature {
        drawing: Drawing { viewpoint: Above, blend: Blend::Trail, shape: Shape::Screen },
        ..pixels("shine", Above, &[light("bands"), PALETTE])
    },
    shapes("points", Invocation::Point, &[PALETTE], (Above, Blend::Add, Shape::Spot)),
    shapes("darts", Invocation::Individual, &[PALETTE], (Above, Blend::Add, Shape::Square)),
    KernelSignature {
        drawing: Drawing { viewpoint: Around, blend: Blend::Hide, shape: Shape::Screen },
        ..pixels("night_water", Around, &[WATER])
    },
    shapes("rock", Invocation::Rock, &[], (Around, Blend::Hide, Shape::Surface)),
    shapes("fish", Invocation::Individual, &[PALETTE], (Around, Blend::Hide, Shape::Fish)),
    shapes("sharks", Invocation::Falcon, &[], (Around, Blend::Hide, Shape::Shark)),
    shapes("edges", Invocation::Edge, &[], (Around, Blend::Add, Shape::Square)),
    shapes("motes", Invocation::Individual, &[PALETTE], (Around, Blend::Add, Shape::Mote)),
    strokes("shades", &[VOLUME]),
    strokes("lights", &[PALETTE, VOLUME, light("light")]),
    KernelSignature {
        drawing: Drawing { blend: Blend::Add, ..Drawing::PIXELS },
        ..pixels("gather_lights", Either, &[SUMS])
    },
    pixels("dusk", Either, &[SUMS]),
    pixels("cloud", Either, &[VOLUME]),
    pixels("values", Either, &[texture("plane", Texture::Words)]),
    pixels("shafts", Either, &[WATER]),
    pixels("shafts_across", Either, &[light("shafts"), WATER]),
    KernelSignature {
        drawing: Drawing { blend: Blend::Add, ..Drawing::PIXELS },
        ..pixels("gather_shafts", Either, &[light("bands"), WATER])
    },
    pixels("gather_light", Either, &[light("light")]),
    pixels("halve", Either, &[light("light")]),
    pixels("widest", Either, &[light("light")]),
    pixels("widen", Either, &[light("light"), light("wider")]),
    pixels("halo_across", Either, &[light("halo")]),
    pixels("develop", Either, &[light("light"), light("halo")]),
];
