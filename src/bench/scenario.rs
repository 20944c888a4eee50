//! The presets of the rows. They are generated or built in, and the command `render` can play them too.

use murmuration_core::error::BadInput;
use murmuration_core::individuals::MIN_EXTENT;
use murmuration_core::look::MAX_POINTS;
use murmuration_core::preset::{Overrides, Preset};
use murmuration_core::text::readable::grouped;
use murmuration_core::world::Extents;
use serde::Deserialize;
use std::f64::consts::PI;
use std::fmt::Display;
use std::str::FromStr;

/// The text of a preset, and the settings that replace parts of it, as by the option `--set`.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    pub name: &'static str,
    pub text: String,
    pub set: Vec<String>,
    /// The description of the scenario in tables.
    pub label: String,
    /// The lattice of the cells; `None` for a swarm of individuals.
    pub cells: Option<Cells>,
    /// The number of boids or individuals.
    pub boids: u64,
}

/// The extents of a lattice, and the sights of its rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    pub extents: Extents,
    pub sights: Sights,
}

/// The lives of individuals: none, lives without more, lives with food, or lives with a species that hunts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Life {
    None,
    Alone,
    Food,
    Hunters,
}

/// The radius of sight of individuals, in cells.
const RADIUS: f64 = 10.0;
/// The default number of boids per cell in the rows of cells.
const DENSITY: f64 = 0.25;
/// The `perception.shift` for this density.
const SHIFT: i64 = 12;

impl Scenario {
    /// Cells with the default density, or with `boids` boids. `perception.shift` and `separation.crowd` follow from the
    /// density.
    pub fn cells(size: (u32, u32), sights: Sights, boids: Option<u64>) -> Self {
        let (width, height) = size;
        let lattice = format!("{width}×{height}, {}", sights.label);
        let label = boids.map_or(lattice.clone(), |boids| format!("{} boids, {lattice}", grouped(boids)));
        let cells = f64::from(width) * f64::from(height);
        let boids = boids.unwrap_or((cells * DENSITY).ceil() as u64);
        let density = boids as f64 / cells;
        let shift = (SHIFT + (density / DENSITY).log2().round() as i64).clamp(0, 31);
        // Perception rounds densities to units of 2^shift quanta. A crowd has the same number of units at every
        // density.
        let crowd = 2f64.powi((shift - SHIFT) as i32);
        let text = format!(
            "description = \"a row of the bench\"\n\
             [world]\nsize = [{width}, {height}]\n\
             [start]\nboids = {boids}\nheadings = \"random\"\nspeed = 0.6\n\
             [perception]\nshift = {shift}\n\
             {}\
             [weights]\ncohesion = 0.5\nseparation = 0.15\nalignment = 0.5\n\
             [separation]\ncrowd = {crowd:?}\n\
             [movement]\ncruise = 0.6\n",
            sights.toml
        );
        Self {
            name: "bench-cells",
            text,
            set: Vec::new(),
            label,
            cells: Some(Cells { extents: Extents::flat(width, height), sights }),
            boids,
        }
    }

    /// `count` species of cells, each with the default density. If they are meeting, each species follows and eats the
    /// next species, and flees from the species before it.
    pub fn species(count: u32, are_meeting: bool) -> Self {
        let sights: Sights = "rings:8:4".parse().expect("the sights of the rows are sights");
        let mut scenario = Self::cells((512, 512), sights, None);
        scenario.text += "[look]\nstyle = \"cloud\"\n";
        for own in 0..count {
            scenario.text += &format!("[[species]]\nname = \"s{own}\"\nseed = {own}\n");
            let meets = |other: u32, how| format!("[species.meets.s{}]\n{how}\n", other % count);
            if are_meeting {
                scenario.text += &meets(own + 1, "kind = \"follow\"\nweight = 0.2\neats = 0.01");
            }
            if are_meeting && count > 2 {
                scenario.text += &meets(own + count - 1, "kind = \"flee\"\nweight = 0.2");
            }
        }
        let number = if count == 1 { "one species".into() } else { format!("{count} species") };
        let meeting = if are_meeting { ", meeting" } else { "" };
        Self { name: "bench-species", label: format!("{number}{meeting}, {}", scenario.label), ..scenario }
    }

