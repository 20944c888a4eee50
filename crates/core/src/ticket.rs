//! Values that a device computes while other work continues. A request returns a ticket. The ticket is polled until the
//! value is ready, and the value is then taken from it.

use crate::error::Failure;
use std::any::Any;
use std::fmt::{self, Debug, Formatter};

/// Whether the taker of a value waits until the value of a [`Ticket`] is ready.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Takes the value only if it is ready.
    Poll,
    /// Waits until the value is ready.
    Wait,
}

/// A request for one value of the present swarm. [`ReadingSource::request`] makes the request.
pub trait Reading: Clone {
    /// The type of the value.
    type Value: Send + 'static;
}

/// A reading whose value engines compute. It also works on engines of an unknown type (`dyn AnyReadingSource`).
pub trait EngineReading: Reading + 'static {
    /// Requests the value from an engine.
    ///
    /// # Errors
    /// If the device fails, or the engine has no answer because it runs the other model.
    fn ask(self, engine: &mut dyn AnyReadingSource) -> Result<Ticket<Self::Value>, Failure> {
        let no_answer = || Failure::Broken(format!("an engine has no answer to `{}`", std::any::type_name::<Self>()));
        ask(engine, &self)?.ok_or_else(no_answer)
    }
}

/// An engine of an unknown type. It finds out by itself which reading is requested.
pub trait AnyReadingSource {
    /// Puts a ticket into `any_reading.answer`, if the engine has values for this type of reading.
    ///
    /// # Errors
    /// If the device fails.
    fn answer(&mut self, any_reading: &mut AnyReading<'_>) -> Result<(), Failure>;
}

/// A reading whose type is not known at compile time, and the answer to it.
pub struct AnyReading<'r> {
    reading: &'r dyn Any,
    /// The ticket for the value; `None`: no source has answered yet.
    pub answer: Option<Ticket<Box<dyn Any + Send>>>,
}

impl AnyReading<'_> {
    /// If the reading has the type `R`, requests the value from a source and stores the ticket as the answer.
    ///
    /// # Errors
    /// The errors of [`ReadingSource::request`].
    pub fn answer_by<R: EngineReading>(&mut self, source: &mut impl ReadingSource<R>) -> Result<(), Failure> {
        if let Some(reading) = self.reading.downcast_ref::<R>() {
            let ticket = source.request(reading.clone())?;
            self.answer = Some(ticket.map(|value| Box::new(value) as Box<dyn Any + Send>));
        }
        Ok(())
    }
}

/// Requests a value from an engine; `None`: the engine has no values for this type of reading.
///
/// # Errors
/// If the device fails.
pub fn ask<R: EngineReading>(
    engine: &mut dyn AnyReadingSource,
    reading: &R,
) -> Result<Option<Ticket<R::Value>>, Failure> {
    let mut any_reading = AnyReading { reading, answer: None };
    engine.answer(&mut any_reading)?;
    let value = |value: Box<dyn Any + Send>| *value.downcast().expect("a reading is answered by a value of its type");
    Ok(any_reading.answer.map(|ticket| ticket.map(value)))
}

