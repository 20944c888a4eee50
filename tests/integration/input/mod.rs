//! Input from users, and files from strangers.

pub mod bad_bytes;
pub mod bad_input;
#[cfg(unix)]
pub mod bytes_in_paths;
pub mod keys;
pub mod untrusted_files;
