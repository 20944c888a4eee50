//! The rows of `bench --gpu`. States are compared with the CPU's; of many cells once for each size.

use super::families::{
    Axis, DISCS, DOCUMENT, Devices, EngineSetup, Family, RINGS, Row, SCHOOL, Work, by_boids, by_radius,
};
use super::scenario::Scenario;
use murmuration_core::individuals::search::SearchKind;
use murmuration_core::look::MAX_POINTS;
use murmuration_core::text::readable::grouped;

/// Steps after which states are compared, and those of rows with many cells or individuals.
const COMPARED: u64 = 8;
const COMPARED_OF_MANY: u64 = 2;
const MANY: u64 = 1 << 24;

/// The largest rows: cells along each axis of flat and of deep worlds, numbers of individuals by grid and by brute force, and presets of
/// [`FRAMES`].
struct Bounds {
    flat: u32,
    deep: u32,
    grid: u64,
    brute: u64,
    frames: usize,
}

/// Presets that are played with their pictures.
const FRAMES: [&str; 6] = ["aquarium", "droplets", "murmuration", "flock", "million", "flock-million"];

impl Bounds {
    const HARDWARE: Self = Self { flat: 16_384, deep: 512, grid: 1 << 24, brute: 65_536, frames: FRAMES.len() };
    const QUICK: Self = Self { flat: 4096, deep: 192, grid: 1 << 20, brute: 16_384, frames: FRAMES.len() };
    /// A software adapter takes minutes for more.
    const SOFTWARE: Self = Self { flat: 512, deep: 64, grid: 16_384, brute: 4096, frames: 3 };
    const SOFTWARE_QUICK: Self = Self { flat: 256, deep: 32, grid: 4096, brute: 512, frames: 1 };
}

/// The families. None without an adapter.
pub fn families(devices: Devices, is_quick: bool) -> Vec<Family> {
    let Some(setup) = devices.gpu.map(EngineSetup::Gpu) else { return Vec::new() };
    let bounds = match (setup.is_software_gpu(), is_quick) {
        (true, false) => Bounds::SOFTWARE,
        (true, true) => Bounds::SOFTWARE_QUICK,
        (false, true) => Bounds::QUICK,
        (false, false) => Bounds::HARDWARE,
    };
    let individuals = |form| individuals(form, &bounds, setup);
    let families = [
        ("cells", "The cell system", None, sights(&bounds, setup)),
        ("size", "Cost against cells, rings of 8 at radius 4", Some(Axis::Cells), by_cells(&bounds, setup)),
        ("radius", "Cost against the radius of sight", Some(Axis::Radius), by_radius(setup)),
        ("boids", "Cost against boids, rings of 8 at radius 4", Some(Axis::Boids), by_boids(setup)),
        ("deep", "Deep worlds", Some(Axis::Cells), deep(&bounds, setup)),
        ("plane", "Cost against individuals in the plane", Some(Axis::Individuals), individuals(Scenario::flat)),
        ("space", "Cost against individuals in space", Some(Axis::Individuals), individuals(Scenario::deep)),
        ("points", "Steps with the points of pictures and without", None, points(&bounds, setup)),
        (SCHOOL, "A school of fish", Some(Axis::Individuals), school(&bounds, setup)),
        ("frames", "Steps with their pictures, 1280 × 800 pixels", None, frames(&bounds, setup)),
    ];
    let compared = |mut row: Row| {
        let many = row.scenario.cells.as_ref().map_or(row.scenario.boids, |cells| cells.extents.cells() as u64);
        row.compared_steps = match row.work {
            Work::Steps if many < MANY => COMPARED,
            // Starts of many take seconds: each is compared once, where rows differ by their number.
            Work::Steps if row.at > 0.0 => COMPARED_OF_MANY,
            _ => 0,
        };
        row
    };
    let family = |(name, title, plot, rows): (_, _, _, Vec<Row>)| {
        let is_small = |row: &Row| row.scenario.cells.as_ref().is_none_or(|cells| cells.extents.width <= bounds.flat);
        let rows = rows.into_iter().filter(is_small).map(compared).collect();
        Family { name, title, plot, rows }
    };
    families.map(family).into_iter().filter(|family| !family.rows.is_empty()).collect()
}

