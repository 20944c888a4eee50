//! The rows that are measured. The tables of `rows.toml` and the devices of the machine define them.

use super::families::{Adapter, Axis, Devices, EngineSetup, Family, RockWork, Row, SEARCHES, Work};
use super::scenario::{Life, Scenario, Sights};
use murmuration_core::lanes::InstructionSet;
use serde::Deserialize;
use std::sync::LazyLock;

/// A selection of families.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// The default selection, which takes less than a minute.
    Usual,
    /// Rows by the number of threads, of cells, of boids and of individuals, and by the radius of sight.
    All,
    /// Deep worlds beside a flat world.
    Deep,
    /// Rock, and fish among rock beside fish in open water.
    Terrain,
    /// Individuals with lives, beside equal individuals without lives.
    Lives,
    /// Several species of cells, beside a single species.
    Species,
    /// Rows of a graphics adapter. Their states are compared with the CPU's states.
    Gpu,
}

/// The engines of the rows of a line, as `rows.toml` describes them.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Engines {
    #[default]
    Usual,
    Fastest,
    Threads,
    Cpus,
    Sets,
    All,
    Gpu,
    Hardware,
}

/// The form of a swarm of individuals: flat, deep, or the fish of the built-in preset `school`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    Flat,
    Deep,
    School,
}

/// The kind of the rows of a line in `rows.toml`. Each value of the line makes a scenario.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// A flat lattice with these sights. The value is the number of cells along each axis.
    Cells(String),
    /// A flat lattice with the sights [`RINGS`]. The value is the number of cells along each axis. `true`: with the
    /// points of pictures.
    Points(bool),
    /// A lattice of 1024² cells with these sights. The value is the number of boids.
    Boids(String),
    /// Sights in which `#` stands for the radius, and the name of the line in the chart. The value is the radius in
    /// cells.
    Radius(String, String),
    /// A swarm of fixed size in a deep sky: the sights, and whether cells rest. The value is the extent of the sky, in
    /// units of 96 cells.
    Sky(String, bool),
    /// A dense deep world with these sights. The value is the number of cells along each axis.
    Dense(String),
    /// Individuals: their form, and the name of their search. The value is their number.
    Individuals(Form, String),
    /// Individuals with lives: their form, and their life. The value is their number.
    Living(Form, Life),
    /// Several species of cells. `true`: the species meet. The value is the number of species.
    Species(bool),
    /// Rock: the label, whether its noise has a single octave, and the work.
    Rock(String, bool, RockWork),
    /// Fish of the preset `aquarium`: whether the tank has rock, and whether the fish look ahead along rays. The value
    /// is their number.
    Aquarium(bool, bool),
    /// These built-in presets with their pictures. The value is the number of one of the presets, counted from 1.
    Frames(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct Line {
    #[serde(flatten)]
    kind: Kind,
    values: Vec<u64>,
    #[serde(default)]
    engines: Engines,
    limits: Option<[u64; 4]>,
}

/// A family as `rows.toml` describes it, before its rows are made. `is_by_engine`: whether rows are sorted by their
/// engines.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Table {
    selection: Selection,
    name: String,
    title: String,
    plot: Option<Axis>,
    #[serde(default, rename = "by-engine")]
    is_by_engine: bool,
    lines: Vec<Line>,
}

#[derive(Debug, Deserialize)]
struct Tables {
    families: Vec<Table>,
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| toml::from_str(include_str!("rows.toml")).expect("a test reads the tables"));

/// The sights of rows with the points of pictures.
const RINGS: &str = "rings:8:4";
/// The number of steps after which states are compared.
const COMPARED: u64 = 8;
/// The number of steps after which states with at least [`MANY`] cells or individuals are compared.
const COMPARED_OF_MANY: u64 = 2;
/// The number of cells or individuals from which a row counts as large.
const MANY: u64 = 1 << 24;

/// The families of a selection that have rows on these devices. `is_quick`: the smaller limits of `rows.toml` apply.
pub fn families(selection: Selection, devices: Devices, is_quick: bool) -> Vec<Family> {
    let tables = TABLES.families.iter().filter(|table| table.selection == selection);
    tables.map(|table| table.family(devices, is_quick)).filter(|family| !family.rows.is_empty()).collect()
}