    /// 40 000 boids of cells in a swarm 48 cells wide, in a deep sky that has 96 · `sky` cells along each axis. With
    /// `rest`, a cell with less than 16 quanta gives nothing to other cells, so blocks of such cells are left out.
    pub fn sky(sky: u32, sights: Sights, rest: bool) -> Self {
        let extent = 96 * sky;
        let (boids, radius) = (40_000, 0.25 / f64::from(sky));
        let label = format!("{extent}³, {}, {}", sights.label, if rest { "with rest" } else { "dense" });
        let text = format!(
            "description = \"a row of the bench\"\n\
             [world]\nsize = [{extent}, {extent}, {extent}]\nedges = \"walls\"\n\
             [start]\nboids = {boids}\nshape = \"blobs\"\nat = [[0.5, 0.5, 0.5]]\nradius = {radius:?}\n\
             headings = \"random\"\n\
             {}\
             [weights]\ncohesion = 0.6\nseparation = 0.05\nalignment = 0.1\n\
             [separation]\ncrowd = 0.4\n\
             [movement]\ncruise = 0.6\nrest = {}\n",
            sights.toml,
            if rest { 16 } else { 0 },
        );
        let cells = Some(Cells { extents: Extents::deep(extent, extent, extent), sights });
        Self { name: "bench-sky", text, set: Vec::new(), label, cells, boids }
    }

    /// Cells with the default density in a whole deep torus. `extent`: the number of cells along each axis.
    pub fn dense(extent: u32, sights: Sights) -> Self {
        let cells = u64::from(extent).pow(3);
        let boids = (cells as f64 * DENSITY).ceil() as u64;
        let text = format!(
            "description = \"a row of the bench\"\n\
             [world]\nsize = [{extent}, {extent}, {extent}]\n\
             [start]\nboids = {boids}\nheadings = \"random\"\nspeed = 0.6\n\
             [perception]\nshift = {SHIFT}\n\
             {}\
             [weights]\ncohesion = 0.6\nseparation = 0.05\nalignment = 0.1\n\
             [movement]\ncruise = 0.6\n",
            sights.toml
        );
        let label = format!("{extent}³, {}, dense", sights.label);
        let cells = Some(Cells { extents: Extents::deep(extent, extent, extent), sights });
        Self { name: "bench-dense", text, set: Vec::new(), label, cells, boids }
    }

    /// A built-in preset without changes.
    pub fn built_in(name: &'static str) -> Self {
        let text = crate::host().library().preset(name).unwrap_or_default().into();
        Self { name, text, set: Vec::new(), label: name.into(), cells: None, boids: 0 }
    }

    /// Individuals in a flat world, each with about 31 neighbours, with the rules of the cells.
    pub fn flat(count: u64) -> Self {
        let extent = (count as f64 * PI * RADIUS * RADIUS / 31.4).sqrt().round();
        let rules = "[agents]\nrules = \"reynolds\"\n[movement]\ncruise = 0.6\n";
        Self::individuals("bench-flat", "in the plane, 31 neighbours", count, extent, rules)
    }

    /// Individuals in a deep world, each with about 17 neighbours, with the rules `flock`.
    pub fn deep(count: u64) -> Self {
        let extent = (count as f64 * 4.0 / 3.0 * PI * RADIUS.powi(3) / 17.0).cbrt().round();
        let rules = format!("[agents]\nrules = \"flock\"\nforce = 0.04\ndepth = {extent}\n[movement]\nmax = 0.8\n");
        Self::individuals("bench-deep", "in space, 17 neighbours", count, extent, &rules)
    }

