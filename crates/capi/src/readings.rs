//! Values of a swarm: arrays, the account, the hash, checkpoints and pictures.

use crate::overlap::MurmurationOverlapResult;
use crate::status::{Buffer, Error, MurmurationStatus, Out, Outcome, object, run};
use crate::swarm::{KeptValue, MurmurationSwarm};
use bytemuck::{Pod, Zeroable, bytes_of, cast_slice};
use murmuration::observe::npy::control_of;
use murmuration::observe::reduced;
use murmuration::reading::{
    AccountReading, CheckpointReading, DensityReading, FalconsReading, FeatureReading, Reading, ReadingSource,
    StateHashReading, StateReading, SwarmReading,
};
use murmuration::{Account, BOID, BadInput, Failure, Individuals, ONE, Simulation, Swarm, Ticket};
use murmuration_core::state::{Entry, Unit};
use murmuration_core::world::{PARTS, PLACE_BITS};
use std::ffi::c_void;

/// A value that can be read of a swarm. The comment of each reading says what a buffer gets.
/// Arrays of cells have x fastest, then y, then z, then the species.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MurmurationReading {
    /// `uint32_t` for each cell of the lattice: its quanta. `MURMURATION_BOID` quanta are a boid. For individuals: the
    /// quanta of the individuals in the cell.
    Density = 0,
    /// `float` for each cell of the lattice: the number of boids in it.
    Boids = 1,
    /// `float` for each axis of each cell of the lattice: the control vector in cells a step, x first. For individuals:
    /// the mean velocity of the individuals in the cell.
    Control = 2,
    /// `MurmurationIndividual` for each individual, sorted by number.
    Individuals = 3,
    /// `uint32_t` for each cell of food, x fastest: the food in the cell, in parts. 65 535 parts are a meal. Empty if
    /// the preset has no food.
    Food = 4,
    /// `MurmurationFalcon` for each falcon.
    Falcons = 5,
    /// One `MurmurationAccount`.
    Account = 6,
    /// `char`: the hash of the swarm in 64 hexadecimal digits, and a NUL.
    StateHash = 7,
    /// Bytes of a checkpoint, from which `murmuration_resume` goes on.
    Checkpoint = 8,
}

impl MurmurationReading {
    const ALL: [Self; 9] = [
        Self::Density,
        Self::Boids,
        Self::Control,
        Self::Individuals,
        Self::Food,
        Self::Falcons,
        Self::Account,
        Self::StateHash,
        Self::Checkpoint,
    ];

    /// The reading with the number that a caller gave.
    pub fn from_number(number: u32) -> Outcome<Self> {
        let known = Self::ALL.iter().copied().find(|reading| *reading as u32 == number);
        known.ok_or_else(|| Error::bad("reading", format!("{number} is none"), "use a MurmurationReading"))
    }
}

/// An individual.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct MurmurationIndividual {
    /// Its number, which is constant for the whole run.
    pub number: u32,
    /// Its species, from 0 on.
    pub species: u32,
    /// Its position in cells, x first; z is 0 in a flat world. In an endless world it is relative to the origin of step
    /// 0.
    pub position: [f32; 3],
    /// Its velocity in cells a step.
    pub velocity: [f32; 3],
}

/// A falcon: a hunter that flies by itself.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct MurmurationFalcon {
    /// Its position in cells, x first; z is 0 in a flat world.
    pub position: [f32; 3],
    /// Its velocity in cells a step.
    pub velocity: [f32; 3],
}

/// The number of quanta of a swarm at a step, and its ledger. `MURMURATION_BOID` quanta are a boid. Food and energy are
/// in parts; 65 535 parts are a meal, which stills the greatest hunger.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub struct MurmurationAccount {
    /// The steps made.
    pub step: u64,
    /// The quanta of the swarm at this step.
    pub quanta: u64,
    /// The quanta at the start.
    pub start: u64,
    /// Quanta that inputs have added since the start.
    pub spawned: u64,
    /// Quanta that hunters have caught or inputs have removed.
    pub caught: u64,
    /// Quanta of individuals that were born. Meals of species of cells do not count here.
    pub born: u64,
    /// Quanta of individuals that died of hunger or of a low mood.
    pub starved: u64,
    /// Quanta of individuals that other species have eaten. Meals of species of cells do not count here.
    pub eaten: u64,
    /// The quanta that are missing: start + spawned + born - caught - starved - eaten - quanta. It is 0 unless the
    /// library is at fault. With several species it is the sum of the absolute values of the errors of all species.
    pub lost: i64,
    /// The food in the world at this step.
    pub food: u64,
    /// The food that is missing by its ledger. It is 0 unless the library is at fault.
    pub lost_food: i64,
    /// The energy that is missing from all individuals together, by its ledger. It is 0 unless the library is at fault.
    pub lost_energy: i64,
    /// The quanta of each species. All are 0 in a world with one species.
    pub species: [u64; 8],
}

