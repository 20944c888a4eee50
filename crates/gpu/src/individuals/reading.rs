//! What is read back of individuals on a device.

use super::GpuIndividuals;
use super::find::Finder;
use super::place_sums::PlaceSumPass;
use crate::cells::CurrentState;
use crate::device::program::Resource;
use crate::device::transfer::{self, Words};
use crate::lives::LifeSumPass;
use crate::measures::shader::BodySource;
use crate::measures::{BlockPasses, MeasurePasses};
use crate::overlap::OverlapPass;
use crate::shader::{ACCOUNT_WORDS, LIVING, StoredIndividual};
use murmuration_core::answer;
use murmuration_core::engine::TotalsReading;
use murmuration_core::error::Failure;
use murmuration_core::falcon::FALCONS;
use murmuration_core::food::FOOD;
use murmuration_core::individuals::deposit::{DepositReading, deposit, words_in};
use murmuration_core::individuals::find::IndividualQuery;
use murmuration_core::lives::lineage::LifeEndsReading;
use murmuration_core::lives::measures::{PopulationMeasures, PopulationReading};
use murmuration_core::measures::MeasuresReading;
use murmuration_core::measures::liveliness::LivelinessReading;
use murmuration_core::overlap::OverlapReading;
use murmuration_core::state::sums::{StateSums, SumsReading};
use murmuration_core::state::{
    ColumnReading, Individuals, Ledger, State, Swarm, SwarmReading, WorldColumn, WorldColumns,
};
use murmuration_core::ticket::{ReadingSource, Ticket};
use murmuration_core::world::endless::PlaceSumsReading;

impl GpuIndividuals {
    /// The account, and all individuals that there may be: the account tells how many of them there are.
    fn words(&self) -> [Words<'_>; 2] {
        let bytes = self.begun.max(1) as u64 * StoredIndividual::bytes(self.config.has_lives);
        [("account", 4 * ACCOUNT_WORDS), ("individuals", bytes)]
            .map(|(name, bytes)| Words::Buffer(self.buffer(name), 0..bytes))
    }

    /// The columns of the world on the device.
    fn columns(&self) -> impl Iterator<Item = (&'static WorldColumn, Words<'_>)> {
        let falcons = self.falcons.as_ref().map(|falcons| (&FALCONS, Words::all_of(falcons.state())));
        let food = self.memory.food.as_deref().map(|food| (&FOOD, food.words()));
        falcons.into_iter().chain(food)
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
        let (rows, columns): (Vec<_>, Vec<_>) = self.columns().unzip();
        let words: Vec<_> = self.words().into_iter().chain(columns).collect();
        let (has_lives, origin) = (self.config.has_lives, self.habitat.origin);
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
            let mut columns = WorldColumns::default().with_origin(origin);
            rows.into_iter().zip(words).for_each(|(row, words)| columns.set(row, words));
            Swarm::Individuals(individuals, columns)
        }))
    }
}

impl GpuIndividuals {
    /// Asks for the deposit of the present individuals, made on the CPU.
    fn read_deposit(&mut self) -> Result<Ticket<State>, Failure> {
        let space = self.config.space;
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

impl ReadingSource<PopulationReading> for GpuIndividuals {
    fn request(
        &mut self,
        PopulationReading { rules }: PopulationReading,
    ) -> Result<Ticket<PopulationMeasures>, Failure> {
        let Self { gpu, memory, config, life_sums, .. } = self;
        if !config.has_lives {
            return Ok(Ticket::ready(PopulationMeasures::new(&Individuals::default(), &rules)));
        }
        let sums =
            life_sums.get_or_insert_with(|| LifeSumPass::new(gpu, memory.individuals(), &config.space, config.species));
        sums.request(gpu, &rules)
    }
}

answer! {
    GpuIndividuals {
        MeasuresReading => |own, MeasuresReading { space }| {
            let Self { gpu, memory, measures, .. } = own;
            let made = || {
                let source = BodySource::Individuals(memory.has_lives);
                MeasurePasses::new(gpu, source, space, 1, |_, name| Resource::Buffer(&memory.buffers[name]))
            };
            measures.get_or_insert_with(made).request(gpu, 0)
        },
        LivelinessReading => |own, LivelinessReading { blocks }| {
            let Self { gpu, memory, blocks: passes, .. } = own;
            let made = || {
                let source = BodySource::Individuals(memory.has_lives);
                let resource = |_, name: &str| Resource::Buffer(&memory.buffers[name]);
                BlockPasses::new(gpu, source, memory.most as u32, blocks, 1, resource)
            };
            let kept = passes.take().filter(|passes| *passes.blocks() == blocks);
            passes.insert(kept.map_or_else(made, Ok)?).request(gpu, 0)
        },
        OverlapReading => |own, reading| {
            let Self { gpu, memory, overlap, .. } = own;
            let made = || OverlapPass::new(gpu, BodySource::Individuals(memory.has_lives), reading.space);
            let kept = overlap.take().filter(|pass| pass.is_for(&reading.space));
            overlap.insert(kept.unwrap_or_else(made)).request(gpu, &reading, |name| Resource::Buffer(&memory.buffers[name]))
        },
        ColumnReading => |own, ColumnReading { row }| transfer::request_column(&own.gpu, own.columns(), row),
        IndividualQuery => |own, query| {
            let Self { gpu, memory, config, finder, .. } = own;
            finder.get_or_insert_with(|| Finder::new(gpu, memory, &config.space)).request(gpu, &query)
        },
        PlaceSumsReading => |own, _| {
            let Self { gpu, memory, config, place_sums, .. } = own;
            place_sums.get_or_insert_with(|| PlaceSumPass::new(gpu, memory, &config.space)).request(gpu)
        },
        LifeEndsReading => |own, _| own.life_log.as_mut().map_or(Ok(Ticket::ready(Vec::new())), |log| log.request(&own.gpu)),
    }
}
