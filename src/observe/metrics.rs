//! Metrics of a swarm at one step.

use super::LivelinessSampler;
use super::column::{Column, cells};
use super::features::FeatureMeasures;
use murmuration_core::cells::numbers::Rules;
use murmuration_core::error::Failure;
use murmuration_core::measures::form::heading_entropy;
use murmuration_core::measures::neighbours::NeighbourMeasures;
use murmuration_core::measures::{CellMeasures, Measures};
use murmuration_core::numbers::{each_axis, fixed};
use murmuration_core::preset::Preset;
use murmuration_core::simulation::{Account, Simulation};
use murmuration_core::state::sums::StateSums;
use murmuration_core::state::{Entry, Individuals, Ledger, State, Swarm, Unit, boids};
use murmuration_core::world::{PLACE_BITS, World};
use serde_json::{Map, Value, json};

macro_rules! columns {
    (names $name:ident) => { stringify!($name) };
    (names $name:ident $names:literal) => { $names };
    ($($(#[doc = $doc:literal])* $name:ident: $type:ty = $unit:literal $(as $names:literal)?;)*) => {
        /// The metrics of a swarm at one step: a row of the table.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct Observation {
            $($(#[doc = $doc])* pub $name: $type,)*
            /// The measures of optional features, such as lives. The columns of features come last in the table.
            pub features: FeatureMeasures,
        }

        /// The columns that the table has for every swarm, in their order.
        pub(super) const COLUMNS: &[Column<Observation>] =
            &[$((columns!(names $name $($names)?), $unit, |row| json!(row.$name))),*];
    };
}

columns! {
    step: u64 = "step";
    /// The present amount of the swarm in boids.
    boids: f64 = "boid";
    /// The present amount of the swarm in quanta, which are 1/65536 boid.
    quanta: u64 = "1/65536 boid";
    /// The quanta that are missing by the account; negative if there are too many. Any value except 0 is an error of
    /// the program.
    lost: i64 = "1/65536 boid";
    /// Quanta added since the start.
    spawned: u64 = "1/65536 boid";
    /// Quanta caught since the start.
    caught: u64 = "1/65536 boid";
    /// The order parameter: the length of the mean of the boids' unit headings, 0 to 1. The heading of a
    /// boid at rest is the zero vector. The value is 0 without boids.
    polarisation: f64 = "1";
    /// The mean length of the boids' velocities, in cells per step; 0 without boids.
    mean_speed: f64 = "cell/step";
    /// The mean of the boids' unit headings along each axis; `None` along z in a flat world.
    heading: [Option<f64>; 3] = "1" as "heading_x heading_y heading_z";
    /// The rotation of the swarm about its centre of mass, 0 to 1 (see [`Measures::milling`]); `None` if the centre is
    /// unknown along an axis.
    milling: Option<f64> = "1";
    /// The mean of r̂ × v̂, with the unit offset r̂ from the centre and the unit heading v̂. The length of the mean is
    /// `milling`. A flat world has only the component z, which is above 0 if boids turn from x towards y.
    rotation: [Option<f64>; 3] = "1" as "rotation_x rotation_y rotation_z";
    /// Of cells: the number of cells whose density is great enough to be perceived by boids. `None` for individuals.
    occupied_cells: Option<u64> = "cell";
    /// Of cells: the greatest density of a cell, in boids. `None` for individuals.
    greatest_density: Option<f64> = "boid/cell";
    /// The centre of mass in cells: the mean between walls, the circular mean on a torus. For cells, coordinate 0 is
    /// the middle of the first cell. For individuals, it is the corner of the world. For an endless world, it is place
    /// 0. `None` without boids. On a torus, also `None` along an axis for which the circular mean is undefined.
    centre: [Option<f64>; 3] = "cell" as "centre_x centre_y centre_z";
    /// The radius of gyration along each axis: the root mean square of the boids' distance from the centre of mass, in
    /// cells. `None` if the centre is unknown, and along z in a flat world.
    gyration: [Option<f64>; 3] = "cell" as "gyration_x gyration_y gyration_z";
    /// The means of the products of the boids' offsets from the centre along two axes, in cells². The pairs of axes are
    /// xy, xz and yz.
    gyration_products: [Option<f64>; 3] = "cell²" as "gyration_xy gyration_xz gyration_yz";
    /// The axes of the gyration tensor: the square roots of its eigenvalues in cells, greatest first. A flat world has
    /// two axes.
    gyration_axes: [Option<f64>; 3] = "cell" as "gyration_axis_1 gyration_axis_2 gyration_axis_3";
    /// The mean distance from an individual to its nearest neighbour, in cells. `None` for cells.
    nearest_distance: Option<f64> = "cell";
    /// The number of clusters, and the part of the boids in the greatest cluster, 0 to 1. Clusters are individuals that
    /// their distances link, or connected blocks of cells. `None` if they were not measured.
    clusters: Option<u64> = "1";
    greatest_part: Option<f64> = "1";
    /// The entropy of the headings, 0 to 1; `None` if it was not measured, or no boid moves.
    heading_entropy: Option<f64> = "1";
    /// The liveliness of the last 1000 steps, 0 to 1; `None` if it was not sampled.
    liveliness: Option<f64> = "1";
    /// Of cells: the power of the density at the shortest wavelengths, relative to the power at neighbouring
    /// wavelengths.
    stripes: Option<f64> = "1";
    /// Of individuals: the number of lattice cells that contain individuals, and the greatest density of a lattice cell
    /// in boids. In a deep world each cell of this lattice is a column along z.
    lattice_occupied_cells: Option<u64> = "cell";
    lattice_greatest_density: Option<f64> = "boid/cell";
}

/// The default of the maximum distance at which two individuals belong to the same cluster: the greatest radius of
/// sight, in cells. `None`: the preset is of cells.
pub fn link_length(preset: &Preset) -> Option<f64> {
    preset.individuals.as_ref().map(|model| f64::from(model.link_radius()) / f64::from(1 << PLACE_BITS))
}

impl Observation {
    /// Measures the present step of a swarm.
    ///
    /// # Errors
    /// If the swarm cannot be read.
    pub fn new(simulation: &mut Simulation) -> Result<Self, Failure> {
        let swarm = simulation.swarm()?;
        let (state, account) = (simulation.deposit(&swarm).into_owned(), simulation.account()?);
        Ok(Self::from_swarm(simulation, &swarm, &state, &account, None))
    }

    /// Measures the present step of cells whose slabs lie on several ranks. The first rank gets the same result as from
    /// [`Self::from_swarm`], the other ranks get `None`. Every rank makes this call.
    ///
    /// # Errors
    /// If the swarm cannot be read, or another rank has ended.
    pub fn over_ranks(simulation: &mut Simulation, account: &Account) -> Result<Option<Self>, Failure> {
        let Some(measures) = simulation.cell_measures()? else { return Ok(None) };
        let (preset, ledger) = (simulation.preset(), account.ledger);
        let measured = Self::from_cells(simulation.step(), &measures, &preset.world, &ledger);
        let measured = measured.with_total(account.quanta, &ledger);
        Ok(Some(measured.with_features(FeatureMeasures::new(preset), account)))
    }

    /// Measures the present step of a swarm that was read. `state`: its state on the lattice. `link`: the maximum
    /// distance at which two individuals belong to the same cluster, in cells; `None`: the value of [`link_length`].
    pub fn from_swarm(
        simulation: &mut Simulation,
        swarm: &Swarm,
        state: &State,
        account: &Account,
        link: Option<f64>,
    ) -> Self {
        let step = simulation.step();
        let features = FeatureMeasures::from_swarm(simulation, swarm);
        let (preset, ledger) = (simulation.preset(), account.ledger);
        let measured = match swarm {
            Swarm::Cells(state) => Self::from_state(step, &state.merged(), &preset.world, &preset.rules, &ledger),
            Swarm::Individuals(individuals, _) => {
                let lattice = StateSums::new(state, preset.rules.shift);
                let link = fixed(link.or_else(|| link_length(preset)).unwrap_or(0.0), 1 << PLACE_BITS) as u32;
                Self::from_individuals(step, individuals, preset, link, &ledger).with_deposit(&lattice)
            }
        };
        measured.with_total(swarm.total(), &ledger).with_features(features, account)
    }

    /// Measures a state of cells. The sums are of whole numbers, so the result does not depend on the number of
    /// threads.
    pub fn from_state(step: u64, state: &State, world: &World, rules: &Rules, ledger: &Ledger) -> Self {
        let measures = CellMeasures::new(state, world.edges, rules.shift);
        Self::from_cells(step, &measures, world, ledger).with_total(state.total(), ledger)
    }

    /// The metrics of cells from their measures, without the fields `boids`, `quanta` and `lost`.
    fn from_cells(step: u64, cells: &CellMeasures, world: &World, ledger: &Ledger) -> Self {
        Self {
            clusters: Some(cells.clusters),
            greatest_part: cells.greatest_part,
            heading_entropy: cells.heading_entropy,
            stripes: cells.stripes,
            ..Self::from_measures(step, &cells.measures, world, ledger)
        }
        .with_cells(cells.occupied, cells.greatest, world)
    }

    /// Measures individuals. `link`: the maximum distance at which two individuals belong to the same cluster, in
    /// 1/65536 of a cell.
    pub fn from_individuals(step: u64, individuals: &Individuals, preset: &Preset, link: u32, ledger: &Ledger) -> Self {
        let space = preset.space();
        let measures = Measures::from_individuals(individuals, &space);
        let neighbours = NeighbourMeasures::new(individuals, &space, link);
        Self {
            nearest_distance: neighbours.nearest_distance,
            clusters: Some(neighbours.clusters),
            greatest_part: neighbours.greatest_part,
            heading_entropy: heading_entropy(individuals, space.axes()),
            ..Self::from_measures(step, &measures, &preset.world, ledger)
        }
    }

    /// The metrics of order, speed, rotation, centre and form. All other measured fields are empty.
    pub fn from_measures(step: u64, measures: &Measures, world: &World, ledger: &Ledger) -> Self {
        let is_deep = measures.dimensions == 3;
        let origin = |axis: usize| world.window.map_or(0.0, |window| window.origin[axis] as f64);
        let [_, _, _, xy, xz, yz] = measures.gyration;
        Self {
            step,
            spawned: ledger.sum(Entry::Spawned),
            caught: ledger.sum(Entry::Caught),
            polarisation: measures.polarisation(),
            mean_speed: measures.mean_speed,
            heading: each_axis(|axis| (is_deep || axis < 2).then_some(measures.heading[axis])),
            milling: measures.milling(),
            rotation: each_axis(|axis| measures.rotation.filter(|_| is_deep || axis == 2).map(|all| all[axis])),
            centre: each_axis(|axis| Some(measures.centre[axis]? + origin(axis))),
            gyration: measures.radii(),
            gyration_products: [xy, xz, yz],
            gyration_axes: measures.principal_axes(),
            ..Self::default()
        }
    }

    /// Adds the number of occupied cells, and the greatest density, which is given in quanta. The centre then counts
    /// from the middle of the first cell.
    pub fn with_cells(mut self, occupied: u64, greatest: u32, world: &World) -> Self {
        for (centre, extent) in self.centre.iter_mut().zip(world.extents.along_axes()) {
            // On a torus a place before the middle of the first cell is at the far end.
            let extent = f64::from(extent);
            *centre = centre.map(|centre| if centre < 0.5 { (centre - 0.5 + extent) % extent } else { centre - 0.5 });
        }
        Self { occupied_cells: Some(occupied), greatest_density: Some(boids(greatest.into())), ..self }
    }

    /// Adds the number of lattice cells that contain individuals, and the greatest density of a lattice cell.
    pub fn with_deposit(self, sums: &StateSums) -> Self {
        let (occupied, greatest) = (sums.occupied(), boids(sums.greatest().into()));
        Self { lattice_occupied_cells: Some(occupied), lattice_greatest_density: Some(greatest), ..self }
    }

    /// A JSON object that maps names of columns to values. It has all columns from `polarisation` on, except the
    /// columns of features.
    pub fn measures(&self) -> Map<String, Value> {
        let measures = cells(COLUMNS, Some(self)).into_iter().skip_while(|cell| cell.name != "polarisation");
        measures.map(|cell| (cell.name, cell.value)).collect()
    }

    /// Sets the liveliness from a sampler; `None`: the liveliness is not sampled.
    pub fn with_liveliness(self, sampler: Option<&LivelinessSampler>) -> Self {
        Self { liveliness: sampler.and_then(LivelinessSampler::value), ..self }
    }

    /// Adds the measures of features. In a swarm of several species the account also sets `quanta`, `boids` and `lost`.
    pub fn with_features(self, mut features: FeatureMeasures, account: &Account) -> Self {
        features.set_account(account);
        if features.has_several() {
            Self { boids: boids(account.quanta), quanta: account.quanta, lost: account.lost, features, ..self }
        } else {
            Self { features, ..self }
        }
    }

    /// Sets the present amount of the swarm in quanta, and the fields `boids` and `lost` that follow from it. The sum
    /// of a lattice can be less than the amount of the swarm.
    pub fn with_total(self, quanta: u64, ledger: &Ledger) -> Self {
        let lost = ledger.joined().with(Entry::Present, quanta).lost(Unit::Quanta);
        Self { boids: boids(quanta), quanta, lost, ..self }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use murmuration_core::cells::numbers::Distribution;
    use murmuration_core::numbers::{BOID, ONE, pack};
    use murmuration_core::parallel::ThreadPool;
    use murmuration_core::world::{Edges, Extents};

    pub(in crate::observe) const HALF: i32 = ONE / 2;

    fn rules() -> Rules {
        Rules { shift: 12, crowd: 16, keep: 1024, max: ONE, distribution: Distribution::Split, ..Rules::default() }
    }

    pub(in crate::observe) fn observed(
        edges: Edges,
        extents: Extents,
        cells: &[(usize, u32, [i32; 2])],
    ) -> Observation {
        let mut state = State::empty(extents);
        for (index, density, control) in cells {
            state.layers[0].density[*index] = *density;
            state.layers[0].control[*index] = pack(*control);
        }
        let world = World::empty(extents, edges);
        let ledger =
            Ledger::default().with(Entry::Start, state.total() + 5).with(Entry::Spawned, 7).with(Entry::Caught, 10);
        Observation::from_state(3, &state, &world, &rules(), &ledger)
    }

    pub(in crate::observe) const EIGHT: Extents = Extents::flat(8, 4);

    #[test]
    fn the_numbers_of_a_small_swarm_by_hand() {
        // Three boids at (1, 0) heading right at half speed, one at (5, 2) at rest, and an amount too small to be
        // perceived.
        let cells = [(1, 3 * BOID, [HALF, 0]), (2 * 8 + 5, BOID, [0, 0]), (31, 4095, [0, 0])];
        let seen = observed(Edges::Walls, EIGHT, &cells);
        let quanta = 4.0 * 65_536.0 + 4095.0;
        assert_eq!((seen.step, seen.quanta), (3, 4 * 65_536 + 4095));
        assert_eq!(seen.boids, quanta / 65_536.0);
        assert_eq!((seen.lost, seen.spawned, seen.caught), (5 + 7 - 10, 7, 10));
        assert_eq!(seen.polarisation, 3.0 * 65_536.0 / quanta);
        assert_eq!(seen.mean_speed, 0.5 * 3.0 * 65_536.0 / quanta);
        assert_eq!((seen.occupied_cells, seen.greatest_density), (Some(2), Some(3.0)));
        assert_eq!(seen.centre[0], Some((3.0 * 65_536.0 + 5.0 * 65_536.0 + 7.0 * 4095.0) / quanta));
        assert_eq!(seen.centre[1], Some((2.0 * 65_536.0 + 3.0 * 4095.0) / quanta));
    }

    #[test]
    fn opposite_headings_cancel_and_equal_ones_add_up() {
        let towards = |first: [i32; 2], second: [i32; 2]| {
            observed(Edges::Walls, EIGHT, &[(0, BOID, first), (9, BOID, second)]).polarisation
        };
        assert_eq!(towards([ONE, 0], [-100, 0]), 0.0);
        assert_eq!(towards([300, 400], [6000, 8000]), 1.0);
        assert!((towards([0, ONE], [ONE, 0]) - 0.5f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn the_centre_on_a_torus_lies_across_the_edge() {
        let across = observed(Edges::Torus, EIGHT, &[(0, BOID, [0, 0]), (6, BOID, [0, 0])]);
        assert!((across.centre[0].unwrap() - 7.0).abs() < 1e-9, "{:?}", across.centre[0]);
        assert!(across.centre[1].unwrap().abs() < 1e-9);
        assert_eq!(observed(Edges::Walls, EIGHT, &[(0, BOID, [0, 0]), (6, BOID, [0, 0])]).centre[0], Some(3.0));
        let balanced = observed(Edges::Torus, EIGHT, &[(1, BOID, [0, 0]), (5, BOID, [0, 0])]);
        assert_eq!(balanced.centre[0], None);
        assert!(balanced.centre[1].is_some());
    }

    #[test]
    fn a_deep_swarm_is_measured_along_three_axes() {
        let extents = Extents::deep(8, 4, 6);
        let at = |x, y, z| extents.deep_index([x, y, z], Edges::Walls).unwrap();
        let (one, other) = (at(1, 1, 1), at(5, 1, 3));
        let mut state = State::empty(extents);
        (state.layers[0].density[one], state.layers[0].density[other]) = (BOID, BOID);
        state.layers[0].set_velocity(one, [0, 0, HALF]);
        let world = |edges| World::empty(extents, edges);
        let seen =
            |state: &State, edges| Observation::from_state(0, state, &world(edges), &rules(), &Ledger::default());
        let walls = seen(&state, Edges::Walls);
        assert_eq!((walls.centre[0], walls.centre[1], walls.centre[2]), (Some(3.0), Some(1.0), Some(2.0)));
        assert_eq!((walls.gyration[0], walls.gyration[1], walls.gyration[2]), (Some(2.0), Some(0.0), Some(1.0)));
        assert_eq!((walls.polarisation, walls.mean_speed, walls.heading_entropy), (0.5, 0.25, Some(0.0)));
        state.layers[0].density.swap(other, at(5, 1, 5));
        let torus = seen(&state, Edges::Torus);
        assert!(torus.centre[2].unwrap().abs() < 1e-9 && (torus.gyration[2].unwrap() - 1.0).abs() < 1e-9, "{torus:?}");
    }

    #[test]
    fn without_boids_there_is_nothing_to_say() {
        let empty = observed(Edges::Torus, EIGHT, &[]);
        assert_eq!((empty.polarisation, empty.mean_speed, empty.occupied_cells), (0.0, 0.0, Some(0)));
        assert_eq!((empty.centre[0], empty.centre[1]), (None, None));
    }

    #[test]
    fn the_number_of_threads_does_not_change_a_bit() {
        let cells: Vec<(usize, u32, [i32; 2])> = (0..64 * 63)
            .map(|index| {
                let word = (index as u32).wrapping_mul(2_654_435_761);
                (index, word >> (word & 31), [(word >> 8) as i32 % ONE, -((word >> 4) as i32 % ONE)])
            })
            .collect();
        let with = |threads| {
            let pool = ThreadPool::new(Some(threads), "test").unwrap();
            pool.install(|| observed(Edges::Torus, Extents::flat(64, 63), &cells))
        };
        assert_eq!(with(1), with(2));
        assert_eq!(with(1), with(7));
    }
}
