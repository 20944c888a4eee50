//! The plan of a picture: the textures between the passes of the look, and the sources, the view and the target of each
//! pass.
//!
//! The plan is made once, from a chain, without a device. The renderer plays the plan in every frame. Sizes in pixels
//! are known only with a screen.

use super::table::{Blend, Drawing, Extent, FieldKind, Invocation, Model, Texture, Viewpoint};
use super::{Chain, Kernel, Pass};
use crate::error::BadInput;

/// A texture of light or momentum that one pass writes and later passes read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LightTexture {
    /// The name of the field in the chain.
    pub name: String,
    /// The width and the height of the texture.
    pub extents: [Extent; 2],
}

/// The texture or list that holds a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookSource {
    /// A field that exists before the first pass, such as `density`, by its name.
    Given(String),
    /// Index into [`LookPlan::lights`].
    Light(usize),
    /// Index into [`LookPlan::sums`].
    Sums(usize),
}

/// A field that a pass reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LookRead {
    /// The name of the field in the kernel.
    pub name: String,
    /// The content of the field.
    pub texture: Texture,
    /// The texture or list that holds the field.
    pub source: LookSource,
}

/// The output of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookTarget {
    /// The picture on the screen.
    Picture,
    /// A texture of light.
    Light {
        /// Index into [`LookPlan::lights`].
        index: usize,
        /// The width and the height of the texture.
        extents: [Extent; 2],
    },
    /// A list of sums. The number is an index into [`LookPlan::sums`].
    Sums(usize),
}

/// One pass of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct LookPass {
    /// The kernel of the pass.
    pub kernel: Kernel,
    /// The kind of items, such as pixels, for each of which the kernel runs once.
    pub invocation: Invocation,
    /// The view, the blending and the shape.
    pub drawing: Drawing,
    /// The fields that the pass reads, in the order of the kernel's parameters.
    pub read: Vec<LookRead>,
    /// The output of the pass.
    pub target: LookTarget,
    /// Whether the pass writes a texture with a texel for each block of cells. The renderer does not play the pass
    /// again while the same swarm is seen from the same place at the same scale.
    pub is_of_lattice: bool,
    /// Whether the pass draws rock or reads the water around rock. The renderer skips the pass in a world without rock.
    pub needs_terrain: bool,
    /// Whether the pass adds the strokes of boids to the light. The renderer skips the pass if there are no strokes.
    pub needs_strokes: bool,
    /// The number of blocks of cells that the pass fills beyond each edge of the screen. `None`: the pass fills all
    /// blocks.
    pub margin: Option<i32>,
}

impl LookPass {
    /// Whether the pass reads a texture of this kind.
    pub fn reads(&self, texture: Texture) -> bool {
        self.read.iter().any(|read| read.texture == texture)
    }

    /// Whether the pass draws in perspective, so that nearer things hide things behind them.
    pub fn is_around(&self) -> bool {
        self.drawing.viewpoint == Viewpoint::Around
    }
}

/// A checked plan of the look.
#[derive(Debug, Clone, PartialEq)]
pub struct LookPlan {
    /// The textures of light between passes.
    pub lights: Vec<LightTexture>,
    /// The names of the lists of sums, each with three words for each pixel of the screen.
    pub sums: Vec<String>,
    /// The passes, in the order in which they draw.
    pub passes: Vec<LookPass>,
}

impl LookPlan {
    /// Plans a chain of the look.
    ///
    /// # Errors
    /// If the chain is of another model, a kernel of pixels writes sums, a pass draws over the target, or passes in
    /// perspective draw into several textures.
    pub fn new(chain: &Chain) -> Result<Self, BadInput> {
        if chain.model != Model::Look {
            let problem = format!("the model {:?}", chain.model.name());
            return Err(BadInput::new(&chain.origin, problem, "the look's is \"look\"").at_key("model"));
        }
        let (mut lights, mut sums) = (Vec::new(), Vec::new());
        for (name, kind) in &chain.fields {
            match *kind {
                FieldKind::Texture(Texture::Light(extents)) => {
                    lights.push(LightTexture { name: name.clone(), extents })
                }
                FieldKind::Texture(Texture::Sums) => sums.push(name.clone()),
                _ => {}
            }
        }
        let mut plan = Self { lights, sums, passes: Vec::new() };
        for pass in &chain.passes {
            let planned = plan.pass(chain, pass);
            plan.check_target(pass, &planned)?;
            plan.passes.push(planned);
        }
        // The kernels of a user's chain may read any block, so their passes fill all blocks.
        if chain.files.is_empty() {
            plan.set_margins();
        }
        Ok(plan)
    }

