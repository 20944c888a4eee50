//! What the tests share.

pub mod adapter;
pub mod command;
pub mod damage;
pub mod dice;
pub mod individuals;
pub mod npz;
pub mod rock;
pub mod scenes;
pub mod wrong_presets;