    fn individuals(name: &'static str, label: &str, count: u64, extent: f64, rules: &str) -> Self {
        let extent = extent.max(f64::from(MIN_EXTENT));
        let text = format!(
            "description = \"a row of the bench\"\nmodel = \"agents\"\n\
             [world]\nsize = [{extent}, {extent}]\n\
             [start]\nboids = {count}\nheadings = \"random\"\nspeed = 0.6\n\
             [sight.cohesion]\ndisc = {RADIUS}\n[sight.separation]\ndisc = {RADIUS}\n\
             [sight.alignment]\ndisc = {RADIUS}\n\
             [weights]\ncohesion = 0.5\nseparation = 0.15\nalignment = 0.5\n{rules}"
        );
        Self { name, text, set: Vec::new(), label: format!("{} {label}", grouped(count)), cells: None, boids: count }
    }

    /// The scenario with a text after the text of its preset, and with a text after its label.
    fn with(self, text: &str, label: &str) -> Self {
        Self { text: self.text + text, label: self.label + label, ..self }
    }

    /// The scenario with lives for its individuals.
    pub fn with_life(self, life: Life) -> Self {
        let living = |scenario: Self| scenario.with("[lives]\nrebirth = \"starved\"\n", ", with lives");
        match life {
            Life::None => self,
            Life::Alone => living(self),
            Life::Food => living(self).with("[food]\npattern = \"even\"\n", " and food"),
            Life::Hunters => living(self).with_hunters(),
        }
    }

    /// The scenario with the points of pictures.
    pub fn with_points(self) -> Self {
        let label = format!(", {} points", grouped(u64::from(MAX_POINTS).min(self.boids)));
        self.with(&format!("[look]\npoints = {MAX_POINTS}\n"), &label)
    }

    /// The scenario with lives and two species. Every sixteenth individual is of a species that hunts and eats the
    /// other species.
    fn with_hunters(self) -> Self {
        let hunters = self.boids / 16;
        let prey = self.boids - hunters;
        let text = format!(
            "{}[[species]]\nname = \"prey\"\nseed = 1\nboids = {prey}\n[species.meets.hunters]\nkind = \"flee\"\n\
             [[species]]\nname = \"hunters\"\nseed = 2\nboids = {hunters}\n[species.meets.prey]\nkind = \"follow\"\n\
             jaws = 0.5\nmeal = 0.1\n",
            self.text
        );
        Self { text, label: format!("{}, two species", self.label), ..self }
    }

    /// The built-in preset `school` with this number of fish.
    pub fn school(count: u64) -> Self {
        let text = crate::host().library().preset("school").unwrap_or_default().into();
        let set = vec![format!("start.boids={count}")];
        Self { name: "school", text, set, label: format!("{} fish", grouped(count)), cells: None, boids: count }
    }

    /// The built-in preset `aquarium` with this number of fish in a larger tank, after a run-in of 100 steps. Without
    /// rock the tank has only water. Without rays the fish do not look ahead for a free way.
    pub fn aquarium(count: u64, has_rock: bool, has_rays: bool) -> Self {
        let text = crate::host().library().preset("aquarium").unwrap_or_default().into();
        let mut set = vec!["world.size=[400,288,96]".into(), format!("start.boids={count}"), "start.run_in=100".into()];
        if !has_rock {
            set.push("world.terrain.base=water".into());
        }
        if !has_rays {
            set.push("avoidance.rays=0".into());
        }
        let place = if has_rock { "among rock" } else { "in open water" };
        let label = format!("{} fish {place}{}", grouped(count), if has_rays { "" } else { ", no rays" });
        Self { name: "aquarium", text, set, label, cells: None, boids: count }
    }

