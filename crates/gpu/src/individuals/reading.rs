//! What is read back of individuals on a device.

use super::GpuIndividuals;
use crate::device::transfer::{self, Words};
use crate::error::Failure;
use crate::falcons::{self, Falcons};
use crate::food::Food;
use crate::shader::{ACCOUNT_WORDS, FoodLayout, LIVING, StoredIndividual};
use crate::ticket::Ticket;
use murmuration_core::individuals::Individuals;

impl GpuIndividuals {
    /// The account, and all individuals that there may be: the account tells how many of them there are.
    fn words(&self) -> [Words<'_>; 2] {
        let bytes = self.begun.max(1) as u64 * StoredIndividual::bytes(self.config.has_lives);
        [("account", 4 * ACCOUNT_WORDS), ("individuals", bytes)]
            .map(|(name, bytes)| Words::Buffer(self.buffer(name), 0..bytes))
    }

    /// The food of each cell; `None`: there is none.
    fn food_words(&self) -> Option<Words<'_>> {
        let Food { layout, buffer, .. } = self.memory.food.as_deref()?;
        let [from, to] = [FoodLayout::FOOD, layout.eaters()].map(|words| 4 * u64::from(words));
        Some(Words::Buffer(buffer, from..to))
    }

    /// Asks for the individuals with all that belongs to them.
    pub(super) fn request_individuals(&self) -> Result<Ticket<Individuals>, Failure> {
        let [account, stored] = self.words();
        let (food, falcons) = (self.food_words(), self.falcons.as_ref().map(Falcons::state).map(Words::all_of));
        let (has_food, has_falcons, has_lives) = (food.is_some(), falcons.is_some(), self.config.has_lives);
        let words: Vec<_> = [account, stored].into_iter().chain(food).chain(falcons).collect();
        let origin = self.habitat.origin;
        Ok(transfer::read(&self.gpu, &words, "individuals")?.map(move |words| {
            let mut words = words.into_iter();
            let mut next = |is_there: bool| if is_there { words.next().unwrap_or_default() } else { Vec::new() };
            let (account, stored) = (next(true), next(true));
            let (food, falcons) = (next(has_food), next(has_falcons));
            let mut individuals =
                Individuals { food, falcons: falcons::of_words(&falcons), origin, ..Individuals::default() };
            let living = StoredIndividual::read(&stored, has_lives).take(account[LIVING] as usize);
            for (StoredIndividual { number, place, velocity, .. }, life) in living {
                match life {
                    Some(life) => individuals.push_living(number, place, velocity, life),
                    None => individuals.push(number, place, velocity),
                }
            }
            individuals
        }))
    }

    /// Asks for the food of each cell.
    pub(super) fn request_food(&self) -> Result<Ticket<Vec<u32>>, Failure> {
        let Some(words) = self.food_words() else { return Ok(Ticket::ready(Vec::new())) };
        let encoder = self.gpu.device.create_command_encoder(&Default::default());
        let read = transfer::request(&self.gpu, encoder, &[words], "food")?;
        Ok(read.map(|mut words| words.swap_remove(0)))
    }
}