/// Declares a structure that is a [`Reading`], by its name, its fields and the type of its value. If the input of the
/// macro begins with `engine`, the structure is also an [`EngineReading`].
macro_rules! reading {
    (engine $(#[$about:meta])* $Reading:ident $($rest:tt)*) => {
        $crate::ticket::reading! { $(#[$about])* $Reading $($rest)* }

        impl $crate::ticket::EngineReading for $Reading {}
    };
    ($(#[$about:meta])* $Reading:ident -> $Value:ty) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub struct $Reading;

        impl $crate::ticket::Reading for $Reading {
            type Value = $Value;
        }
    };
    ($(#[$about:meta])* $Reading:ident { $($(#[$doc:meta])* $field:ident: $Field:ty,)* } -> $Value:ty) => {
        $(#[$about])*
        #[derive(Debug, Clone)]
        pub struct $Reading { $($(#[$doc])* pub $field: $Field,)* }

        impl $crate::ticket::Reading for $Reading {
            type Value = $Value;
        }
    };
}
pub(crate) use reading;

/// A source of the values of one type of reading: an engine, the host of an engine, or a simulation.
pub trait ReadingSource<R: Reading> {
    /// Requests the value of the present swarm, without waiting.
    ///
    /// # Errors
    /// If the device has failed. If the device fails later, taking the value from the ticket returns the error.
    fn request(&mut self, reading: R) -> Result<Ticket<R::Value>, Failure>;
}

/// Implements [`ReadingSource`](crate::ticket::ReadingSource) for a source and several readings. Each reading has a
/// function of the source and the reading that returns a ticket.
///
/// If the input of the macro begins with `dyn`, the source also becomes an
/// [`AnyReadingSource`](crate::ticket::AnyReadingSource) of these readings and of the readings after `and`. For the
/// readings after `and`, `ReadingSource` is implemented elsewhere.
#[macro_export]
macro_rules! answer {
    (dyn $Source:ty { $($Reading:ty => |$own:ident, $reading:pat_param| $answer:expr,)* } $(and $($Other:ty),+)?) => {
        $crate::answer! { $Source { $($Reading => |$own, $reading| $answer,)* } }

        impl $crate::ticket::AnyReadingSource for $Source {
            fn answer(
                &mut self,
                any_reading: &mut $crate::ticket::AnyReading<'_>,
            ) -> Result<(), $crate::error::Failure> {
                $(any_reading.answer_by::<$Reading>(self)?;)*
                $($(any_reading.answer_by::<$Other>(self)?;)+)?
                Ok(())
            }
        }
    };
    ($Source:ty { $($Reading:ty => |$own:ident, $reading:pat_param| $answer:expr,)* }) => {$(
        impl $crate::ticket::ReadingSource<$Reading> for $Source {
            fn request(
                &mut self,
                reading: $Reading,
            ) -> Result<$crate::ticket::Ticket<<$Reading as $crate::ticket::Reading>::Value>, $crate::error::Failure> {
                let ($own, $reading) = (self, reading);
                $answer
            }
        }
    )*};
}

/// A requested value. It belongs to the swarm at the time of the request, however late it is taken. A ticket may be
/// dropped without taking its value.
#[must_use = "a value that was asked for is taken from its ticket"]
pub struct Ticket<T>(Option<ValueSource<T>>);

/// A function that returns the value once, or `None` while the value is not ready.
type ValueSource<T> = Box<dyn FnMut(Patience) -> Result<Option<T>, Failure> + Send>;

impl<T> Debug for Ticket<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ticket").field("is_taken", &self.0.is_none()).finish()
    }
}

impl<T: Send + 'static> Ticket<T> {
    /// A ticket for the value that `take` returns. `take` is called until it returns a value or an error. With
    /// [`Patience::Wait`] it must wait for the value.
    pub fn new(take: impl FnMut(Patience) -> Result<Option<T>, Failure> + Send + 'static) -> Self {
        Self(Some(Box::new(take)))
    }

    /// A ticket for a value that is ready already.
    pub fn ready(value: T) -> Self {
        let mut value = Some(value);
        Self::new(move |_| Ok(value.take()))
    }

    /// Takes the value. `None`: the value is not ready, or an earlier call has returned the value or an error.
    ///
    /// # Errors
    /// If the device has failed. The value is then lost.
    pub fn take(&mut self, patience: Patience) -> Result<Option<T>, Failure> {
        let Some(take) = &mut self.0 else { return Ok(None) };
        let taken = take(patience);
        if !matches!(taken, Ok(None)) {
            self.0 = None;
        }
        taken
    }

    /// [`Self::take`] without waiting.
    ///
    /// # Errors
    /// The errors of [`Self::take`].
    pub fn poll(&mut self) -> Result<Option<T>, Failure> {
        self.take(Patience::Poll)
    }

    /// Waits for the value. A web page cannot wait for a device, so it must poll tickets.
    ///
    /// # Errors
    /// If the device fails, or the value was taken.
    pub fn wait(mut self) -> Result<T, Failure> {
        self.take(Patience::Wait)?.ok_or_else(|| {
            if cfg!(target_family = "wasm") {
                return Failure::Broken("a page cannot wait for a graphics device: play this on the CPU (u)".into());
            }
            Failure::Broken("a value was taken from its ticket before".into())
        })
    }

    /// Converts the ticket to a ticket for `make(value)`.
    pub fn map<U: Send + 'static>(mut self, make: impl FnOnce(T) -> U + Send + 'static) -> Ticket<U> {
        let mut make = Some(make);
        Ticket::new(move |patience| {
            let value = self.take(patience)?;
            Ok(value.and_then(|value| make.take().map(|make| make(value))))
        })
    }

    /// Joins this ticket and another to one ticket for both values.
    pub fn and<U: Send + 'static>(self, other: Ticket<U>) -> Ticket<(T, U)> {
        let (mut first, mut second) = (PendingValue(self, None), PendingValue(other, None));
        Ticket::new(move |patience| {
            let is_there = first.collect(patience)? & second.collect(patience)?;
            Ok(if is_there { first.1.take().zip(second.1.take()) } else { None })
        })
    }

    /// Joins several tickets to one ticket for all values, in the order of the tickets.
    pub fn all(tickets: impl IntoIterator<Item = Self>) -> Ticket<Vec<T>> {
        let none = Ticket::ready(Vec::new());
        tickets.into_iter().fold(none, |all, ticket| {
            all.and(ticket).map(|(mut all, value)| {
                all.push(value);
                all
            })
        })
    }
}

/// A ticket, and its value once it is ready.
struct PendingValue<T>(Ticket<T>, Option<T>);

impl<T: Send + 'static> PendingValue<T> {
    /// Moves the value from the ticket to the second field if it is ready. Returns whether the value is there.
    fn collect(&mut self, patience: Patience) -> Result<bool, Failure> {
        if self.1.is_none() {
            self.1 = self.0.take(patience)?;
        }
        Ok(self.1.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ticket for a value that is ready after this number of polls.
    fn after(mut polls: u32, value: u32) -> Ticket<u32> {
        Ticket::new(move |patience| {
            let is_there = polls == 0 || patience == Patience::Wait;
            polls = polls.saturating_sub(1);
            Ok(is_there.then_some(value))
        })
    }

    #[test]
    fn a_value_is_taken_once_and_late() {
        let mut ready = Ticket::ready(7).map(|value| value + 1);
        assert_eq!([ready.poll().unwrap(), ready.poll().unwrap()], [Some(8), None]);
        assert!(ready.wait().is_err());
        let mut late = after(2, 5).map(|value| 2 * value);
        assert_eq!([(); 3].map(|()| late.poll().unwrap()), [None, None, Some(10)]);
        assert_eq!(after(9, 3).wait().unwrap(), 3);
        let mut taken = after(0, 4);
        assert_eq!([taken.poll().unwrap(), taken.poll().unwrap()], [Some(4), None]);
        assert!(matches!(taken.wait(), Err(Failure::Broken(_))));
    }

    #[test]
    fn several_values_come_together_and_in_order() {
        let mut both = after(1, 1).and(after(3, 2));
        assert_eq!([(); 4].map(|()| both.poll().unwrap()), [None, None, None, Some((1, 2))]);
        let waits = [4, 0, 2];
        let all = || Ticket::all(waits.map(|polls| after(polls, polls)));
        assert_eq!(all().wait().unwrap(), [4, 0, 2]);
        let mut polled = all();
        assert_eq!((0..9).find_map(|_| polled.poll().unwrap()), Some(vec![4, 0, 2]));
    }

    #[test]
    fn a_failure_is_told_by_every_ticket_over_it() {
        let failed = || Ticket::<u32>::new(|_| Err(Failure::Device("lost".into())));
        assert!(Ticket::all([after(0, 1), failed()]).wait().is_err());
        assert!(failed().and(after(0, 1)).map(|_| ()).poll().is_err());
    }
}
