//! The answers of an engine of individuals on a device to readings, such as the swarm, the totals or the measures.

use super::GpuIndividuals;
use super::find::Finder;
use super::memory::Memory;
use super::place_sums::PlaceSumPass;
use crate::cells::CurrentState;
use crate::device::program::Resource;
use crate::device::transfer::{self, Words};
use crate::device::{DeviceStepPart, Gpu};
use crate::lives::LifeSumPass;
use crate::measures::DeviceSwarm;
use crate::measures::shader::BodySource;
use crate::shader::{ACCOUNT_WORDS, LIVING, StoredIndividual};
use murmuration_core::answer;
use murmuration_core::engine::TotalsReading;
use murmuration_core::error::Failure;
use murmuration_core::individuals::deposit::{DepositReading, deposit, words_in};
use murmuration_core::individuals::find::IndividualQuery;
use murmuration_core::lives::lineage::LifeEndsReading;
use murmuration_core::lives::measures::{PopulationMeasures, PopulationReading};
use murmuration_core::measures::MeasuresReading;
use murmuration_core::measures::liveliness::LivelinessReading;
use murmuration_core::overlap::OverlapReading;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::state::{
    ColumnsReading, Individuals, Ledger, State, Swarm, SwarmReading, WorldColumn, WorldColumns,
};
use murmuration_core::ticket::{ReadingSource, Ticket};
use murmuration_core::world::endless::PlaceSumsReading;
use std::sync::Arc;

impl GpuIndividuals {
    /// The account, and the individuals that were uploaded last. Some may have been removed since, so the account has
    /// their present number.
    fn words(&self) -> [Words<'_>; 2] {
        let bytes = self.begun.max(1) as u64 * StoredIndividual::bytes(self.config.setup.has_lives);
        [("account", 4 * ACCOUNT_WORDS), ("individuals", bytes)]
            .map(|(name, bytes)| Words::Buffer(self.buffer(name), 0..bytes))
    }

    fn words_of_columns(&self) -> Vec<(&'static WorldColumn, Words<'_>)> {
        self.columns.words().chain(self.parts().into_iter().filter_map(DeviceStepPart::column)).collect()
    }
}

impl ReadingSource<TotalsReading> for GpuIndividuals {
    fn request(&mut self, _: TotalsReading) -> Result<Ticket<Ledger>, Failure> {
        Ok(self.account()?.map(Ledger::in_quanta))
    }
}

impl ReadingSource<SumsReading> for GpuIndividuals {
    fn request(&mut self, SumsReading { shift }: SumsReading) -> Result<Ticket<StateSums>, Failure> {
        let gpu = self.gpu.clone();
        if let Some((deposit, _)) = self.deposit()? {
            return deposit.sums.sums(&gpu, 0, shift);
        }
        Ok(self.read_deposit()?.map(move |deposit| StateSums::new(&deposit, shift)))
    }
}

impl ReadingSource<SwarmReading> for GpuIndividuals {
    fn request(&mut self, _: SwarmReading) -> Result<Ticket<Swarm>, Failure> {
        let (rows, columns): (Vec<_>, Vec<_>) = self.words_of_columns().into_iter().unzip();
        let words: Vec<_> = self.words().into_iter().chain(columns).collect();
        let (has_lives, origin) = (self.config.setup.has_lives, self.config.setup.habitat.origin);
        Ok(transfer::read(&self.gpu, &words, "individuals")?.map(move |words| {
            let mut words = words.into_iter();
            let [account, stored] = [(); 2].map(|()| words.next().unwrap_or_default());
            let mut individuals = Individuals::default();
            let living = StoredIndividual::read(&stored, has_lives).take(account[LIVING] as usize);
            for (StoredIndividual { number, place, velocity, .. }, life) in living {
                match life {
                    Some(life) => individuals.push_living(number, place, velocity, life),
                    None => individuals.push(number, place, velocity),
                }
            }
            let columns: WorldColumns = rows.into_iter().zip(words).collect();
            Swarm::Individuals(individuals, columns.with_origin(origin))
        }))
    }
}

