//! The benchmark of steps.
//!
//! [`families`] lists the rows that are measured, [`gpu`] the rows of `--gpu`, [`scenario`] the preset of each. All rows of a family are in memory at
//! once and are run alternately ([`timing`]; rows of [`rock`] play no steps, rows of [`frame`] draw them), together with memory copies on the same devices ([`copy`]), so that every ratio
//! compares times taken under the same conditions. The results become tables ([`table`]), plots ([`plots`]) and a JSON object
//! ([`report`]).

pub mod copy;
pub mod families;
pub mod figures;
pub mod frame;
pub mod gpu;
pub mod hardware;
pub mod measure;
pub mod plots;
pub mod report;
pub mod rock;
pub mod scenario;
pub mod table;
pub mod timing;
