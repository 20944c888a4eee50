//! The passes that compute requested values, such as sums. They are made for the first request and then kept.

use murmuration_core::error::Failure;
use std::any::Any;

/// Sets of passes of different types, at most one of each type.
#[derive(Default)]
pub struct ReadingPasses(Vec<Box<dyn Any + Send>>);

impl ReadingPasses {
    /// The passes of the type `T`. `make` makes them if there are none, or if `fits` returns false for them.
    ///
    /// # Errors
    /// The errors of `make`.
    pub fn get<T: Any + Send>(
        &mut self,
        fits: impl FnOnce(&T) -> bool,
        make: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<&mut T, Failure> {
        let kept = self.0.iter().position(|passes| passes.is::<T>()).map(|index| self.0.swap_remove(index));
        let kept = kept.and_then(|passes| passes.downcast().ok()).filter(|passes| fits(passes));
        self.0.push(match kept {
            Some(passes) => passes,
            None => Box::new(make()?),
        });
        Ok(self.0.last_mut().and_then(|passes| passes.downcast_mut()).expect("the last ones are of this type"))
    }

    /// Drops all passes. Call this function when the buffers that the passes bind are replaced.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