impl GpuIndividuals {
    /// Requests the present individuals, and computes their deposit on the lattice on the CPU.
    fn read_deposit(&mut self) -> Result<Ticket<State>, Failure> {
        let space = *self.config.space();
        Ok(self
            .request(SwarmReading)?
            .map(move |swarm| deposit(swarm.individuals().expect("they are individuals"), &space)))
    }
}

impl ReadingSource<DepositReading> for GpuIndividuals {
    fn request(&mut self, DepositReading { cell }: DepositReading) -> Result<Ticket<[u32; 2]>, Failure> {
        let gpu = self.gpu.clone();
        let Some((_, shown)) = self.deposit()? else {
            return Ok(self.read_deposit()?.map(move |deposit| words_in(&deposit, cell)));
        };
        let CurrentState { density, control, .. } = shown.current();
        let at = cell.map(|axis| axis as u32);
        let words = [&density, &control].map(|texture| Words::Texture(texture, at, [1; 2]));
        let encoder = gpu.device.create_command_encoder(&Default::default());
        let read = transfer::request(&gpu, encoder, &words, "deposit")?;
        Ok(read.map(|words| [words[0][0], words[1][0]]))
    }
}

/// The individuals in the buffers of an engine, for the passes of readings.
fn device_swarm<'a>(gpu: &Arc<Gpu>, memory: &'a Memory) -> DeviceSwarm<'a> {
    DeviceSwarm {
        gpu: gpu.clone(),
        source: BodySource::Individuals(memory.has_lives),
        max_individuals: memory.most as u32,
        phases: 1,
        phase: 0,
        resource: Box::new(|_, name| Resource::Buffer(&memory.buffers[name])),
    }
}

answer! {
    dyn GpuIndividuals {
        MeasuresReading => |own, reading| {
            device_swarm(&own.gpu, &own.memory).measures(&mut own.passes_of_readings, reading)
        },
        LivelinessReading => |own, reading| {
            device_swarm(&own.gpu, &own.memory).sample(&mut own.passes_of_readings, reading)
        },
        OverlapReading => |own, reading| {
            device_swarm(&own.gpu, &own.memory).overlap(&mut own.passes_of_readings, &reading)
        },
        PopulationReading => |own, PopulationReading { rules }| {
            let Self { gpu, memory, config, passes_of_readings, .. } = own;
            if !config.setup.has_lives {
                return Ok(Ticket::ready(PopulationMeasures::new(&Individuals::default(), &rules)));
            }
            let make = || Ok(LifeSumPass::new(gpu, memory.individuals(), config.space(), config.setup.species.len()));
            passes_of_readings.get(|_| true, make)?.request(gpu, &rules)
        },
        ColumnsReading => |own, _| {
            let origin = own.config.setup.habitat.origin;
            let columns = transfer::request_columns(&own.gpu, own.words_of_columns())?;
            Ok(columns.map(move |columns| columns.with_origin(origin)))
        },
        IndividualQuery => |own, query| {
            let Self { gpu, memory, config, passes_of_readings, .. } = own;
            let make = || Ok(Finder::new(gpu, memory, config.space()));
            passes_of_readings.get(|_| true, make)?.request(gpu, &query)
        },
        PlaceSumsReading => |own, _| {
            let Self { gpu, memory, config, passes_of_readings, .. } = own;
            let make = || Ok(PlaceSumPass::new(gpu, memory, config.space()));
            passes_of_readings.get(|_| true, make)?.request(gpu)
        },
        LifeEndsReading => |own, _| {
            own.life_log.as_mut().map_or(Ok(Ticket::ready(Vec::new())), |log| log.request(&own.gpu))
        },
    } and SumsReading, DepositReading
}
