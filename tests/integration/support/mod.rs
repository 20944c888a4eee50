//! What the tests share.

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

/// A check that takes minutes has two sizes: the large one is played where `MURMURATION_TEST_LONG` is set, as `sh tests/long.sh` does.
pub fn size<T>(small: T, large: T) -> T {
    if std::env::var_os("MURMURATION_TEST_LONG").is_some() { large } else { small }
}

/// Whether a case is played. The large size plays every case. The small size plays the cases whose number is a multiple of `every`.
pub fn is_played(case: usize, every: usize) -> bool {
    case.is_multiple_of(size(every, 1))
}