fn sights(bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let extents = || [256, 1024, 8192].into_iter().filter(|extent| *extent <= bounds.flat);
    let rows = |sights| extents().map(move |extent| Row::on_lattice(extent, sights, None, setup));
    [RINGS, DISCS].into_iter().flat_map(rows).collect()
}

fn by_cells(bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let extents = (8..=14).map(|exponent| 1 << exponent).filter(|extent| *extent <= bounds.flat);
    extents.map(|extent| Row { at: f64::from(extent).powi(2), ..Row::on_lattice(extent, RINGS, None, setup) }).collect()
}

/// Dense worlds.
fn deep(bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let extents = [32, 64, 96, 192, 256, 384, 512].into_iter().filter(|extent| *extent <= bounds.deep);
    let row = |extent: u32| Row { at: f64::from(extent).powi(3), ..Row::new(Scenario::dense(extent), setup) };
    extents.map(row).collect()
}

fn individuals(form: fn(u64) -> Scenario, bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let counts = |most: u64| {
        [9, 12, 14, 16, 18, 20, 22, 24].into_iter().map(|exponent| 1u64 << exponent).filter(move |count| *count <= most)
    };
    let rows = [(SearchKind::Grid, bounds.grid), (SearchKind::Brute, bounds.brute)];
    let rows = rows.into_iter().flat_map(|(search, most)| counts(most).map(move |count| (search, count)));
    rows.filter_map(|(search, count)| Row::of_individuals(form(count), search, setup)).collect()
}

fn school(bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let counts = DOCUMENT.into_iter().map(|(count, _)| count).filter(|count| *count <= bounds.brute);
    let row = |search| move |count| Row::of_individuals(Scenario::school(count), search, setup);
    [SearchKind::Brute, SearchKind::Grid]
        .into_iter()
        .flat_map(|search| counts.clone().filter_map(row(search)))
        .collect()
}

/// The points of pictures go along with every step: what they take is the difference of two rows.
fn points(bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let extents = [256, 512, 4096].into_iter().filter(|extent| *extent <= bounds.flat);
    let rows = |extent| {
        let without = Row::on_lattice(extent, RINGS, None, setup);
        let Scenario { text, label, boids, .. } = &without.scenario;
        let text = format!("{text}[look]\npoints = {MAX_POINTS}\n");
        let label = format!("{label}, {} points", grouped(u64::from(MAX_POINTS).min(*boids)));
        let scenario = Scenario { text, label, ..without.scenario.clone() };
        [Row { keeps_points: true, ..Row::new(scenario, setup) }, without]
    };
    extents.flat_map(rows).collect()
}

fn frames(bounds: &Bounds, setup: EngineSetup) -> Vec<Row> {
    let row = |name: &&'static str| Row { work: Work::Frame, ..Row::new(Scenario::built_in(name), setup) };
    FRAMES[..bounds.frames].iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::families::Adapter;
    use super::*;

    #[test]
    fn every_row_is_on_the_adapter_and_every_state_is_compared() {
        for (adapter, is_quick, least) in [
            (Adapter::Hardware, false, 80),
            (Adapter::Hardware, true, 50),
            (Adapter::Software, false, 30),
            (Adapter::Software, true, 8),
        ] {
            let families = families(Devices { threads: 2, gpu: Some(adapter) }, is_quick);
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
        assert!(families(Devices { threads: 2, gpu: None }, false).is_empty());
    }

    #[test]
    fn the_largest_rows_reach_what_is_promised() {
        let families = families(Devices { threads: 2, gpu: Some(Adapter::Hardware) }, false);
        let most = |name: &str| {
            let family = families.iter().find(|family| family.name == name).unwrap();
            family.rows.iter().map(|row| row.at).fold(0.0, f64::max)
        };
        assert_eq!(most("size"), 16_384f64.powi(2));
        assert_eq!(most("deep"), 512f64.powi(3));
        assert_eq!(most("plane"), f64::from(1 << 24));
    }
}