    /// The rock of the built-in preset `aquarium` in a larger tank. Its noise has four octaves and tunnels, or if
    /// `is_simple` one octave and no tunnels.
    pub fn rock(label: &str, is_simple: bool) -> Self {
        let text = crate::host().library().preset("aquarium").unwrap_or_default().into();
        let mut set = vec!["world.size=[256,192,96]".into(), "start.boids=1".into()];
        if is_simple {
            set.extend(["world.terrain.octaves=1", "world.terrain.tunnel_width=0"].map(String::from));
        }
        Self { name: "aquarium", text, set, label: label.into(), cells: None, boids: 1 }
    }

    /// Loads the preset.
    ///
    /// # Errors
    /// If a value is out of bounds, or the preset needs more memory than is free.
    pub fn preset(&self) -> Result<Preset, BadInput> {
        let overrides = Overrides { set: self.set.clone(), ..Overrides::default() };
        Preset::from_text(crate::host(), format!("{}.toml", self.name), &self.text, &overrides)
    }
}

/// The sights of the three rules: equal rings for all rules, or a radius in cells for each of cohesion, separation and
/// alignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Sights {
    /// The description of the sights in tables.
    pub label: String,
    /// The text of the tables `[sight.…]` of a preset.
    pub toml: String,
}

const RULES: [&str; 3] = ["cohesion", "separation", "alignment"];
const EXAMPLES: &str = "write it as rings:8:4, disc:8/3/6 or box:16/3/16";

impl Sights {
    /// The sights of the presets of deep worlds: a contrast of two boxes of radius 2 for cohesion, a ball of radius 2
    /// for separation, and a box of radius 1 for alignment.
    pub(super) fn of_contrast() -> Self {
        let forms = ["contrast = [2, 2]", "ball = 2", "box = 1"];
        Self::new("contrast 2, 2".into(), |rule| forms[rule].into())
    }

    /// Balls of radius 4 for cohesion and alignment, and of radius 2 for separation.
    pub(super) fn of_balls() -> Self {
        Self::new("balls of 4, 2 and 4".into(), |rule| format!("ball = {}", [4, 2, 4][rule]))
    }

    fn new(label: String, form: impl Fn(usize) -> String) -> Self {
        let tables = RULES.iter().enumerate().map(|(rule, name)| format!("[sight.{name}]\n{}\n", form(rule)));
        Self { label, toml: tables.collect() }
    }

    /// Parses a radius for all rules, or three radii with `/` between them. `form`: the key of the sight in a preset.
    /// `plural`: its name in labels.
    fn of_radii<T: FromStr + Display + PartialEq>(form: &str, plural: &str, text: &str) -> Result<Self, String> {
        let radii: Vec<T> = text.split('/').map(number).collect::<Result<_, _>>()?;
        let label = match &radii[..] {
            [cohesion, separation, alignment] if cohesion != separation || separation != alignment => text,
            [_] | [_, _, _] => text.split('/').next().unwrap_or_default(),
            _ => return Err(format!("{} numbers; give one, or one each for {}", radii.len(), RULES.join("/"))),
        };
        let radius = |rule: usize| radii.get(rule).unwrap_or(&radii[0]);
        Ok(Self::new(format!("{plural} {label}"), |rule| format!("{form} = {}", radius(rule))))
    }
}

