//! Everything that touches a disk.

pub mod array;
pub mod atomic;
pub mod home;
pub mod picture;
pub mod reading;
pub mod watch;

pub use atomic::{Draft, FolderDraft, create_folder, folder_of, free_path, write_whole};