    /// Plans a pass of the chain, after the passes before it.
    fn pass(&self, chain: &Chain, pass: &Pass) -> LookPass {
        let Pass { kernel, invocation, .. } = pass.clone();
        let parameters = kernel.signature.map(|signature| signature.read);
        let read = pass.read.iter().enumerate().map(|(index, field)| {
            let name = parameters.map_or(field.as_str(), |parameters| parameters[index].name).to_string();
            let FieldKind::Texture(texture) = chain.fields[field] else { unreachable!("a field of another model") };
            LookRead { name, texture, source: self.source(field) }
        });
        let read: Vec<_> = read.collect();
        let reads = |texture| read.iter().any(|read| read.texture == texture);
        let drawing = match kernel.signature {
            Some(signature) => signature.drawing,
            None => Drawing { viewpoint: self.viewpoint_of_reads(chain, pass), ..Drawing::PIXELS },
        };
        let target = match self.source(&pass.write[0]) {
            LookSource::Given(_) => LookTarget::Picture,
            LookSource::Light(index) => LookTarget::Light { index, extents: self.lights[index].extents },
            LookSource::Sums(index) => LookTarget::Sums(index),
        };
        LookPass {
            is_of_lattice: matches!(target, LookTarget::Light { extents: [Extent::Lattice, Extent::Lattice], .. }),
            needs_terrain: invocation == Invocation::Rock || reads(Texture::Water),
            needs_strokes: drawing.blend == Blend::Add && reads(Texture::Sums),
            margin: None,
            kernel,
            invocation,
            drawing,
            read,
            target,
        }
    }

    /// The texture or list that holds a field.
    fn source(&self, field: &str) -> LookSource {
        let light = self.lights.iter().position(|light| light.name == field).map(LookSource::Light);
        let sums = || self.sums.iter().position(|name| name == field).map(LookSource::Sums);
        light.or_else(sums).unwrap_or_else(|| LookSource::Given(field.to_string()))
    }

    /// The viewpoint from which the fields that a pass reads are drawn. The pass that writes a field anew is planned
    /// before the passes that read it. Later passes that draw over the field have kernels of the table.
    fn viewpoint_of_reads(&self, chain: &Chain, pass: &Pass) -> Viewpoint {
        let viewpoint_of = |(index, writer): (usize, &Pass)| {
            let planned = self.passes.get(index).map(|planned| planned.drawing);
            writer.kernel.signature.map(|signature| signature.drawing).or(planned).map(|drawing| drawing.viewpoint)
        };
        let mut viewpoints = pass.read.iter().map(|name| {
            if chain.fields[name] == FieldKind::Texture(Texture::Words) {
                return Viewpoint::Above;
            }
            let writers = chain.passes.iter().enumerate().filter(|(_, writer)| writer.write.contains(name));
            let common = writers
                .filter_map(viewpoint_of)
                .reduce(|one, other| if one == other { one } else { Viewpoint::Either });
            common.unwrap_or(Viewpoint::Either)
        });
        viewpoints.find(|viewpoint| *viewpoint != Viewpoint::Either).unwrap_or(Viewpoint::Either)
    }

    /// Checks that a pass can write its target. All passes in perspective must write one texture, because they share
    /// one depth buffer.
    fn check_target(&self, pass: &Pass, planned: &LookPass) -> Result<(), BadInput> {
        let name = &pass.kernel.name;
        match planned.target {
            LookTarget::Sums(_) if planned.invocation != Invocation::Boid => {
                let problem = format!("`{name}` gives pixels, and {:?} are sums", pass.write[0]);
                return Err(pass.bad("write", problem, "let it write light, as in light = \"screen\" in [fields]"));
            }
            LookTarget::Picture if planned.drawing.blend.keeps() => {
                let problem = format!("`{name}` draws over what is there, and nothing is in the target before");
                return Err(pass.bad("write", problem, "let it write light, and a later pass the target"));
            }
            _ => {}
        }
        let is_apart = |first: &&LookPass| first.is_around() && planned.is_around() && first.target != planned.target;
        match self.passes.iter().find(is_apart) {
            Some(first) => {
                let problem = format!("`{name}` and `{}` draw from around into two textures", first.kernel.name);
                Err(pass.bad("write", problem, "let both write the same one: nearer things hide those behind them"))
            }
            None => Ok(()),
        }
    }