impl MurmurationAccount {
    pub fn new(account: &Account, species: usize) -> Self {
        let Account { step, quanta, lost, ledger } = account;
        Self {
            step: *step,
            quanta: *quanta,
            start: ledger.sum(Entry::Start),
            spawned: ledger.sum(Entry::Spawned),
            caught: ledger.sum(Entry::Caught),
            born: ledger.sum(Entry::Born),
            starved: ledger.sum(Entry::Starved),
            eaten: ledger.sum(Entry::Eaten),
            lost: *lost,
            food: ledger.sum(Entry::FoodPresent),
            lost_food: ledger.lost(Unit::Food),
            lost_energy: ledger.lost(Unit::Energy),
            species: if species > 1 { ledger[Entry::Present] } else { Default::default() },
        }
    }
}

pub enum Value {
    Bytes(Vec<u8>),
    Words(Vec<u32>),
    Floats(Vec<f32>),
    Individuals(Vec<MurmurationIndividual>),
    Falcons(Vec<MurmurationFalcon>),
    Account(Box<MurmurationAccount>),
    Overlaps(Vec<MurmurationOverlapResult>),
}

impl Value {
    /// The bytes that a caller gets.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Words(words) => cast_slice(words),
            Self::Floats(floats) => cast_slice(floats),
            Self::Individuals(individuals) => cast_slice(individuals),
            Self::Falcons(falcons) => cast_slice(falcons),
            Self::Account(account) => bytes_of(&**account),
            Self::Overlaps(results) => cast_slice(results),
        }
    }
}

impl Reading for MurmurationReading {
    type Value = Value;
}

impl ReadingSource<MurmurationReading> for Simulation {
    fn request(&mut self, reading: MurmurationReading) -> Result<Ticket<Value>, Failure> {
        Ok(match reading {
            MurmurationReading::Density => self.request(DensityReading)?.map(Value::Words),
            MurmurationReading::Boids => self.request(DensityReading)?.map(|density| {
                Value::Floats(density.iter().map(|quanta| (f64::from(*quanta) / f64::from(BOID)) as f32).collect())
            }),
            MurmurationReading::Control => self.request(StateReading)?.map(|state| {
                Value::Floats(control_of(&state).iter().map(|along| f32::from(*along) / ONE as f32).collect())
            }),
            MurmurationReading::Individuals => {
                if self.preset().individuals.is_none() {
                    let problem = format!("the preset `{}` has none", self.preset().name);
                    let cure = "read its density, or set as_individuals in its options";
                    return Err(BadInput::new("individuals", problem, cure).into());
                }
                self.request(SwarmReading)?.map(|swarm| match swarm {
                    Swarm::Individuals(individuals, columns) => {
                        Value::Individuals(individuals_of(&individuals.in_order(), columns.origin()))
                    }
                    Swarm::Cells(_) => Value::Individuals(Vec::new()),
                })
            }
            MurmurationReading::Food if self.preset().features.named("food").is_none() => {
                Ticket::ready(Value::Words(Vec::new()))
            }
            MurmurationReading::Food => self.request(FeatureReading { name: "food" })?.map(Value::Words),
            MurmurationReading::Falcons => self.request(FalconsReading)?.map(|falcons| {
                let falcon = |falcon: &murmuration::Falcon| MurmurationFalcon {
                    position: falcon.place.map(|along| along as f32 / PARTS as f32),
                    velocity: falcon.velocity.map(|along| along as f32 / 1024.0),
                };
                Value::Falcons(falcons.iter().map(falcon).collect())
            }),
            MurmurationReading::Account => {
                let species = self.preset().species.len();
                self.request(AccountReading)?
                    .map(move |account| Value::Account(Box::new(MurmurationAccount::new(&account, species))))
            }
            MurmurationReading::StateHash => self.request(StateHashReading)?.map(|hash| {
                let mut text = hash.into_bytes();
                text.push(0);
                Value::Bytes(text)
            }),
            MurmurationReading::Checkpoint => {
                self.request(CheckpointReading)?.map(|checkpoint| Value::Bytes(checkpoint.to_bytes()))
            }
        })
    }
}