impl Table {
    fn family(&'static self, devices: Devices, is_quick: bool) -> Family {
        let mut rows: Vec<Row> = Vec::new();
        for Line { kind, values, engines, limits } in &self.lines {
            for value in values {
                let limit = |setup: EngineSetup| {
                    limits.map_or(u64::MAX, |limits| {
                        limits[2 * usize::from(setup.is_software_gpu()) + usize::from(is_quick)]
                    })
                };
                let setups = engines.setups(devices).into_iter().filter(|setup| *value <= limit(*setup));
                rows.extend(setups.filter_map(|setup| kind.row(*value, setup, self.plot)));
            }
        }
        if self.selection == Selection::Gpu {
            rows.iter_mut().for_each(compare);
        }
        if self.is_by_engine {
            let order = Engines::Usual.setups(devices);
            rows.sort_by_key(|row| order.iter().position(|setup| *setup == row.setup));
        }
        Family { name: &self.name, title: &self.title, plot: self.plot, rows }
    }
}

/// Sets the number of steps after which the state of a row is compared with the CPU's state. A start with at least
/// [`MANY`] cells or individuals takes seconds, so such a row is compared only if it has a place on the x axis.
fn compare(row: &mut Row) {
    let many = row.scenario.cells.as_ref().map_or(row.scenario.boids, |cells| cells.extents.cells() as u64);
    row.compared_steps = match row.work {
        Work::Steps if many < MANY => COMPARED,
        Work::Steps if row.at > 0.0 => COMPARED_OF_MANY,
        _ => 0,
    };
}

impl Engines {
    fn setups(self, Devices { threads, gpu }: Devices) -> Vec<EngineSetup> {
        let all = EngineSetup::cpu(threads);
        let gpu = gpu.map(EngineSetup::Gpu);
        let mut setups: Vec<EngineSetup> = match self {
            Self::Usual => [EngineSetup::cpu(1), all].into_iter().chain(gpu).collect(),
            Self::Fastest => std::iter::once(all).chain(gpu).collect(),
            Self::Cpus => vec![EngineSetup::cpu(1), all],
            Self::Threads => {
                let doublings = (0..).map(|bit| 1 << bit).take_while(|count| *count < threads);
                doublings.chain([threads]).map(EngineSetup::cpu).collect()
            }
            Self::Sets => {
                let sets = InstructionSet::ALL.iter().filter(|set| set.is_available());
                sets.map(|set| EngineSetup::Cpu { threads, instruction_set: Some(*set) }).collect()
            }
            Self::All => vec![all],
            Self::Gpu => gpu.into_iter().collect(),
            Self::Hardware => gpu.filter(|gpu| *gpu == EngineSetup::Gpu(Adapter::Hardware)).into_iter().collect(),
        };
        setups.dedup();
        setups
    }
}

impl Form {
    fn scenario(self, count: u64) -> Scenario {
        match self {
            Self::Flat => Scenario::flat(count),
            Self::Deep => Scenario::deep(count),
            Self::School => Scenario::school(count),
        }
    }
}