impl FromStr for Sights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (form, numbers) = text.split_once(':').ok_or(format!("`{text}` has no form and numbers; {EXAMPLES}"))?;
        match form {
            "rings" => {
                let (directions, radii) = numbers.split_once(':').ok_or(format!("no radius of rings; {EXAMPLES}"))?;
                let lengths: Vec<u32> = radii.split('+').map(number).collect::<Result<_, _>>()?;
                let directions: u32 = number(directions)?;
                let rings = format!("rings = {{ directions = {directions}, radii = {lengths:?} }}");
                Ok(Self::new(format!("rings {directions} at {radii}"), |_| rings.clone()))
            }
            "disc" => Self::of_radii::<f64>("disc", "discs", numbers),
            "box" => Self::of_radii::<u32>("box", "boxes", numbers),
            other => Err(format!("`{other}` is no form of sight; {EXAMPLES}")),
        }
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("`{text}` is no number of this kind; {EXAMPLES}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use murmuration_core::numbers::BOID;
    use murmuration_core::preset::IndividualsStart;

    fn cells(boids: Option<u64>) -> Preset {
        Scenario::cells((64, 64), "rings:8:4".parse().unwrap(), boids).preset().unwrap()
    }

    #[test]
    fn a_crowd_is_perceived_as_densely_as_a_few() {
        let mut perceived = Vec::new();
        for exponent in 3..=9 {
            let preset = cells(Some(10u64.pow(exponent) / 256));
            assert_eq!(preset.start_spec.quanta() / u64::from(BOID), 10u64.pow(exponent) / 256);
            let mean = (preset.start_spec.quanta() / 4096) >> preset.rules.shift;
            perceived.push((mean, preset.rules.crowd));
        }
        assert!(perceived.iter().all(|(mean, crowd)| (2..=6).contains(mean) && *crowd == 16), "{perceived:?}");
        let usual = cells(None);
        assert_eq!((usual.rules.shift, usual.rules.crowd, usual.start_spec.quanta()), (12, 16, 1024 * u64::from(BOID)));
    }

    #[test]
    fn individuals_have_the_neighbours_that_are_promised() {
        for (scenario, expected) in [(Scenario::flat(4096), 31.4), (Scenario::deep(4096), 17.0)] {
            let preset = scenario.preset().unwrap();
            let individuals = IndividualsStart::new(&preset).unwrap();
            let [x, y, z] = individuals.habitat.space.extents.map(f64::from);
            let ball = if z == 1.0 { PI * 100.0 } else { 4000.0 / 3.0 * PI };
            let neighbours = individuals.start.len() as f64 / (x * y * z) * ball;
            assert!((neighbours / expected - 1.0).abs() < 0.05, "{}: {neighbours}", scenario.label);
        }
    }

    #[test]
    fn a_school_is_the_shipped_one() {
        let preset = Scenario::school(1500).preset().unwrap();
        assert_eq!(preset.start_spec.quanta(), 1500 * u64::from(BOID));
        assert_eq!(
            preset.individuals,
            Preset::load(crate::host(), "school", &Overrides::default()).unwrap().individuals
        );
    }

    #[test]
    fn sights_are_read_as_they_are_asked_for() {
        for (text, shown, toml) in [
            ("rings:8:4", "rings 8 at 4", "[sight.separation]\nrings = { directions = 8, radii = [4] }\n"),
            ("rings:16:2+5", "rings 16 at 2+5", "radii = [2, 5]"),
            ("disc:8/3/6", "discs 8/3/6", "[sight.alignment]\ndisc = 6\n"),
            ("disc:5.5", "discs 5.5", "[sight.cohesion]\ndisc = 5.5\n"),
            ("box:16/3/16", "boxes 16/3/16", "[sight.separation]\nbox = 3\n"),
        ] {
            let sights: Sights = text.parse().unwrap();
            assert_eq!(sights.label, shown);
            assert!(sights.toml.contains(toml), "{}", sights.toml);
        }
    }

    #[test]
    fn what_is_no_sight_is_refused_with_an_example() {
        for (text, problem) in [
            ("disc", "`disc` has no form"),
            ("ball:4", "`ball` is no form"),
            ("disc:8/3", "2 numbers; give one, or one each"),
            ("disc:x", "`x` is no number"),
            ("box:1.5", "`1.5` is no number"),
            ("rings:8", "no radius of rings"),
            ("rings:8:", "`` is no number"),
        ] {
            let wrong = text.parse::<Sights>().unwrap_err();
            assert!(wrong.contains(problem), "{wrong}");
        }
    }
}