fn individuals_of(individuals: &Individuals, origin: Option<[i64; 3]>) -> Vec<MurmurationIndividual> {
    let origin = origin.unwrap_or_default();
    let cell = f64::from(1 << PLACE_BITS);
    let individual = |index: usize| MurmurationIndividual {
        number: individuals.numbers[index],
        species: individuals.species(index) as u32,
        position: [0, 1, 2]
            .map(|axis| (origin[axis] as f64 + f64::from(individuals.positions[axis][index]) / cell) as f32),
        velocity: [0, 1, 2].map(|axis| (f64::from(individuals.velocities[axis][index]) / f64::from(ONE)) as f32),
    };
    (0..individuals.len()).map(individual).collect()
}

/// Reads a value of the present step into a buffer of the caller, and waits for it. `reading`: a `MurmurationReading`,
/// which says what the bytes are. `capacity`: the size of the buffer in bytes. `needed` gets the size of the value in
/// bytes; it may be NULL. If `buffer` is NULL, only `needed` is written. If the buffer is too small, nothing is copied,
/// and the status is `MURMURATION_STATUS_BUFFER_TOO_SMALL`. The next call then gets the same value, unless the swarm
/// changed between the calls. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `buffer` is NULL or has `capacity` bytes.
/// `needed` is NULL or has space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_read(
    swarm: *mut MurmurationSwarm,
    reading: u32,
    buffer: *mut c_void,
    capacity: usize,
    needed: *mut usize,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, buffer) = unsafe { (object(swarm, "swarm")?, Buffer::new(buffer, capacity, needed)?) };
        let reading = MurmurationReading::from_number(reading)?;
        let mut swarm = swarm.lock()?;
        let key = KeptValue::Reading(reading);
        let value = match swarm.kept.take() {
            Some((kept, value)) if kept == key => value,
            _ => swarm.simulation()?.read(reading)?,
        };
        let filled = buffer.fill(value.bytes());
        if !matches!(filled, Ok(true)) {
            swarm.kept = Some((key, value));
        }
        filled.map(drop)
    })
}

/// Draws the present step with the look of the preset into a buffer of the caller. A pixel has 4 bytes: red, green,
/// blue in sRGB, and 255. The top row is first. `widest`: the maximum width of the picture in pixels; 0: its own width.
/// `width` and `height` get the size of the picture in pixels. If `buffer` is NULL, only `width` and `height` are
/// written. `buffer` and `capacity` are as for `murmuration_read`. One thread at a time uses a swarm.
///
/// # Safety
/// `swarm` is NULL or an open swarm. `buffer` is NULL or has `capacity` bytes.
/// `width` and `height` are NULL or have space for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn murmuration_picture(
    swarm: *mut MurmurationSwarm,
    widest: u32,
    buffer: *mut c_void,
    capacity: usize,
    width: *mut u32,
    height: *mut u32,
) -> MurmurationStatus {
    run(|| {
        // SAFETY: as the caller promises.
        let (swarm, across, down) =
            unsafe { (object(swarm, "swarm")?, Out::new(width, "width")?, Out::new(height, "height")?) };
        let mut needed = 0;
        let buffer = unsafe { Buffer::new(buffer, capacity, &raw mut needed) }?;
        let mut swarm = swarm.lock()?;
        let (size, value) = match swarm.kept.take() {
            Some((KeptValue::Picture(kept, size), value)) if kept == widest => (size, value),
            _ => {
                let (simulation, painter) = swarm.simulation_and_painter()?;
                let mut picture = painter.paint(simulation)?;
                if (1..picture.width).contains(&widest) {
                    picture = reduced(&picture, widest);
                }
                let pixels = picture.bytes.as_chunks::<3>().0;
                let opaque = pixels.iter().flat_map(|[red, green, blue]| [*red, *green, *blue, 255]).collect();
                ([picture.width, picture.height], Value::Bytes(opaque))
            }
        };
        across.put(size[0]);
        down.put(size[1]);
        let filled = buffer.fill(value.bytes());
        if !matches!(filled, Ok(true)) {
            swarm.kept = Some((KeptValue::Picture(widest, size), value));
        }
        filled.map(drop)
    })
}