impl Kind {
    /// The row for a value of a line; `None` if the engine cannot play it. `plot`: the x axis of the family's chart.
    fn row(&'static self, value: u64, setup: EngineSetup, plot: Option<Axis>) -> Option<Row> {
        let sights = |text: &str| match text {
            "contrast" => Sights::of_contrast(),
            "balls" => Sights::of_balls(),
            _ => text.parse().expect("the sights of the rows are sights"),
        };
        let cells = |extent: u32, text: &str, boids| Scenario::cells((extent, extent), sights(text), boids);
        let row = |scenario: Scenario| Row::new(scenario, setup);
        let (at, extent) = (if plot.is_some() { value as f64 } else { 0.0 }, value as u32);
        Some(match self {
            Self::Cells(text) if plot == Some(Axis::Threads) => {
                Row { series: sights(text).label, at: setup.threads()? as f64, ..row(cells(extent, text, None)) }
            }
            Self::Cells(text) => Row { at: at * at, ..row(cells(extent, text, None)) },
            Self::Points(false) => row(cells(extent, RINGS, None)),
            Self::Points(true) => Row { keeps_points: true, ..row(cells(extent, RINGS, None).with_points()) },
            Self::Boids(text) => Row { at, ..row(cells(1024, text, Some(value))) },
            Self::Radius(text, series) => {
                let extent = if setup.is_software_gpu() { 512 } else { 1024 };
                let series = format!("{}: {series}", setup.name());
                Row { at, series, ..row(cells(extent, &text.replace('#', &value.to_string()), None)) }
            }
            Self::Sky(text, rest) => row(Scenario::sky(extent, sights(text), *rest)),
            Self::Dense(text) => Row { at: at.powi(3), ..row(Scenario::dense(extent, sights(text))) },
            Self::Individuals(form, search) => {
                let (_, search) = SEARCHES.into_iter().find(|(name, _)| name == search)?;
                Row::of_individuals(form.scenario(value), search, setup)?
            }
            Self::Living(form, life) => row(form.scenario(value).with_life(*life)),
            Self::Species(are_meeting) => row(Scenario::species(extent, *are_meeting)),
            Self::Rock(label, is_simple, work) => {
                Row { work: Work::Rock(*work), ..row(Scenario::rock(label, *is_simple)) }
            }
            Self::Aquarium(has_rock, has_rays) => row(Scenario::aquarium(value, *has_rock, *has_rays)),
            Self::Frames(presets) => Row { work: Work::Frame, ..row(Scenario::built_in(&presets[value as usize - 1])) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEVICES: [Devices; 3] = [
        Devices { threads: 1, gpu: None },
        Devices { threads: 2, gpu: Some(Adapter::Software) },
        Devices { threads: 6, gpu: Some(Adapter::Hardware) },
    ];
    const SELECTIONS: [Selection; 6] =
        [Selection::Usual, Selection::All, Selection::Deep, Selection::Terrain, Selection::Lives, Selection::Species];

    fn all(devices: Devices) -> impl Iterator<Item = Family> {
        SELECTIONS.into_iter().flat_map(move |selection| families(selection, devices, false))
    }

    #[test]
    fn no_row_stands_twice_in_a_family_and_none_needs_a_device_that_is_missing() {
        for devices in DEVICES {
            assert!(SELECTIONS.iter().all(|selection| !families(*selection, devices, false).is_empty()));
            for family in all(devices) {
                for (index, row) in family.rows.iter().enumerate() {
                    assert!(!family.rows[..index].contains(row), "{}: {row:?}", family.name);
                    assert!(devices.gpu.is_some() || !row.setup.is_gpu());
                    assert!(!matches!(row.setup, EngineSetup::Cpu { threads, .. } if threads > devices.threads));
                    assert!(family.plot.is_none() || row.at > 0.0, "{}: {row:?}", family.name);
                }
            }
        }
    }

    #[test]
    fn threads_are_counted_in_doublings() {
        let counts = DEVICES.map(|devices| {
            let setups = Engines::Threads.setups(devices);
            setups.into_iter().filter_map(EngineSetup::threads).collect::<Vec<_>>()
        });
        assert_eq!(counts, [vec![1], vec![1, 2], vec![1, 2, 4, 6]]);
    }

    #[test]
    fn every_small_row_is_a_preset_that_can_be_played() {
        let mut checked = 0;
        for row in all(DEVICES[1]).flat_map(|family| family.rows) {
            if row.scenario.cells.as_ref().is_some_and(|cells| cells.extents.cells() > 512 * 512)
                || row.scenario.boids > 5000
            {
                continue;
            }
            let preset = row.scenario.preset().unwrap_or_else(|wrong| panic!("{wrong}"));
            preset.load_chain(row.chain.as_deref()).unwrap_or_else(|wrong| panic!("{wrong}"));
            checked += 1;
        }
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn every_row_is_on_the_adapter_and_every_state_is_compared() {
        for (adapter, is_quick, least) in [
            (Adapter::Hardware, false, 80),
            (Adapter::Hardware, true, 50),
            (Adapter::Software, false, 30),
            (Adapter::Software, true, 8),
        ] {
            let families = families(Selection::Gpu, Devices { threads: 2, gpu: Some(adapter) }, is_quick);
            let mut rows = 0;
            for family in &families {
                for (index, row) in family.rows.iter().enumerate() {
                    assert_eq!(row.setup, EngineSetup::Gpu(adapter));
                    let cells = row.scenario.cells.as_ref().map_or(0, |cells| cells.extents.cells() as u64);
                    let is_large_again = ["cells", "points"].contains(&family.name) && cells >= MANY;
                    assert_eq!(row.compared_steps > 0, row.work == Work::Steps && !is_large_again, "{row:?}");
                    assert!(!family.rows[..index].contains(row), "{}: {row:?}", family.name);
                    assert!(family.plot.is_none() || row.at > 0.0, "{}: {row:?}", family.name);
                }
                rows += family.rows.len();
            }
            assert!(rows >= least, "{adapter:?}, quick {is_quick}: {rows} rows");
        }
        assert!(families(Selection::Gpu, DEVICES[0], false).is_empty());
    }

    #[test]
    fn the_largest_rows_reach_what_is_promised() {
        let families = families(Selection::Gpu, DEVICES[2], false);
        let most = |name: &str| {
            let family = families.iter().find(|family| family.name == name).unwrap();
            family.rows.iter().map(|row| row.at).fold(0.0, f64::max)
        };
        assert_eq!(most("size"), 16_384f64.powi(2));
        assert_eq!(most("deep"), 512f64.powi(3));
        assert_eq!(most("plane"), f64::from(1 << 24));
    }
}