    /// Sets the margins of the passes over the lattice, whose kernels read the blocks next to their own. The output of
    /// the last such pass is interpolated, so this pass fills two blocks beyond the screen. The pass before it fills
    /// three, and so on.
    fn set_margins(&mut self) {
        let of_lattice = self.passes.iter_mut().rev().filter(|pass| pass.is_of_lattice);
        of_lattice.zip(2..).for_each(|(pass, margin)| pass.margin = Some(margin));
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::Shape;
    use super::super::{DEFAULT_OF_LOOK, LOOK_AT_DUSK, LOOK_OF_CLOUD, LOOK_OF_VALUES};
    use super::*;
    use crate::testing::{host, library};
    use std::path::Path;

    fn plan(name: &str) -> LookPlan {
        LookPlan::new(&Chain::load(library(), name).unwrap()).unwrap()
    }

    fn pass<'a>(plan: &'a LookPlan, kernel: &str) -> &'a LookPass {
        plan.passes.iter().find(|pass| pass.kernel.name == kernel).unwrap()
    }

    /// The kernel names of the passes that fulfil a condition.
    fn names(plan: &LookPlan, is_so: impl Fn(&LookPass) -> bool) -> Vec<&str> {
        plan.passes.iter().filter(|pass| is_so(pass)).map(|pass| pass.kernel.name.as_str()).collect()
    }

    fn screen(part: u32, is_padded: bool) -> Extent {
        Extent::Screen { part, is_padded }
    }

    fn light(plan: &LookPlan, name: &str) -> LookTarget {
        let index = plan.lights.iter().position(|light| light.name == name).unwrap();
        LookTarget::Light { index, extents: plan.lights[index].extents }
    }

    #[test]
    fn the_glow_is_planned_with_its_textures() {
        let plan = plan(DEFAULT_OF_LOOK);
        assert_eq!((plan.lights.len(), &plan.sums), (19, &vec!["strokes".to_string()]));
        let extents = |name| plan.lights.iter().find(|light| light.name == name).unwrap().extents;
        assert_eq!(extents("soft"), [Extent::Lattice; 2]);
        assert_eq!(extents("bands"), [screen(1, false), Extent::View]);
        assert_eq!(extents("halo_bands"), [screen(1, false), screen(4, true)]);
        assert_eq!(pass(&plan, "shine").target, light(&plan, "light"));
        assert_eq!(pass(&plan, "lights").target, LookTarget::Sums(0));
        let LookTarget::Light { index: halo, .. } = light(&plan, "halo_bands") else { unreachable!() };
        let LookTarget::Light { index: shown, .. } = light(&plan, "light") else { unreachable!() };
        let read: Vec<_> = pass(&plan, "develop").read.iter().map(|read| (read.name.as_str(), &read.source)).collect();
        assert_eq!(read, [("light", &LookSource::Light(shown)), ("halo", &LookSource::Light(halo))]);
        let palette = LookSource::Given("palette".into());
        let expected = LookRead { name: "palette".into(), texture: Texture::Palette, source: palette };
        assert_eq!(pass(&plan, "motes").read, [expected]);
        assert_eq!(names(&plan, |pass| pass.target == LookTarget::Picture), ["develop"]);
    }

    #[test]
    fn the_glow_is_planned_with_what_its_passes_need() {
        let plan = plan(DEFAULT_OF_LOOK);
        let around = ["rock", "fish", "sharks", "night_water", "edges", "motes"];
        assert_eq!(names(&plan, LookPass::is_around), around);
        assert_eq!(
            names(&plan, |pass| pass.needs_terrain),
            ["rock", "night_water", "shafts", "shafts_across", "gather_shafts"]
        );
        assert_eq!(names(&plan, |pass| pass.needs_strokes), ["gather_lights"]);
        assert_eq!(names(&plan, |pass| pass.is_of_lattice), ["swarm", "soften"]);
        assert_eq!(names(&plan, |pass| pass.margin.is_some()), ["swarm", "soften"]);
        assert_eq!(["swarm", "soften"].map(|name| pass(&plan, name).margin), [Some(3), Some(2)]);
        let points = pass(&plan, "points");
        let drawing = Drawing { viewpoint: Viewpoint::Above, blend: Blend::Add, shape: Shape::Spot };
        assert_eq!((points.invocation, points.drawing), (Invocation::Point, drawing));
    }

    #[test]
    fn each_style_reads_what_it_is_given() {
        for (name, texture) in
            [(LOOK_AT_DUSK, Texture::Sums), (LOOK_OF_CLOUD, Texture::Volume), (LOOK_OF_VALUES, Texture::Words)]
        {
            let plan = plan(name);
            let last = plan.passes.last().unwrap();
            assert!(last.reads(texture) && last.target == LookTarget::Picture, "{name}");
            assert!(plan.lights.is_empty() && names(&plan, |pass| pass.margin.is_some()).is_empty(), "{name}");
            assert_eq!(last.drawing, Drawing::PIXELS, "{name}");
            assert!(!last.needs_strokes, "{name} draws its ground without strokes too");
        }
        let dusk = plan(LOOK_AT_DUSK);
        assert_eq!(
            (dusk.passes[0].target, &dusk.passes[1].read[0].source),
            (LookTarget::Sums(0), &LookSource::Sums(0))
        );
    }

    /// The folder of a user's chain with the kernel `ink.wgsl`.
    fn ink() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/ink"))
    }

    #[test]
    fn a_chain_of_the_users_works_out_the_whole_lattice() {
        let chain = Chain::load(host().as_ref(), ink().join("ink.toml").to_str().unwrap()).unwrap();
        let plan = LookPlan::new(&chain).unwrap();
        assert_eq!(names(&plan, |pass| pass.is_of_lattice), ["swarm", "soften"]);
        assert_eq!(names(&plan, |pass| pass.margin.is_some()), [""; 0]);
        let last = plan.passes.last().unwrap();
        assert_eq!((last.drawing, last.target), (Drawing::PIXELS, LookTarget::Picture));
        assert_eq!((last.kernel.is_built_in, last.read[0].name.as_str()), (false, "light"));
    }

    /// The plan of a chain with these fields and passes. A pass is given by its kernel, invocation, read fields and
    /// written fields.
    fn planned(fields: &str, passes: &[[&str; 4]]) -> Result<LookPlan, String> {
        let mut text = format!("description = \"x\"\nmodel = \"look\"\n[fields]\n{fields}\n");
        for [kernel, each, read, write] in passes {
            text += &format!("[[pass]]\nkernel = {kernel:?}\neach = {each:?}\nread = {read}\nwrite = [{write:?}]\n");
        }
        let chain = Chain::read(host().as_ref(), "mine", "mine.toml", &text, Some(ink()));
        LookPlan::new(&chain.unwrap_or_else(|wrong| panic!("{wrong}"))).map_err(|wrong| wrong.to_string())
    }

    #[test]
    fn a_kernel_of_the_users_is_played_where_what_it_reads_is_there() {
        let swarm = ["swarm", "pixel", "[\"density\", \"control\", \"solids\"]", "swarm"];
        let of_swarm =
            planned("swarm = \"lattice\"", &[swarm, ["ink.wgsl", "pixel", "[\"swarm\"]", "target"]]).unwrap();
        assert_eq!(of_swarm.passes[1].drawing.viewpoint, Viewpoint::Above);
        let twice = [swarm, ["ink.wgsl", "pixel", "[\"swarm\"]", "mid"], ["ink.wgsl", "pixel", "[\"mid\"]", "target"]];
        let twice = planned("swarm = \"lattice\"\nmid = \"screen\"", &twice).unwrap();
        assert_eq!(twice.passes[2].drawing.viewpoint, Viewpoint::Above);
        let of_words = planned("", &[["ink.wgsl", "pixel", "[\"density\"]", "target"]]).unwrap();
        assert_eq!(of_words.passes[0].drawing.viewpoint, Viewpoint::Above);
        let of_volume = planned("", &[["ink.wgsl", "pixel", "[\"volume\"]", "target"]]).unwrap();
        assert_eq!(of_volume.passes[0].drawing.viewpoint, Viewpoint::Either);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let wrong = LookPlan::new(&Chain::load(library(), "cell").unwrap()).unwrap_err().to_string();
        assert!(wrong.contains("the model \"cell\"; the look's is \"look\""), "{wrong}");
        let paper = |name| ["ink.wgsl", "pixel", "[]", name];
        let fish = |name| ["fish", "agent", "[\"palette\"]", name];
        let last = |read| ["develop", "pixel", read, "target"];
        let two = "a = \"screen\"\nb = \"screen\"";
        let refused = |fields, passes: &[_]| planned(fields, passes).unwrap_err();
        let wrong = refused("a = \"sums\"", &[paper("a"), ["dusk", "pixel", "[\"a\"]", "target"]]);
        assert_eq!(
            wrong,
            "mine.toml:5: write: `ink` gives pixels, and \"a\" are sums; \
             let it write light, as in light = \"screen\" in [fields]"
        );
        let wrong = refused("", &[fish("target")]);
        assert!(wrong.starts_with("mine.toml:5: write: `fish` draws over what is there"), "{wrong}");
        let both =
            [paper("a"), paper("b"), fish("a"), ["motes", "agent", "[\"palette\"]", "b"], last("[\"a\", \"b\"]")];
        let wrong = refused(two, &both);
        assert!(wrong.contains("write: `motes` and `fish` draw from around into two textures"), "{wrong}");
        let one = [paper("a"), paper("b"), fish("a"), ["motes", "agent", "[\"palette\"]", "a"], last("[\"a\", \"b\"]")];
        assert!(planned(two, &one).is_ok());
    }
}
