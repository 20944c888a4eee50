//! The table of the look: its kernels and given textures.

use super::table::{
    Blend, Drawing, Extent, FieldKind, GivenField, Invocation, KernelSignature, ModelTable, Parameter, Role, Shape,
    Texture, Viewpoint,
};
use super::{Chain, Pass};

pub static TABLE: ModelTable = ModelTable {
    name: "look",
    noun: "kernel of the look",
    folder: "shaders/look",
    reference: "passes/glow.toml",
    kernels: &KERNELS,
    given: &[
        GivenField { name: "density", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "control", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "solids", kind: FieldKind::Texture(Texture::Words), role: Role::World },
        GivenField { name: "palette", kind: FieldKind::Texture(Texture::Palette), role: Role::World },
        GivenField { name: "target", kind: FieldKind::Texture(Texture::Target), role: Role::Target },
    ],
    shared: &["shaders/look/places.wgsl", "shaders/look/radiance.wgsl", "shaders/look/depth.wgsl"],
    generated: &[
        "View",
        "view",
        "Eye",
        "eye",
        "StoredBody",
        "Body",
        "body",
        "bodies",
        "Drawn",
        "Quad",
        "position",
        "number",
        "corner",
        "normal",
        "drawn",
        "quad",
        "i",
    ],
    invocation: Invocation::Pixel,
    most_writes: 1,
    parse_kind,
    kind: ["size", "\"lattice\", \"view\", \"screen\", \"screen/2\" and so on to \"screen/128\", perhaps + 2"],
    is_matched_by_name: false,
    has_free_kernels: true,
    has_replaced_kernels: true,
    has_rules: false,
};

fn parse_kind(text: &[&str]) -> Option<FieldKind> {
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

/// A texture of light of any size.
const fn light(name: &'static str) -> Parameter {
    Parameter::texture(name, Texture::Light([Extent::Lattice; 2]))
}

const fn words(name: &'static str) -> Parameter {
    Parameter::texture(name, Texture::Words)
}

const PALETTE: Parameter = Parameter::texture("palette", Texture::Palette);
const WRITTEN: &[Parameter] = &[light("light")];

const fn pixels(name: &'static str, viewpoint: Viewpoint, read: &'static [Parameter]) -> KernelSignature {
    KernelSignature {
        read,
        write: WRITTEN,
        parts: &["places"],
        drawing: Drawing { viewpoint, ..Drawing::PIXELS },
        ..KernelSignature::new(name, Invocation::Pixel)
    }
}

const COLOURED: &[&str] = &["places", "radiance"];
const DEEP: &[&str] = &["places", "radiance", "depth"];

const fn drawn(name: &'static str, invocation: Invocation, drawing: Drawing) -> KernelSignature {
    KernelSignature { read: &[PALETTE], write: WRITTEN, drawing, ..KernelSignature::new(name, invocation) }
}

static KERNELS: [KernelSignature; 15] = [
    pixels("swarm", Viewpoint::Above, &[words("density"), words("control"), words("solids")]),
    pixels("soften", Viewpoint::Above, &[light("swarm")]),
    pixels("across", Viewpoint::Above, &[light("soft")]),
    KernelSignature {
        parts: COLOURED,
        drawing: Drawing { viewpoint: Viewpoint::Above, blend: Blend::Trail, shape: Shape::Screen },
        ..pixels("shine", Viewpoint::Above, &[light("bands"), PALETTE])
    },
    KernelSignature {
        parts: COLOURED,
        ..drawn(
            "points",
            Invocation::Point,
            Drawing { viewpoint: Viewpoint::Above, blend: Blend::Add, shape: Shape::Spot },
        )
    },
    KernelSignature {
        parts: COLOURED,
        ..drawn(
            "darts",
            Invocation::Agent,
            Drawing { viewpoint: Viewpoint::Above, blend: Blend::Add, shape: Shape::Square },
        )
    },
    KernelSignature {
        parts: DEEP,
        ..drawn(
            "fish",
            Invocation::Agent,
            Drawing { viewpoint: Viewpoint::Around, blend: Blend::Hide, shape: Shape::Fish },
        )
    },
    KernelSignature {
        read: &[],
        parts: &["places", "depth"],
        ..drawn(
            "edges",
            Invocation::Edge,
            Drawing { viewpoint: Viewpoint::Around, blend: Blend::Add, shape: Shape::Square },
        )
    },
    KernelSignature {
        parts: DEEP,
        ..drawn(
            "motes",
            Invocation::Agent,
            Drawing { viewpoint: Viewpoint::Around, blend: Blend::Add, shape: Shape::Mote },
        )
    },
    pixels("gather_light", Viewpoint::Either, &[light("light")]),
    pixels("halve", Viewpoint::Either, &[light("light")]),
    pixels("widest", Viewpoint::Either, &[light("light")]),
    pixels("widen", Viewpoint::Either, &[light("light"), light("wider")]),
    pixels("halo_across", Viewpoint::Either, &[light("halo")]),
    pixels("develop", Viewpoint::Either, &[light("light"), light("halo")]),
];

impl Chain {
    /// How a pass of the look draws.
    pub fn drawing(&self, pass: &Pass) -> Drawing {
        match pass.kernel.signature {
            Some(signature) => signature.drawing,
            None => Drawing { viewpoint: self.viewpoint_of_reads(pass), ..Drawing::PIXELS },
        }
    }

    /// From where the world must be seen for what a pass reads to be there.
    fn viewpoint_of_reads(&self, pass: &Pass) -> Viewpoint {
        let mut viewpoints = pass.read.iter().map(|name| {
            if self.fields[name] == FieldKind::Texture(Texture::Words) {
                return Viewpoint::Above;
            }
            let writers = self.passes.iter().filter(|writer| writer.write.contains(name));
            let viewpoints = writers.map(|writer| self.drawing(writer).viewpoint);
            viewpoints
                .reduce(|one, other| if one == other { one } else { Viewpoint::Either })
                .unwrap_or(Viewpoint::Either)
        });
        viewpoints.find(|viewpoint| *viewpoint != Viewpoint::Either).unwrap_or(Viewpoint::Either)
    }
}
