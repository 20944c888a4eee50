//! Shared code of the tests.

pub mod adapter;
pub mod command;
pub mod corrupt_files;
pub mod individuals;
pub mod measures;
pub mod npz;
pub mod random;
pub mod rock;
pub mod scenes;
pub mod wrong_presets;

/// A slow check has two sizes. The large one is used if `MURMURATION_TEST_LONG` is set, as `sh tests/long.sh` does.
pub fn size<T>(small: T, large: T) -> T {
    if std::env::var_os("MURMURATION_TEST_LONG").is_some() { large } else { small }
}

/// Whether to play a case. The large size plays every case, the small size only multiples of `every`.
pub fn is_played(case: usize, every: usize) -> bool {
    case.is_multiple_of(size(every, 1))
}
